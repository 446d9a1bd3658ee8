"""How much a player of each rank keeps to the likely moves. Plain data."""

from gtp_engine.rank_names import STRONGEST_DAN, STRONGEST_LEARNED, WEAKEST_LEARNED

PLAIN_RANK = 15  # 15k: moves are drawn by the chances as they are
SHARPER_EACH_RANK = 0.075  # 7k then won 43 of 60 against 15k; people win 85 % over eight ranks: docs/ranks.md


def sharpness_of(rank: int) -> float:
    """The exponent of the chances of moves for this rank, by its number: above 1, unlikely moves are played less often than people do.

    Drawing by the chances alone makes a player weaker than people: a person doesn't choose one move in fifty at random. Raises ValueError
    for a rank that nobody has learned.
    """
    if not WEAKEST_LEARNED <= rank <= STRONGEST_LEARNED:
        raise ValueError("ranks are from 20k to 3d: of others there are too few games to learn from")
    return 1.0 + SHARPER_EACH_RANK * (rank - PLAIN_RANK)


def check_human_rank(rank: int) -> None:
    """Raise ValueError for a rank, by its number, that human networks of KataGo's don't know."""
    if not WEAKEST_LEARNED <= rank <= STRONGEST_DAN:
        raise ValueError("human networks know ranks from 20k to 9d")
