"""What our pages for a browser have in common: `board.js` draws a board, `base.css` is the style. Pages hold all that they need."""

from importlib.resources import files

__all__ = ["put_together", "read_shared"]

STYLE, SCRIPT = "base.css", "board.js"


def read_shared(name: str) -> str:
    """The text of a file that pages share."""
    return (files("gtp_engine.pages") / name).read_text(encoding="utf-8")


def put_together(template: str, style: str, script: str) -> str:
    """A page with the shared style and script, then its own. The template says where, by /*STYLE*/ and /*SCRIPT*/."""
    text = template.replace("/*STYLE*/", read_shared(STYLE) + style)
    return text.replace("/*SCRIPT*/", read_shared(SCRIPT) + "\n" + script)
