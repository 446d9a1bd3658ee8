"""Playout policies: how the next move of a playout is chosen."""

import numpy as np

from gtp_engine.go.eyes import is_eye
from gtp_engine.go.points import PASS
from gtp_engine.go.position import EMPTY_NEIGHBOR, would_be_suicide
from gtp_engine.jit import inner

POLICY = np.dtype(
    [
        ("heavy", np.int32),  # 1: suggestions first, then uniform; 0: uniform only
    ],
    align=True,
)
LIGHT, HEAVY = 0, 1

RANDOM_SHIFT = np.uint64(32)


@inner
def random_below(position, count):
    """A uniform number in 0 .. count-1 from the position's own xorshift64 generator (Marsaglia 2003)."""
    state = position.random
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    position.random = state
    return np.int64(((state >> RANDOM_SHIFT) * np.uint64(count)) >> RANDOM_SHIFT)


@inner
def is_playable(position, point, color):
    """May a playout play here: empty point, legal, no suicide and no own eye."""
    if position.neighbors[point] >= EMPTY_NEIGHBOR:
        return True  # an empty neighbour: a liberty, so no suicide; no eye; and no ko, which is fought in a closed mouth
    return point != position.ko_point and not is_eye(position, point, color) and not would_be_suicide(position, point, color)


@inner
def uniform_move(position, color):
    """A move of `color`, uniform over all playable points; PASS when there is none.

    Draws from the empty points and moves the unplayable ones behind the end of the draw, so each playable point is as likely as any
    other. The order of empty_points changes, its contents don't.
    """
    untried = np.int64(position.empty_count)
    while untried > 0:
        i = random_below(position, untried)
        point = np.int64(position.empty_points[i])
        if is_playable(position, point, color):
            return point
        untried -= 1
        last = position.empty_points[untried]
        position.empty_points[i] = last
        position.empty_index[last] = i
        position.empty_points[untried] = point
        position.empty_index[point] = untried
    return PASS

