"""What a search reports about its way through the tree: here it is only counted; a subclass may draw it."""

from dataclasses import dataclass
from typing import TypeVar

from gtp_engine.textbook.game import Move, Position

P = TypeVar("P", bound=Position)


@dataclass
class Counter:
    """Counts what a depth-first search visits. The calls come nested: one `leaf` or `leave` for the root and for each `descend`."""

    nodes: int = 0  # positions that a move led to; the root is not counted
    leaves: int = 0  # positions valued without looking further: finished games, and where the depth ended

    def descend(self, position: P, move: Move) -> P:
        """The search tries `move` in `position`; gives the position after it."""
        self.nodes += 1
        return position.apply_move(move)

    def leaf(self, value: float) -> float:
        """The position is worth `value` without a look ahead, as its `leave` would say; gives the value back."""
        self.leaves += 1
        return self.leave(value)

    def leave(self, value: float) -> float:
        """The search has found the position's value, as the search sees it, and goes back; gives the value back."""
        return value
