"""A human network's input about a game: who plays, how fast, when and where. Numbers and scales are those of KataGo's format."""

import math
from datetime import date
from functools import cache

import numpy as np

from gtp_engine.engine.network.human_profile import KGS, STRONGEST, HumanProfile, rank_profile
from gtp_engine.engine.network.katago.model import METADATA
from gtp_engine.go.points import BLACK
from gtp_engine.go.rank_names import UNKNOWN_RANK

OWN_HUMAN, OPPONENT_HUMAN = 0, 1
OWN_RANK, OPPONENT_RANK, RANK_PLACES = 6, 40, 34  # 1 at the first n places: 9d is one place, 1d nine, 1k ten
UNRATED = 74
UNKNOWN_CLOCK, BYO_YOMI = 75, 79  # of seven kinds of clocks
MAIN_TIME, PERIOD_TIME, PERIODS, CANADIAN_MOVES = 82, 83, 84, 85
BOARD_AREA = 86
DATE, DATE_WAVES, SHORTEST_WAVE, LONGEST_RATIO = 87, 32, 7.0, 80_000.0  # cosine and sine of the day, by waves from a week on
SOURCE = 151

MAIN_SECONDS, PERIOD_SECONDS, PERIOD_COUNT = 1200.0, 30.0, 5  # the usual game on KGS, whose ranks are used


def players_of(profile: HumanProfile, color: int, points: int) -> np.ndarray:
    """float32 [METADATA]: the players of a profile, `color` to move, on a board of so many points."""
    metadata = np.zeros(METADATA, np.float32)
    metadata[[OWN_HUMAN, OPPONENT_HUMAN, SOURCE + profile.source]] = 1.0
    for start, rank in zip((OWN_RANK, OPPONENT_RANK), profile.ranks(color), strict=True):
        metadata[start : start + STRONGEST + 1 - rank] = 1.0
    is_online = profile.source == KGS  # otherwise a game of professionals, without a known clock
    metadata[UNRATED] = 0.5 if is_online else 0.0  # 0.5: not known
    metadata[BYO_YOMI if is_online else UNKNOWN_CLOCK] = 1.0
    main, period, count = (MAIN_SECONDS, PERIOD_SECONDS, PERIOD_COUNT) if is_online else (0.0, 0.0, 0)
    metadata[MAIN_TIME] = 0.4 * (math.log(main + 60.0) - 6.5)
    metadata[PERIOD_TIME] = 0.3 * (math.log(period + 1.0) - 3.0)
    metadata[PERIODS] = 0.5 * (math.log(count + 2.0) - 1.5)
    metadata[CANADIAN_MOVES] = 0.25 * (math.log(2.0) - 1.5)
    metadata[BOARD_AREA] = 0.5 * math.log(points / 361.0)
    days = (profile.day - date(1970, 1, 1)).days
    waves = 2.0 * math.pi * days / (SHORTEST_WAVE * LONGEST_RATIO ** (np.arange(DATE_WAVES) / (DATE_WAVES - 1)))
    metadata[DATE : DATE + 2 * DATE_WAVES : 2], metadata[DATE + 1 : DATE + 2 * DATE_WAVES : 2] = np.cos(waves), np.sin(waves)
    return metadata


@cache
def players_of_rank(rank: int, points: int) -> np.ndarray:
    """players_of for two persons of this rank; zeros for UNKNOWN_RANK. Raises ValueError for a rank that human networks don't know."""
    if rank == UNKNOWN_RANK:
        return np.zeros(METADATA, np.float32)
    return players_of(rank_profile(rank), BLACK, points)
