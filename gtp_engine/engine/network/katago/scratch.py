"""A thread's scratch space for encoding positions: boards to try moves on, and the ladders of earlier positions."""

import numpy as np

from gtp_engine.go.points import POINTS
from gtp_engine.go.position import POSITION

MOST_CHOICES = 64  # nodes of one ladder at which a side has another move to try; with more, it counts as an escape
MOST_MOVES = 16  # of one side in a ladder: captures, and the last liberty of the chain
MOST_REGIONS = 200  # of one board, enclosed by one color: fewer than half of its points
KEPT_LADDERS = 4096  # positions whose ladders are kept
WORDS = (POINTS + 63) // 64

LADDERS = np.dtype([("key", np.uint64), ("points", np.uint64, (WORDS,))], align=True)  # a bit for each point with a stone in a ladder
CHOICE = np.dtype(
    [
        ("position", POSITION),  # before any of the moves
        ("moves", np.int32, (MOST_MOVES,)),
        ("count", np.int32),  # of `moves`
        ("next", np.int32),  # the first untried one
        ("is_defender", np.int32),  # 1: they are the moves of the chain's owner
    ],
    align=True,
)
REGION = np.dtype(
    [
        ("start", np.int32),  # in `members`
        ("count", np.int32),
        ("inner", np.int32),  # points that touch no own stone; 2 stands for two or more
        ("has_opponent", np.int32),
        ("is_unsafe", np.int32),  # 1: a chain around it can be taken
        ("vital_count", np.int32),
        ("vital", np.int32, (4,)),  # the chains that each of its empty points touches
    ],
    align=True,
)
SCRATCH = np.dtype(
    [
        ("chase", POSITION),  # where a ladder is played out
        ("choice", CHOICE, (MOST_CHOICES,)),
        ("moves", np.int32, (MOST_MOVES,)),  # of the position in `chase`
        ("ladder", np.uint8, (POINTS,)),  # [P] 1: a stone caught in a ladder
        ("working", np.uint8, (POINTS,)),  # [P] 1: a move that catches a chain of the opponent with two liberties
        ("kept", LADDERS, (KEPT_LADDERS,)),
        ("suicide", np.int32),  # 1: areas are computed as if suicide were allowed, whatever the rules, as in the network's training
        ("area", np.uint8, (POINTS,)),  # [P] the owner of the point, see area.py
        ("members", np.int32, (POINTS,)),  # the points of the regions, one region after the other
        ("region_at", np.int32, (POINTS,)),  # [P] the index of the region, or NO_REGION
        ("region", REGION, (MOST_REGIONS,)),
        ("vital_regions", np.int32, (POINTS,)),  # [P] by chain: the number of regions that are vital to it
        ("is_taken", np.uint8, (POINTS,)),  # [P] by chain: 1 if it can be taken
    ],
    align=True,
)
