"""What a thread needs to see a position for a KataGo network: boards to try moves on, and the ladders of positions seen before."""

import numpy as np

from gtp_engine.go.points import POINTS
from gtp_engine.go.position import POSITION

MOST_CHOICES = 64  # places in one chase where a side still has another move to try; with more of them it counts as an escape
MOST_MOVES = 16  # of one side in a chase: captures, and the last liberty of the chain that is chased
MOST_REGIONS = 200  # of one board, walled in by one color: fewer than half of its points
KEPT_LADDERS = 4096  # positions
WORDS = (POINTS + 63) // 64

LADDERS = np.dtype([("key", np.uint64), ("points", np.uint64, (WORDS,))], align=True)  # a bit for each point with a stone in a ladder
CHOICE = np.dtype(
    [
        ("position", POSITION),  # before any of the moves
        ("moves", np.int32, (MOST_MOVES,)),
        ("count", np.int32),  # of `moves`
        ("next", np.int32),  # the first that was not tried
        ("is_defender", np.int32),  # 1: they are the moves of the chain's owner
    ],
    align=True,
)
REGION = np.dtype(
    [
        ("start", np.int32),  # in `members`
        ("count", np.int32),
        ("inner", np.int32),  # points that touch no own stone; 2: two or more
        ("has_opponent", np.int32),
        ("is_unsafe", np.int32),  # 1: a chain around it can be taken
        ("vital_count", np.int32),
        ("vital", np.int32, (4,)),  # the chains that each of its empty points touches
    ],
    align=True,
)
SCRATCH = np.dtype(
    [
        ("chase", POSITION),  # where a chase is played out
        ("choice", CHOICE, (MOST_CHOICES,)),
        ("moves", np.int32, (MOST_MOVES,)),  # of the position in `chase`
        ("ladder", np.uint8, (POINTS,)),  # [P] 1: a stone caught in a ladder
        ("working", np.uint8, (POINTS,)),  # [P] 1: a move that catches a chain of the opponent with two liberties
        ("kept", LADDERS, (KEPT_LADDERS,)),
        ("suicide", np.int32),  # 1: areas are found as if suicide were allowed, whatever the rules say: the network learned it so
        ("area", np.uint8, (POINTS,)),  # [P] whose point it is, see area.py
        ("members", np.int32, (POINTS,)),  # the points of the regions, one region after the other
        ("region_at", np.int32, (POINTS,)),  # [P] NO_REGION, or which region
        ("region", REGION, (MOST_REGIONS,)),
        ("vital_regions", np.int32, (POINTS,)),  # [P] by chain: how many regions are vital to it
        ("is_taken", np.uint8, (POINTS,)),  # [P] by chain: 1: it can be taken
    ],
    align=True,
)
