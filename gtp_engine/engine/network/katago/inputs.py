"""The input of KataGo's networks, features version 7: planes, with one number for each point, and other numbers.

Planes, float32 [22, S, S], row 0 at the top, turned by the leaf's symmetry: ON_BOARD; OWN, OPPONENT stones; stones with 1 to 3 LIBERTIES;
points where KO or superko forbids a move; 7 and 8 are unused in our rules; the RECENT five moves; stones caught in a LADDER now, one and
two moves ago; moves WORKING in a ladder; under area rules the owners of points, AREA; 20 and 21 are always 0.

Other numbers, float32 [19]: which of the five moves were passes; the komi of the side to move over KOMI_SCALE; the rules; whether a pass
ends the game; the komi's parity.
"""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.network.katago.area import find_area
from gtp_engine.engine.network.katago.ladders import find_ladders, recall_ladders
from gtp_engine.engine.network.symmetry import SYMMETRIES, transformed
from gtp_engine.engine.playout.policy import random_below
from gtp_engine.engine.search.leaf import EARLIER, NO_SUPERKO, POSITIONAL
from gtp_engine.go.points import BLACK, EDGE, EMPTY, NO_POINT, PASS, STRIDE, WHITE
from gtp_engine.go.position import ADJACENT

ON_BOARD, OWN, OPPONENT, LIBERTIES, KO, RECENT, LADDER, WORKING, AREA = 0, 1, 2, 3, 6, 9, 14, 17, 18
KOMI, SUPERKO, KO_KIND, SUICIDE, TERRITORY, SEKI_TAX, PASS_ENDS, PARITY = 5, 6, 7, 8, 9, 10, 14, 18
KOMI_SCALE = 20.0  # points
KOMI_MARGIN = 20.0  # the largest komi is so many points more than the board has
MOST_LIBERTIES = 3  # that have their own plane


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


# ---------------------------------------------------------------- history


@inner
def put_marks(marks, planes, plane, position, symmetry):
    """Write 1 for each marked point."""
    size = np.int64(position.board_size)
    for point in range(len(marks)):
        if marks[point]:
            put(planes, plane, point, size, symmetry)


@inner
def put_ladders(leaf, scratch, planes, turns):
    """Write the ladders now, one and two moves ago; without history, later ones take the place of earlier ones."""
    position, symmetry = leaf.position, leaf.symmetry
    find_ladders(position, scratch, np.int64(position.to_play))
    put_marks(scratch.ladder, planes, LADDER, position, symmetry)
    put_marks(scratch.working, planes, WORKING, position, symmetry)
    for back in range(1, EARLIER + 1):
        if turns >= back:
            recall_ladders(leaf.before[back - 1], scratch)
        put_marks(scratch.ladder, planes, LADDER + back, position, symmetry)


# ---------------------------------------------------------------- numbers for the whole board


@inner
def own_komi(leaf):
    """The komi of the side to move. Under territory rules it is adjusted so that counting area gives the same result."""
    position, komi = leaf.position, leaf.komi
    if leaf.is_territory == 1:
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
    """Rises from -0.5 to 0.5 where half a point turns a loss into a draw or a draw into a win, and falls where it changes nothing."""
    offset = komi if size % 2 == 0 else komi - 1.0
    delta = offset - 2.0 * np.floor(offset / 2.0)
    if delta < 0.5:
        return delta
    return 1.0 - delta if delta < 1.5 else delta - 2.0


@inner
def write_numbers(leaf, numbers, turns, pass_ends):
    """Fill `numbers`; see the module's docstring."""
    numbers[:] = 0.0
    for i in range(turns):
        if leaf.moves[i] == PASS:
            numbers[i] = 1.0
    komi = own_komi(leaf)
    numbers[KOMI] = komi / KOMI_SCALE
    if leaf.superko != NO_SUPERKO:
        numbers[SUPERKO] = 1.0
        numbers[KO_KIND] = 0.5 if leaf.superko == POSITIONAL else -0.5
    if leaf.suicide == 1:
        numbers[SUICIDE] = 1.0
    if leaf.is_territory == 1:
        numbers[TERRITORY] = 1.0
        numbers[SEKI_TAX] = 1.0
    else:
        numbers[PARITY] = parity_wave(komi, np.int64(leaf.position.board_size))
    if pass_ends:
        numbers[PASS_ENDS] = 1.0


@inner
def put_bans(leaf, planes):
    """The points where ko or superko forbids the side to move to play."""
    size = np.int64(leaf.position.board_size)
    if leaf.position.ko_point != NO_POINT:
        put(planes, KO, leaf.position.ko_point, size, leaf.symmetry)
    put_marks(leaf.banned, planes, KO, leaf.position, leaf.symmetry)


@entry
def encode_leaf(leaves, scratches, planes, numbers):
    """Fill `planes` and `numbers` for leaves[0], [1] LEAF, turned at random if allowed, otherwise by its `symmetry`.

    `scratches` [1] SCRATCH keeps the ladders of earlier positions.
    """
    leaf, scratch = leaves[0], scratches[0]
    position = leaf.position
    if leaf.may_turn:
        leaf.symmetry = random_below(position, SYMMETRIES)
    symmetry, size = leaf.symmetry, np.int64(position.board_size)
    planes[:] = 0.0
    put_stones(position, planes, symmetry)
    put_bans(leaf, planes)
    turns = np.int64(leaf.turns)
    pass_ends = position.passes >= 1 and turns >= 1
    if pass_ends and leaf.is_territory == 0 and leaf.all_alive == 0:
        turns, pass_ends = 0, False  # players would continue until everything is clear, so the network must not consider the game over
    for k in range(turns):
        if leaf.moves[k] != PASS:
            put(planes, RECENT + k, leaf.moves[k], size, symmetry)
    put_ladders(leaf, scratch, planes, turns)
    if leaf.is_territory == 0:
        find_area(position, scratch, leaf.suicide == 1 or scratch.suicide == 1)
        for point in range(len(position.color)):
            if position.color[point] != EDGE and scratch.area[point] != EMPTY:
                put(planes, AREA if scratch.area[point] == position.to_play else AREA + 1, point, size, symmetry)
    write_numbers(leaf, numbers, turns, pass_ends)
