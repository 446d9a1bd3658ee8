"""What a human network is told of a game: who plays, how fast, when and where. Facts of the format; the numbers' scales are KataGo's."""

import math
from datetime import date

import numpy as np

from gtp_engine.network.katago.model import METADATA
from gtp_engine.rank_names import read_rank

STRONGEST, WEAKEST = read_rank("9d"), read_rank("20k")  # that such networks know

OWN_HUMAN, OPPONENT_HUMAN = 0, 1
OWN_RANK, OPPONENT_RANK, RANK_PLACES = 6, 40, 34  # 1 at the first n places: 9d is one place, 1d nine, 1k ten
UNRATED = 74
BYO_YOMI = 79  # of seven kinds of clocks
MAIN_TIME, PERIOD_TIME, PERIODS, CANADIAN_MOVES = 82, 83, 84, 85
BOARD_AREA = 86
DATE, DATE_WAVES, SHORTEST_WAVE, LONGEST_RATIO = 87, 32, 7.0, 80_000.0  # cosine and sine of the day, by waves from a week on
SOURCE, KGS = 151, 2

# the usual game that ranks are meant of: on KGS, 20 minutes and five periods of 30 seconds, spring 2020
MAIN_SECONDS, PERIOD_SECONDS, PERIOD_COUNT = 1200.0, 30.0, 5
DAY = date(2020, 3, 1)


def players_of(rank: int, points: int) -> np.ndarray:
    """float32 [METADATA]: two persons of this rank, see rank_names, on a board of so many points. Raises ValueError for an unknown rank."""
    if not WEAKEST <= rank <= STRONGEST:
        raise ValueError("human networks know ranks from 20k to 9d")
    told = np.zeros(METADATA, np.float32)
    told[[OWN_HUMAN, OPPONENT_HUMAN, BYO_YOMI, SOURCE + KGS]] = 1.0
    places = STRONGEST + 1 - rank
    told[OWN_RANK : OWN_RANK + places] = told[OPPONENT_RANK : OPPONENT_RANK + places] = 1.0
    told[UNRATED] = 0.5  # not known
    told[MAIN_TIME] = 0.4 * (math.log(MAIN_SECONDS + 60.0) - 6.5)
    told[PERIOD_TIME] = 0.3 * (math.log(PERIOD_SECONDS + 1.0) - 3.0)
    told[PERIODS] = 0.5 * (math.log(PERIOD_COUNT + 2.0) - 1.5)
    told[CANADIAN_MOVES] = 0.25 * (math.log(2.0) - 1.5)
    told[BOARD_AREA] = 0.5 * math.log(points / 361.0)
    days = (DAY - date(1970, 1, 1)).days
    waves = 2.0 * math.pi * days / (SHORTEST_WAVE * LONGEST_RATIO ** (np.arange(DATE_WAVES) / (DATE_WAVES - 1)))
    told[DATE : DATE + 2 * DATE_WAVES : 2], told[DATE + 1 : DATE + 2 * DATE_WAVES : 2] = np.cos(waves), np.sin(waves)
    return told
