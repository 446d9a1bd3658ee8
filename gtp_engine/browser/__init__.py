"""A game on a board in the browser: `game` is what can be done there, `server` brings it to the page, whose files are in page/."""

__all__ = ["game", "server"]
