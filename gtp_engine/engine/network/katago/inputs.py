"""What KataGo's networks see, their features of version 7: planes, one number a point, and other numbers.

Planes, float32 [22, S, S], row 0 at the top, all of them turned by the workspace's symmetry: ON_BOARD; OWN, OPPONENT stones; stones with 1
to 3 LIBERTIES; where KO or superko forbids a move; 7 and 8 are of no use in our rules; the RECENT five moves; stones caught in a LADDER
now, one and two moves ago; moves WORKING in a ladder; under area rules whose point it is, AREA; 20 and 21 stay 0.

The others, float32 [19]: which of the five moves were passes; the komi of the side to move over KOMI_SCALE; the rules; whether a pass
ends the game; the komi's parity.
"""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.network.features import SYMMETRIES, transformed
from gtp_engine.engine.network.katago.area import find_area
from gtp_engine.engine.network.katago.ladders import find_ladders, recall_ladders
from gtp_engine.engine.playout.policy import random_below
from gtp_engine.engine.search.walk import NO_SUPERKO, POSITIONAL, SITUATIONAL, TURN_HASH
from gtp_engine.engine.search.workspace import HISTORY
from gtp_engine.go.points import BLACK, EDGE, EMPTY, NO_POINT, PASS, STRIDE, WHITE
from gtp_engine.go.position import ADJACENT, ZOBRIST, in_atari, play_move, touches, would_be_suicide

ON_BOARD, OWN, OPPONENT, LIBERTIES, KO, RECENT, LADDER, WORKING, AREA = 0, 1, 2, 3, 6, 9, 14, 17, 18
KOMI, SUPERKO, KO_KIND, SUICIDE, TERRITORY, SEKI_TAX, PASS_ENDS, PARITY = 5, 6, 7, 8, 9, 10, 14, 18
KOMI_SCALE = 20.0  # points
KOMI_MARGIN = 20.0  # points more than the board has: the largest komi
MOST_LIBERTIES = 3  # that have a plane of their own
BITS = np.uint64(4095)  # of `seen`: 64 words of 64


