"""What tests of the board in the browser share: moves, and waiting for the engine."""

from typing import Any

from gtp_engine.interfaces.browser.board import BrowserBoard

NEW = {"do": "new", "size": 9, "color": "black", "handicap": 0, "komi": 5.5, "rank": "none"}


def stones_of(board: BrowserBoard) -> str:
    """The stones of the game that is played, as lines."""
    colors, size = board.play.tip.colors, board.desk.tree.size
    marks = "".join(".XO"[color] for color in colors)
    return "\n".join(marks[start : start + size] for start in range(0, len(marks), size))


def settled(board: BrowserBoard) -> dict[str, Any]:
    """The state of the game once the engine has moved."""
    for _ in range(20_000):
        board.desk.thread.submit(lambda: None).result()
        if not board.play.opponent.is_thinking:
            return board.play.state()
    raise AssertionError("the engine thinks for ever")


def play(board: BrowserBoard, vertex: str, **more: Any) -> dict[str, Any]:
    """The answer to the person's move."""
    return board.answer({"do": "play", "node": board.play.tip.number, "vertex": vertex, **more})


def moves(board: BrowserBoard) -> int:
    """Of the game that is played."""
    return len(board.desk.tree.path(board.play.tip)) - 1
