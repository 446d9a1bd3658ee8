"""The counter to which a search reports its way through the tree. A subclass may record the tree, too."""

from dataclasses import dataclass
from typing import TypeVar

from gtp_engine.textbook.game import Move, Position

P = TypeVar("P", bound=Position)


@dataclass
class Counter:
    """Counts the positions of a depth-first search. Calls are nested: one `leaf` or `leave` for the root and for each `descend`."""

    nodes: int = 0  # positions after a move, so without the root
    leaves: int = 0  # positions without a search below them: finished games, and positions at the depth limit

    def descend(self, position: P, move: Move) -> P:
        """Count a move that the search tries, and return the position after it."""
        self.nodes += 1
        return position.apply_move(move)

    def leaf(self, value: float) -> float:
        """Count a position that is evaluated without a search below it. It calls `leave`, and returns the value."""
        self.leaves += 1
        return self.leave(value)

    def leave(self, value: float) -> float:
        """Called when the search has found a position's value and goes back. Returns the value."""
        return value
