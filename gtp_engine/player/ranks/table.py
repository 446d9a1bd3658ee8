"""How far a person of each rank reads: how many moves come to mind, and how long they are compared. Plain data."""

from dataclasses import dataclass

from gtp_engine.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED


@dataclass(frozen=True)
class RankReading:
    """How a rank chooses among the moves that come to mind."""

    moves: float  # that come to mind, in the mean; 1: the first one is played
    simulations: int  # of the search that compares them
    sharpness: float = 1.0  # exponent of the chances: above 1, unlikely moves come to mind less often than people play them


# Without comparing, ranks that are eight apart win like ranks that are two or three apart: people of a higher rank read more, which a
# policy does not. docs/levels.md has the measurement.
FIRST_READER = 10  # up to this rank the first move that comes to mind is played
MOVES_A_RANK = 0.25
SIMULATIONS_A_MOVE = 24  # enough to tell the better of two, as in levels/table.py


def reading_of(rank: int) -> RankReading:
    """What a person of this rank does, by its number. Raises ValueError for one that nobody has learned."""
    if not WEAKEST_LEARNED <= rank <= STRONGEST_LEARNED:
        raise ValueError("ranks are from 20k to 3d: of others there are too few games to learn from")
    moves = 1.0 + MOVES_A_RANK * max(rank - FIRST_READER, 0)
    return RankReading(moves, round(SIMULATIONS_A_MOVE * moves))
