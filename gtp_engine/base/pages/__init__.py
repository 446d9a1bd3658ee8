"""The common parts of our web pages: `board.js` draws a board, `graph.js` a graph of its values, `base.css` is the style."""

import re
from importlib.resources import files

__all__ = ["put_together", "read_shared"]

STYLE, SCRIPTS = "base.css", ("board.js", "graph.js")
IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)


def read_shared(name: str) -> str:
    """The text of a shared file."""
    return (files("gtp_engine.base.pages") / name).read_text(encoding="utf-8")


def put_together(template: str, style: str, script: str) -> str:
    """A self-contained page with the shared and its own style and scripts, which replace /*STYLE*/ and /*SCRIPT*/ in the template.

    The scripts are modules, which are combined to one without imports.
    """
    text = template.replace("/*STYLE*/", read_shared(STYLE) + style)
    return text.replace("/*SCRIPT*/", IMPORT.sub("", "\n".join([*map(read_shared, SCRIPTS), script])))
