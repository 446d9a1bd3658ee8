"""The strength of a player of each rank: three numbers. Plain data."""

from dataclasses import dataclass

from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED

PLAIN_RANK = 15  # 15k: moves are drawn by the chances as they are
# Chosen, and how care grows, so that players win as often as people who are as many ranks apart; what was tried: docs/lab/parameters.md
SHARPER_EACH_RANK, SHARPER_EACH_RANK_BELOW = 0.055, 0.035  # above and below PLAIN_RANK
EVEN_RANK, EVEN_CARE = 22, 2.0  # 8k: even with GNU Go, as people of that rank are; below it care falls evenly to 0 at PLAIN_RANK
MORE_CARE_EACH_RANK = 1.27  # times, above it up to FIRST_DAN
FIRST_DAN, MORE_CARE_EACH_DAN = 30, 1.2
FEWEST_VISITS = 32  # of the search that compares the moves which come to mind
DEEPER_RANK, MORE_VISITS_EACH_RANK = 26, 12  # 4k: above it a player searches deeper, by so many simulations each rank
# Ranks that measured weaker than the line through all of them are played as if so many ranks stronger: 3k was no better than 4k
SHORT_OF_LINE = {27: 0.8}


@dataclass(frozen=True)
class Strength:
    """The parameters for drawing a move from the probabilities that a person of the rank plays it."""

    sharpness: float  # exponent of the chances: above 1, unlikely moves are played less often than people do
    care: float  # a move that loses 0.1 of win rate more is played exp(care / 10) times less often; 0: nothing is read
    visits: int = FEWEST_VISITS  # simulations of the search that finds what moves lose


def strength_of(rank: int) -> Strength:
    """Of a rank, by its number.

    Drawing by the chances alone makes a player weaker than people: a person doesn't choose one move in fifty at random, and reads a
    little. Raises ValueError for a rank that nobody has learned.
    """
    if not WEAKEST_LEARNED <= rank <= STRONGEST_LEARNED:
        raise ValueError("ranks are from 20k to 3d: there are too few games of other ranks to learn from")
    place = rank + SHORT_OF_LINE.get(rank, 0.0)
    above_plain = place - PLAIN_RANK
    if place < EVEN_RANK:
        care = max(0.0, EVEN_CARE * above_plain / (EVEN_RANK - PLAIN_RANK))
    else:
        care = EVEN_CARE * MORE_CARE_EACH_RANK ** (min(place, FIRST_DAN) - EVEN_RANK) * MORE_CARE_EACH_DAN ** max(0, place - FIRST_DAN)
    visits = round(FEWEST_VISITS + MORE_VISITS_EACH_RANK * max(0, place - DEEPER_RANK))
    sharper = SHARPER_EACH_RANK if above_plain > 0 else SHARPER_EACH_RANK_BELOW
    return Strength(1.0 + sharper * above_plain, care, visits)
