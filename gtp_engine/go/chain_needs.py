"""What the chains of a position need: captures, escapes, ladders, and the vital point of an eye space just made.

They are computed once for a position, in one pass over its chains, for the tree's priors and the move model. Playouts have no time for a
whole board; they use go/tactics.py for the chains around the last move.
"""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.go.nakade import LARGEST_SPACE, vital_move
from gtp_engine.go.points import BLACK, MAX_SIZE, NO_POINT, PASS, POINTS, STRIDE, WHITE
from gtp_engine.go.position import in_atari, single_liberty
from gtp_engine.go.tactics import MANY, capture_beside, is_caught, is_caught_after, liberties_after, liberties_of

MOST_NEEDS = MAX_SIZE * MAX_SIZE  # chains with one or two liberties, at most one a point

NEED = np.dtype(
    [
        ("chain", np.uint16),  # the chain's name, one of its points
        ("stones", np.uint16),  # its size
        ("first", np.uint16),  # its liberty, or the first of two
        ("second", np.uint16),  # the other one; NO_POINT for a chain in atari
        ("capture", np.uint16),  # own chain in atari: where a capture saves it, or NO_POINT
        ("is_own", np.uint8),  # 1: of the side to move
        ("liberties", np.uint8),  # 1 or 2
        ("after", np.uint8),  # own chain in atari: liberties after it extends, counted up to MANY
        ("is_caught", np.uint8),  # own chain in atari: 1 if it is lost in a ladder even if it moves first
        ("first_catches", np.uint8),  # two liberties: 1 if the opponent of the chain catches it in a ladder by playing on `first`
        ("second_catches", np.uint8),  # the same on `second`; for own chains both are 0 without `asks_danger`
    ],
    align=True,
)

CHAIN_NEEDS = np.dtype(
    [
        ("count", np.int32),  # of `need`
        ("is_known", np.int32),  # 1 if the record is about the current position; code that changes the position sets it to 0
        ("vital", np.int32),  # the vital move that nakade.vital_move finds, or NO_POINT
        ("space", np.uint16, (LARGEST_SPACE,)),  # scratch of vital_move
        ("need", NEED, (MOST_NEEDS,)),  # the first `count` are valid, in the order of their chains' names
    ],
    align=True,
)


@inner
def set_atari(need, position, scratch, point):
    """The need of the chain in atari on `point`."""
    liberty = single_liberty(position.liberties[position.chain[point]])
    need.liberties = 1
    need.first, need.second = liberty, NO_POINT
    need.capture, need.after, need.is_caught = NO_POINT, 0, 0
    need.first_catches, need.second_catches = 0, 0
    if need.is_own == 0:
        return
    need.capture = capture_beside(position, point)
    need.after = liberties_after(position, liberty, position.to_play, MANY)
    if need.after < MANY:  # with more, no ladder works
        need.is_caught = is_caught(position, scratch, point)


@inner
def set_two_liberties(need, position, scratch, point, first, second, asks_danger):
    """The need of the chain on `point`, whose liberties are `first` and `second`."""
    need.liberties = 2
    need.first, need.second = first, second
    need.capture, need.after, need.is_caught = NO_POINT, 0, 0
    need.first_catches, need.second_catches = 0, 0
    if need.is_own == 0:
        need.first_catches = is_caught_after(position, scratch, point, first)
        need.second_catches = is_caught_after(position, scratch, point, second)
    elif asks_danger:
        need.first_catches = is_caught_after(position, scratch, point, first)
        need.second_catches = need.first_catches == 0 and is_caught_after(position, scratch, point, second)  # one is danger enough


@inner
def find_chain_needs(position, needs, scratch, asks_danger):
    """Fill `needs`, a CHAIN_NEEDS, for the side to move in `position`; overwrites `scratch`, another POSITION.

    `asks_danger`: also whether own chains of two liberties would be caught in a ladder if the opponent moved first.
    """
    needs.count, needs.is_known = 0, 1
    for point in range(STRIDE, POINTS - STRIDE):
        color = position.color[point]
        if (color != BLACK and color != WHITE) or position.chain[point] != point:
            continue
        is_atari = in_atari(position, point)
        liberties, first, second = 1, NO_POINT, NO_POINT
        if not is_atari:
            liberties, first, second = liberties_of(position, point)
            if liberties != 2:
                continue
        need = needs.need[needs.count]
        needs.count += 1
        need.chain, need.stones = point, position.chain_size[point]
        need.is_own = color == position.to_play
        if is_atari:
            set_atari(need, position, scratch, point)
        else:
            set_two_liberties(need, position, scratch, point, first, second, asks_danger)
    needs.vital = NO_POINT
    if position.last_move != NO_POINT and position.last_move != PASS:
        needs.vital = vital_move(position, position.to_play, needs.space)


@inner
def escapes(need, position, reads_ladders):
    """True if extending the own chain in atari helps. Without `reads_ladders`, an escape into a ladder counts too."""
    if need.first == position.ko_point:
        return False
    return need.after >= MANY or (need.after == 2 and not (reads_ladders and need.is_caught))
