"""The leaf: the position that an evaluator judges.

A search fills it at the end of a walk, game_leaf.py from a game, and training from the moves of a record.
"""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.playout.survey import SURVEY
from gtp_engine.go.game import TURN_HASH as TURN
from gtp_engine.go.points import BLACK, NO_POINT, POINTS, WHITE
from gtp_engine.go.position import ADJACENT, POSITION, ZOBRIST, in_atari, play_move, touches, would_be_suicide

HISTORY = 5  # recent moves that an evaluator may use
EARLIER = 2  # earlier positions that it may use
TURN_HASH = np.uint64(TURN)
NO_SUPERKO, POSITIONAL, SITUATIONAL = 0, 1, 2  # LEAF.superko, SHARED.superko
SEEN_WORDS = 64  # of 64 bits
BIT_OF = np.uint64(64 * SEEN_WORDS - 1)  # the part of a hash that is the index of its bit

LEAF = np.dtype(
    [
        ("position", POSITION),
        ("before", POSITION, (EARLIER,)),  # the positions one and two moves before; where there were fewer, the first one
        ("moves", np.int64, (HISTORY,)),  # that led to the position, the last one first; NO_POINT for missing ones
        ("turns", np.int32),  # the number of `moves` that alternate, the last one by the opponent of the side to move
        ("is_root", np.int32),  # 1: the position of the question itself; 0: a search reached it from there
        ("komi", np.float64),  # White's points, handicap compensation included
        ("superko", np.int32),  # NO_SUPERKO, POSITIONAL or SITUATIONAL
        ("suicide", np.int32),  # 1: the rules allow suicide
        ("is_territory", np.int32),  # 1: territory and prisoners are counted; 0: area
        ("counts_area", np.int32),  # 1: the lead is counted if a network is sure of all owners; 0: it is the network's own
        ("all_alive", np.int32),  # 1: two passes end the game with every stone alive; 0: dead stones are judged by a playout
        ("banned", np.uint8, (POINTS,)),  # [P] 1: superko forbids the side to move to play there; the simple ko is position.ko_point
        ("may_turn", np.int32),  # 1: features choose `symmetry` at random
        ("symmetry", np.int32),  # 0..7: how the board is turned for a network, see network.symmetry.transformed
        ("survey", SURVEY),  # playouts from the position, if any, and proved fights
        ("playout_share", np.float64),  # the playouts' share of the answer's win and lead
    ],
    align=True,
)


# ---------------------------------------------------------------- superko


@inner
def situation_of(position, superko):
    """The hash of the situation that must not be repeated under this superko. game.situation_hash is the same in Python."""
    if superko == SITUATIONAL and position.to_play == WHITE:
        return position.hash ^ TURN_HASH
    return position.hash


@inner
def chain_hash(position, point):
    """ZOBRIST over the chain on `point`."""
    color = position.color[point]
    combined = np.uint64(0)
    stone = np.int64(point)
    while True:
        combined ^= ZOBRIST[color, stone]
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            return combined


@inner
def hash_after(position, point, color, is_suicide):
    """The hash of the stones after a move on this empty point, including captures or the suicide."""
    taken = color if is_suicide else WHITE + BLACK - color
    after = position.hash if is_suicide else position.hash ^ ZOBRIST[color, point]
    for d in range(4):
        neighbor = point + ADJACENT[d]
        if position.color[neighbor] != taken or not in_atari(position, neighbor):
            continue
        is_first = True
        for e in range(d):
            other = point + ADJACENT[e]
            is_first &= not (position.color[other] == taken and position.chain[other] == position.chain[neighbor])
        if is_first:
            after ^= chain_hash(position, neighbor)
    return after


@inner
def was_there(now, situations, path):
    """True if this situation occurred before, in the game or on the path of the walk."""
    for i in range(len(situations)):
        if situations[i] == now:
            return True
    for i in range(len(path)):
        if path[i] == now:
            return True
    return False


@inner
def note_situations(situations, bits):
    """Set the bit of each situation."""
    for i in range(len(situations)):
        bit = situations[i] & BIT_OF
        bits[np.int64(bit >> np.uint64(6))] |= np.uint64(1) << (bit & np.uint64(63))


@inner
def find_bans(leaf, situations, path, bits):
    """Fill leaf.banned. `situations` are those of the game, `path` those of the walk; `bits` [SEEN_WORDS] uint64 is overwritten."""
    position = leaf.position
    color = np.int64(position.to_play)
    leaf.banned[:] = 0
    if leaf.superko == NO_SUPERKO or position.captures[BLACK] + position.captures[WHITE] == 0:
        return
    bits[:] = np.uint64(0)
    note_situations(situations, bits)
    note_situations(path, bits)
    turn = TURN_HASH if leaf.superko == SITUATIONAL and color == BLACK else np.uint64(0)  # White is to play afterwards
    for i in range(position.empty_count):
        point = np.int64(position.empty_points[i])
        is_suicide = would_be_suicide(position, point, color)
        if point == position.ko_point or (is_suicide and not (leaf.suicide == 1 and touches(position, point, color))):
            continue
        now = hash_after(position, point, color, is_suicide) ^ turn
        bit = now & BIT_OF
        if (bits[np.int64(bit >> np.uint64(6))] >> (bit & np.uint64(63))) & np.uint64(1) and was_there(now, situations, path):
            leaf.banned[point] = 1


# ---------------------------------------------------------------- of a search


@inner
def note_moves(nodes, shared, path, length, leaf):
    """Fill leaf.moves and leaf.turns for the node at the end of the path, which has `length` nodes from the root on."""
    depth = max(length - 1, 0)
    for i in range(HISTORY):
        leaf.moves[i] = nodes[path[depth - i]].move if i < depth else shared.root_moves[i - depth]
    turns = 0
    while turns < HISTORY and leaf.moves[turns] != NO_POINT and turns - depth < shared.root_turns:
        turns += 1
    leaf.turns = turns


@inner
def note_earlier(nodes, shared, path, length, leaf):
    """Fill leaf.before by playing the moves of the path again."""
    depth = max(length - 1, 0)
    for back in range(1, EARLIER + 1):
        board = leaf.before[back - 1]
        if depth < back:
            copy_record(board, shared.before[back - depth - 1])
            continue
        copy_record(board, shared.root)
        for i in range(1, depth - back + 1):
            play_move(board, np.int64(nodes[path[i]].move), np.int64(board.to_play))


@inner
def fill_leaf(nodes, shared, workspace, situations):
    """Fill the rest of workspace.leaf at the end of a walk; its moves and survey.proved_fights are filled already."""
    leaf = workspace.leaf
    copy_record(leaf.position, workspace.position)
    note_earlier(nodes, shared, workspace.path, workspace.length, leaf)
    leaf.is_root = workspace.length <= 1
    leaf.komi, leaf.superko, leaf.suicide = shared.komi, shared.superko, shared.suicide
    leaf.is_territory, leaf.counts_area, leaf.all_alive = shared.is_territory, shared.is_territory == 0, shared.all_alive
    leaf.may_turn, leaf.symmetry, leaf.playout_share = shared.params.symmetry, 0, shared.params.playout_share
    find_bans(leaf, situations, workspace.situations[: workspace.length], workspace.seen)


# ---------------------------------------------------------------- of a game


@entry
def ban_repetitions(leaves, situations):
    """find_bans of leaves[0], [1] LEAF, in a game with these situations."""
    find_bans(leaves[0], situations, situations[:0], np.empty(SEEN_WORDS, np.uint64))
