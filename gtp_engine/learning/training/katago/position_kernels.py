"""Leaves reached by moves of a record."""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.search.leaf import EARLIER, HISTORY, SEEN_WORDS, find_bans, situation_of
from gtp_engine.go.points import NO_POINT
from gtp_engine.go.position import clear_position, legality, play_any_move
from gtp_engine.learning.training.record_kernels import point_of


@inner
def place_is_legal(leaf, place, size):
    """True if the side to move may play here, apart from superko. `place`: row * size + column, size * size for a pass."""
    return place <= size * size and legality(leaf.position, point_of(place, size), leaf.position.to_play, leaf.suicide == 1) == 0


@inner
def begin_at(leaf, position):
    """Let the game begin with this position: nothing was played before."""
    position.passes = 0
    position.ko_point = NO_POINT
    for back in range(EARLIER):
        copy_record(leaf.before[back], position)
    leaf.moves[:] = NO_POINT


@entry
def stand_at(leaves, size, moves, placed, situations):
    """Set leaves[0], [1] LEAF with its rules set, to the position after `moves`, places, from the empty board. Colors alternate from Black
    on. The game begins after the first `placed` moves, which stand for set-up stones.

    `situations` [len(moves) + 1] uint64 is overwritten. Returns the number of moves played, up to the first illegal one; ignores superko.
    The position's random state doesn't change.
    """
    leaf = leaves[0]
    position, random = leaf.position, leaf.position.random
    clear_position(position, size)
    begin_at(leaf, position)
    situations[0] = situation_of(position, leaf.superko)
    count = 0
    while count < len(moves) and place_is_legal(leaf, np.int64(moves[count]), size):
        if len(moves) - count <= EARLIER:
            copy_record(leaf.before[len(moves) - count - 1], position)
        point = point_of(np.int64(moves[count]), size)
        play_any_move(position, point, position.to_play)
        for k in range(HISTORY - 1, 0, -1):
            leaf.moves[k] = leaf.moves[k - 1]
        leaf.moves[0] = point
        count += 1
        if count == placed:
            begin_at(leaf, position)
        situations[count] = situation_of(position, leaf.superko)
    leaf.turns = min(max(count - placed, 0), HISTORY)
    leaf.is_root = 1
    position.passes = min(position.passes, 1)
    position.random = random
    find_bans(leaf, situations[placed:], situations[:0], np.empty(SEEN_WORDS, np.uint64))
    return count


@entry
def list_legal(leaves, legal):
    """Set legal[place], [S * S + 1], to 1 for each legal move of leaves[0], including the pass."""
    leaf = leaves[0]
    size = np.int64(leaf.position.board_size)
    for place in range(size * size + 1):
        is_banned = place < size * size and leaf.banned[point_of(place, size)] == 1
        legal[place] = 1 if not is_banned and place_is_legal(leaf, place, size) else 0
