"""Games of records replayed by compiled code."""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.engine.search.leaf import HISTORY
from gtp_engine.go.points import NO_POINT, PASS, STRIDE
from gtp_engine.go.position import clear_position, legality, play_any_move


@inner
def point_of(move, size):
    """The point, or PASS, of a move of a record. Like go.places.point_of in Python, but values off the board are also a pass."""
    if move >= size * size:
        return PASS
    return (size - move // size) * STRIDE + move % size + 1


@inner
def replay(position, moves, count, size, recent):
    """Play the first `count` moves on an empty board; returns the number of moves played, up to the first illegal one."""
    clear_position(position, size)
    recent[:] = NO_POINT
    for i in range(count):
        if not is_playable(position, np.int64(moves[i]), size):
            return i
        point = point_of(np.int64(moves[i]), size)
        play_any_move(position, point, position.to_play)
        for k in range(HISTORY - 1, 0, -1):
            recent[k] = recent[k - 1]
        recent[0] = point
    return count


@inner
def is_playable(position, move, size):
    """True if a move of a record is on the board and legal, without superko and with suicide of several stones allowed."""
    return move <= size * size and legality(position, point_of(move, size), position.to_play, True) == 0
