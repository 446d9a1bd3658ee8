"""Charge each player only once for missing the same move, although both players may ignore it for many moves.

While nobody plays a vital point, it stays the best move in every position. Without this rule each move elsewhere would be charged for
the same points again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

NEVER = 0  # not the number of a move
NOTHING = 0.75  # points: a review can't distinguish a smaller loss from none


@dataclass(frozen=True)
class Omission:
    """One move, its loss, and the better move that it missed."""

    color: int
    point: int
    loss: float  # points, from the positions before and after it
    missed: int | None  # the better move; None if there is none


@dataclass(frozen=True)
class Charge:
    """The points that a move is charged for."""

    loss: float  # points that its player was not charged for before
    since: int  # number of its player's earlier move that was charged for the same point, or NEVER


def charges(moves: Sequence[Omission]) -> list[Charge]:
    """Return a charge for each move of a game in order. The first move has the number 1."""
    standing: dict[tuple[int, int], tuple[int, float]] = {}  # (color, missed point) -> number of the move, points charged
    result = []
    for number, move in enumerate(moves, 1):
        since, charged = NEVER, 0.0
        if move.missed is not None and move.loss >= NOTHING:
            key = move.color, move.missed
            since, charged = standing.get(key, (NEVER, 0.0))
            standing[key] = since or number, max(charged, move.loss)
        result.append(Charge(max(move.loss - charged, 0.0), since))
        for key in [key for key in standing if key[1] == move.point]:
            del standing[key]
    return result
