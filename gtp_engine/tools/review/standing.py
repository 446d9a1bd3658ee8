"""What was missed once is charged once: a threat that both players leave standing costs each of them at its first omission only.

While nobody plays the vital point, every position asks for it again, and each move elsewhere would be charged for the same points.
"""

from collections.abc import Sequence
from dataclasses import dataclass

NEVER = 0  # no move's number
NOTHING = 0.75  # points: what loses less is as good, as far as a review can tell


@dataclass(frozen=True)
class Omission:
    """One move as far as omissions are concerned."""

    color: int
    point: int
    loss: float  # points, by the positions before and after it
    missed: int | None  # the better move; None: there was none


@dataclass(frozen=True)
class Charge:
    """What a move is charged for."""

    loss: float  # points that were not charged to its player before
    since: int  # the number of its player's move that was charged for the same point, NEVER where there is none


def charges(moves: Sequence[Omission]) -> list[Charge]:
    """A charge for each of a game's moves in order, the first of which has the number 1."""
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
