"""How far a person of each rank reads: how many moves come to mind, and how long they are compared. Plain data."""

from dataclasses import dataclass

WEAKEST, STRONGEST = 10, 32  # 20k and 3d as numbers, see rank_names: of others there are too few games to learn from


@dataclass(frozen=True)
class Reading:
    """How a rank chooses among the moves that come to mind."""

    moves: float  # that come to mind, in the mean; 1: the first one is played
    simulations: int  # of the search that compares them


# Without comparing, ranks that are eight apart win like ranks that are two or three apart: people of a higher rank read more, which a
# policy does not. docs/levels.md has the measurement.
FIRST_READER = 10  # up to this rank the first move that comes to mind is played
MOVES_A_RANK = 0.25
SIMULATIONS_A_MOVE = 24  # enough to tell the better of two, as in levels/table.py


def reading_of(rank: int) -> Reading:
    """What a person of this rank does, by its number. Raises ValueError for one that nobody has learned."""
    if not WEAKEST <= rank <= STRONGEST:
        raise ValueError("ranks are from 20k to 3d: of others there are too few games to learn from")
    moves = 1.0 + MOVES_A_RANK * max(rank - FIRST_READER, 0)
    return Reading(moves, round(SIMULATIONS_A_MOVE * moves))