@inner
def put(planes, plane, point, size, symmetry):
    """Write 1 for a point of the board."""
    row, column = transformed(size - point // STRIDE, point % STRIDE - 1, size, symmetry)
    planes[plane, row, column] = 1.0


@inner
def count_liberties(position, point, most):
    """Liberties of the chain on `point`, up to `most` + 1, at most 4."""
    a, b, c = NO_POINT, NO_POINT, NO_POINT
    count = 0
    stone = np.int64(point)
    while True:
        for d in range(4):
            liberty = stone + ADJACENT[d]
            if position.color[liberty] == EMPTY and liberty != a and liberty != b and liberty != c:
                count += 1
                if count > most:
                    return count
                a, b, c = liberty, a, b
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            return count


@inner
def put_stones(position, planes, symmetry):
    """The board, the stones, and their liberties up to three."""
    size, own = np.int64(position.board_size), position.to_play
    planes[ON_BOARD] = 1.0
    for first in range(len(position.color)):
        color = position.color[first]
        if (color != BLACK and color != WHITE) or position.chain[first] != first:
            continue
        liberties = count_liberties(position, first, MOST_LIBERTIES)
        stone = np.int64(first)
        while True:
            put(planes, OWN if color == own else OPPONENT, stone, size, symmetry)
            if liberties <= MOST_LIBERTIES:
                put(planes, LIBERTIES + liberties - 1, stone, size, symmetry)
            stone = np.int64(position.next_stone[stone])
            if stone == first:
                break


# ---------------------------------------------------------------- superko


@inner
def chain_hash(position, point):
    """ZOBRIST over the chain on `point`."""
    color = position.color[point]
    found = np.uint64(0)
    stone = np.int64(point)
    while True:
        found ^= ZOBRIST[color, stone]
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            return found


@inner
def hash_after(position, point, color, is_suicide):
    """The hash of the stones after a move on this empty point, captures or the suicide included."""
    taken = color if is_suicide else WHITE + BLACK - color
    found = position.hash if is_suicide else position.hash ^ ZOBRIST[color, point]
    for d in range(4):
        neighbor = point + ADJACENT[d]
        if position.color[neighbor] != taken or not in_atari(position, neighbor):
            continue
        is_first = True
        for e in range(d):
            other = point + ADJACENT[e]
            is_first &= not (position.color[other] == taken and position.chain[other] == position.chain[neighbor])
        if is_first:
            found ^= chain_hash(position, neighbor)
    return found


@inner
def was_there(now, workspace, situations):
    """Was this situation on the board, in the game or on the walk's path?"""
    for i in range(len(situations)):
        if situations[i] == now:
            return True
    for i in range(workspace.length):
        if workspace.situations[i] == now:
            return True
    return False


@inner
def note_situations(workspace, situations, seen):
    """Set the bits of all situations so far."""
    seen[:] = np.uint64(0)
    for i in range(len(situations)):
        bit = situations[i] & BITS
        seen[np.int64(bit >> np.uint64(6))] |= np.uint64(1) << (bit & np.uint64(63))
    for i in range(workspace.length):
        bit = workspace.situations[i] & BITS
        seen[np.int64(bit >> np.uint64(6))] |= np.uint64(1) << (bit & np.uint64(63))


@inner
def put_bans(shared, workspace, situations, scratch, planes):
    """The points where ko or superko forbids the side to move to play."""
    position = workspace.position
    size, color = np.int64(position.board_size), np.int64(position.to_play)
    if position.ko_point != NO_POINT:
        put(planes, KO, position.ko_point, size, workspace.symmetry)
    if shared.superko == NO_SUPERKO or position.captures[BLACK] + position.captures[WHITE] == 0:
        return
    note_situations(workspace, situations, scratch.seen)
    turn = TURN_HASH if shared.superko == SITUATIONAL and color == BLACK else np.uint64(0)  # White is to play afterwards
    for i in range(position.empty_count):
        point = np.int64(position.empty_points[i])
        is_suicide = would_be_suicide(position, point, color)
        if point == position.ko_point or (is_suicide and not (shared.suicide == 1 and touches(position, point, color))):
            continue
        now = hash_after(position, point, color, is_suicide) ^ turn
        bit = now & BITS
        if (scratch.seen[np.int64(bit >> np.uint64(6))] >> (bit & np.uint64(63))) & np.uint64(1) and was_there(now, workspace, situations):
            put(planes, KO, point, size, workspace.symmetry)


# ---------------------------------------------------------------- history


@inner
def turns_known(shared, workspace):
    """How many of the recent moves the network may see: up to HISTORY, as long as the players took turns."""
    depth = max(workspace.length - 1, 0)
    turns = 0
    while turns < HISTORY and workspace.recent_moves[turns] != NO_POINT and turns - depth < shared.root_turns:
        turns += 1
    return turns


@inner
def put_marks(marks, planes, plane, position, symmetry):
    """Write 1 for each marked point."""
    size = np.int64(position.board_size)
    for point in range(len(marks)):
        if marks[point]:
            put(planes, plane, point, size, symmetry)


@inner
def find_earlier(nodes, shared, workspace, scratch, back):
    """Put the position `back` moves before the leaf, 1 or 2, into scratch.board."""
    depth = max(workspace.length - 1, 0)
    if depth < back:
        copy_record(scratch.board, shared.before[back - depth - 1])
        return
    copy_record(scratch.board, shared.root)
    for i in range(1, depth - back + 1):
        play_move(scratch.board, np.int64(nodes[workspace.path[i]].move), np.int64(scratch.board.to_play))


@inner
def put_ladders(nodes, shared, workspace, scratch, planes, turns):
    """The ladders of now, of one move ago and of two; where no history is known, the later ones stand for the earlier."""
    position, symmetry = workspace.position, workspace.symmetry
    find_ladders(position, scratch, np.int64(position.to_play))
    put_marks(scratch.ladder, planes, LADDER, position, symmetry)
    put_marks(scratch.working, planes, WORKING, position, symmetry)
    for back in range(1, 3):
        if turns >= back:
            find_earlier(nodes, shared, workspace, scratch, back)
            recall_ladders(scratch.board, scratch)
        put_marks(scratch.ladder, planes, LADDER + back, position, symmetry)


# ---------------------------------------------------------------- numbers for the whole board


@inner
def own_komi(shared, position):
    """What the side to move gets. Under territory rules points are counted as area, with one taken off for each move."""
    komi = shared.komi
    if shared.is_territory == 1:
        komi += position.captures[WHITE] - position.captures[BLACK]
        for point in range(len(position.color)):
            if position.color[point] == BLACK:
                komi += 1.0
            elif position.color[point] == WHITE:
                komi -= 1.0
    most = np.float64(position.board_size) * position.board_size + KOMI_MARGIN
    return min(max(komi if position.to_play == WHITE else -komi, -most), most)


@inner
def parity_wave(komi, size):
    """Rises from -0.5 to 0.5 where half a point more turns a loss into a draw or a draw into a win, falls where it changes nothing."""
    offset = komi if size % 2 == 0 else komi - 1.0
    delta = offset - 2.0 * np.floor(offset / 2.0)
    if delta < 0.5:
        return delta
    return 1.0 - delta if delta < 1.5 else delta - 2.0


@inner
def write_numbers(shared, workspace, numbers, turns, pass_ends):
    """Fill `numbers`; see the module's text."""
    position = workspace.position
    numbers[:] = 0.0
    for i in range(turns):
        if workspace.recent_moves[i] == PASS:
            numbers[i] = 1.0
    komi = own_komi(shared, position)
    numbers[KOMI] = komi / KOMI_SCALE
    if shared.superko != NO_SUPERKO:
        numbers[SUPERKO] = 1.0
        numbers[KO_KIND] = 0.5 if shared.superko == POSITIONAL else -0.5
    if shared.suicide == 1:
        numbers[SUICIDE] = 1.0
    if shared.is_territory == 1:
        numbers[TERRITORY] = 1.0
        numbers[SEKI_TAX] = 1.0
    else:
        numbers[PARITY] = parity_wave(komi, np.int64(position.board_size))
    if pass_ends:
        numbers[PASS_ENDS] = 1.0


@entry
def see_leaf(nodes, shared, workspaces, situations, i, scratches, planes, numbers):
    """Fill `planes` and `numbers` for the leaf in workspaces[i], turned at random.

    `nodes`, `shared`, `situations` as in simulation.advance; scratches[i] is this workspace's SCRATCH. Of the workspace it reads
    `position`, `path`, `length`, `situations` and `recent_moves`.
    """
    record, workspace, scratch = shared[0], workspaces[i], scratches[i]
    position = workspace.position
    workspace.symmetry = random_below(position, SYMMETRIES) if record.params.symmetry else 0
    symmetry, size = workspace.symmetry, np.int64(position.board_size)
    planes[:] = 0.0
    put_stones(position, planes, symmetry)
    put_bans(record, workspace, situations, scratch, planes)
    turns = turns_known(record, workspace)
    pass_ends = position.passes >= 1 and turns >= 1
    if pass_ends and record.is_territory == 0 and record.all_alive == 0:
        turns, pass_ends = 0, False  # the players would go on until all is clear, so the network must not think that it is over
    for k in range(turns):
        if workspace.recent_moves[k] != PASS:
            put(planes, RECENT + k, workspace.recent_moves[k], size, symmetry)
    put_ladders(nodes, record, workspace, scratch, planes, turns)
    if record.is_territory == 0:
        find_area(position, scratch, record.suicide == 1 or scratch.suicide == 1)
        for point in range(len(position.color)):
            if position.color[point] != EDGE and scratch.area[point] != EMPTY:
                put(planes, AREA if scratch.area[point] == position.to_play else AREA + 1, point, size, symmetry)
    write_numbers(record, workspace, numbers, turns, pass_ends)
