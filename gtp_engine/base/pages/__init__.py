"""What our pages for a browser have in common: `board.js` draws a board, `graph.js` a graph of its values, `base.css` is the style."""

import re
from importlib.resources import files

__all__ = ["put_together", "read_shared"]

STYLE, SCRIPTS = "base.css", ("board.js", "graph.js")
IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)


def read_shared(name: str) -> str:
    """The text of a file that pages share."""
    return (files("gtp_engine.base.pages") / name).read_text(encoding="utf-8")


def put_together(template: str, style: str, script: str) -> str:
    """A page that holds all it needs: the shared style and scripts, then its own. The template says where, by /*STYLE*/ and /*SCRIPT*/.

    The scripts are modules; together they are one, which imports nothing.
    """
    text = template.replace("/*STYLE*/", read_shared(STYLE) + style)
    return text.replace("/*SCRIPT*/", IMPORT.sub("", "\n".join([*map(read_shared, SCRIPTS), script])))
