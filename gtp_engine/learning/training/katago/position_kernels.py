"""Positions reached by moves of a record, put where a search would have them: for networks that see leaves of searches."""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.search.walk import situation_of
from gtp_engine.engine.search.workspace import EARLIER, HISTORY
from gtp_engine.go.points import NO_POINT
from gtp_engine.go.position import clear_position, legality, play_any_move
from gtp_engine.learning.training.sampler_kernels import point_of


@inner
def place_is_legal(record, place, size):
    """May the side to move at the root play here, superko left aside? `place`: row * size + column, size * size for a pass."""
    return place <= size * size and legality(record.root, point_of(place, size), record.root.to_play, record.suicide == 1) == 0


@entry
def stand_at(shared, workspaces, slot, size, moves, situations):
    """Put the root, its history and workspaces[slot] where `moves`, places, lead from the empty board; Black begins, colors alternate.

    `shared` [1] SHARED with the rules set. `situations` [len(moves) + 1] uint64 gets what superko forbids. Gives back how many moves were
    played: fewer than there are when one is illegal; superko isn't looked at. The workspace's random numbers stay as they are.
    """
    record, workspace = shared[0], workspaces[slot]
    root, random = record.root, workspace.position.random
    clear_position(root, size)
    for back in range(EARLIER):
        copy_record(record.before[back], root)
    record.root_moves[:] = NO_POINT
    situations[0] = situation_of(root, record.superko)
    count = 0
    while count < len(moves) and place_is_legal(record, np.int64(moves[count]), size):
        if len(moves) - count <= EARLIER:
            copy_record(record.before[len(moves) - count - 1], root)
        point = point_of(np.int64(moves[count]), size)
        play_any_move(root, point, root.to_play)
        for k in range(HISTORY - 1, 0, -1):
            record.root_moves[k] = record.root_moves[k - 1]
        record.root_moves[0] = point
        count += 1
        situations[count] = situation_of(root, record.superko)
    record.root_turns = min(count, HISTORY)
    root.passes = min(root.passes, 1)
    copy_record(workspace.position, root)
    workspace.position.random = random
    workspace.length = 0
    workspace.recent_moves[:] = record.root_moves
    return count


@entry
def list_legal(shared, legal):
    """legal[place] = 1 for each legal move of the root, [S * S + 1], the pass included; superko isn't looked at."""
    record = shared[0]
    size = np.int64(record.root.board_size)
    for place in range(size * size + 1):
        legal[place] = 1 if place_is_legal(record, place, size) else 0
