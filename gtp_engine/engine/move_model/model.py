"""The model: a weight for each feature of a move; a move's probability is the softmax of its features' sums.

A generalized Bradley-Terry model in the line of Coulom (Computing Elo ratings of move patterns in the game of Go, 2007), fitted by
gradient steps: learning/training/move_model.py. Features are shapes.py's shapes, distances to the last moves, the line, liberties,
and marks: what the chains of the board ask for (captures, escapes, ladders, atari, extensions).
"""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.engine.move_model.shapes import (
    OTHER,
    OWN,
    REACH,
    ROW,
    SIZES,
    SQUARES,
    SYMMETRIES,
    clear_hashes,
    grown_key,
    liberty_key,
    look,
    square_of,
)
from gtp_engine.go.points import EMPTY, MAX_SIZE, NO_POINT, PASS, POINTS, STRIDE
from gtp_engine.go.position import ADJACENT
from gtp_engine.go.tactics import MANY, liberties_after, liberties_of, size_after

SLOTS = 2**18  # of the table of shapes
SLOT_MASK = np.uint64(SLOTS - 1)
KEY_SHIFT = np.uint64(32)
FREE = np.uint32(0)  # key of an unused slot

FARTHEST = 17  # distances, as in shapes.py, above this count as this; 0: there was no such move
NEAR = 3  # lines in any direction: a stone within them makes a move one with a stone near
LINES = 7  # from the edge, the last one for all farther
SIZE_KINDS = 4  # of a chain: one stone, two, three to five, more
LAST_DISTANCE = SLOTS  # where each group of weights begins: distance to the last move
PREVIOUS_DISTANCE = LAST_DISTANCE + FARTHEST + 1  # to the move before it
LINE = PREVIOUS_DISTANCE + FARTHEST + 1  # by line, first with no stone near, then with one
LIBERTIES = LINE + 2 * LINES  # after the move: fewer than two by size of the chain, then two, then more
MARK = LIBERTIES + SIZE_KINDS + 2  # by bit of a point's marks
CAPTURE, SAVE, ESCAPE, LOST_ESCAPE, LADDER, ATARI, EXTEND, LAST_CHAIN = range(
    0, 8 * SIZE_KINDS, SIZE_KINDS
)  # first bit of each kind of mark
WEIGHTS = MARK + 8 * SIZE_KINDS
MOST_MOVES = MAX_SIZE * MAX_SIZE  # of one position
MOST_FEATURES = SIZES + 1 + 4 + 8 * SIZE_KINDS  # of one move

SHAPE = np.dtype(
    [
        ("key", np.uint32),  # or FREE
        ("weight", np.float32),  # logarithm of odds; beside the key, so that one access to memory finds both
    ],
    align=True,
)

MODEL = np.dtype(
    [
        ("shapes", SHAPE, (SLOTS,)),  # features 0 .. SLOTS - 1
        ("weights", np.float32, (WEIGHTS - SLOTS,)),  # logarithms of odds of the other features
    ],
    align=True,
)

LOOKS = np.dtype(
    [
        ("hashes", np.uint64, (SYMMETRIES,)),  # of the shape that is being grown, see shapes.py
        ("marks", np.uint32, (POINTS,)),  # [P] bits: what chains ask for at this point
        ("features", np.int32, (MOST_FEATURES,)),  # indices of the weights of the move looked at
        ("count", np.int32),  # of `features`
        ("squares", np.uint8, (SQUARES,)),  # the board for shapes, see shapes.look
        ("liberty_squares", np.uint8, (SQUARES,)),
        ("in_row", np.uint8, (SQUARES,)),  # 1: there is a stone on the square or up to NEAR lines beside it in its row
        ("near", np.uint8, (SQUARES,)),  # 1: there is a stone within NEAR lines of the square, in any direction
        ("moves", np.uint16, (MOST_MOVES,)),  # that are looked at together, see strengths.py
        ("move_count", np.int32),
        ("strengths", np.float32, (MOST_MOVES,)),  # of `moves`
        ("move_hashes", np.uint64, (MOST_MOVES, SYMMETRIES)),  # of the shape around each of `moves` that is being grown
        ("known", np.uint16, (MOST_MOVES,)),  # indices of those of `moves` whose shapes have all been in the table so far
        ("keys", np.uint64, (MOST_MOVES,)),  # of the next larger shapes around these
    ],
    align=True,
)


@inner
def first_slot(key):
    """Where the shape with this key stands, unless another one was there before."""
    return np.int64(key & SLOT_MASK)


@inner
def check_of(key):
    """What is kept of a key in the table; never FREE."""
    return np.uint32(key >> KEY_SHIFT) | np.uint32(1)


@inner
def find_slot(model, key):
    """Where the shape with this key stands, or -1. Linear probing; the table must not be full."""
    slot = first_slot(key)
    while model.shapes[slot].key != FREE:
        if model.shapes[slot].key == check_of(key):
            return slot
        slot = (slot + 1) & (SLOTS - 1)
    return -1


@inner
def weight_of(model, feature):
    """The weight of a feature."""
    return model.shapes[feature].weight if feature < SLOTS else model.weights[feature - SLOTS]


@inner
def size_kind(stones):
    """0..SIZE_KINDS - 1."""
    return stones - 1 if stones < 3 else (2 if stones < 6 else 3)


@inner
def mark(looks, point, kind, stones):
    """Mark a point for a chain of so many stones."""
    looks.marks[point] |= np.uint32(1 << (kind + size_kind(stones)))


@inner
def mark_need(looks, need):
    """Marks for what one chain asks for."""
    stones, first, second = np.int64(need.stones), np.int64(need.first), np.int64(need.second)
    if need.liberties == 2:
        if need.is_own:
            mark(looks, first, EXTEND, stones)
            mark(looks, second, EXTEND, stones)
        else:
            mark(looks, first, LADDER if need.first_catches else ATARI, stones)
            mark(looks, second, LADDER if need.second_catches else ATARI, stones)
        return
    if not need.is_own:
        mark(looks, first, CAPTURE, stones)
        return
    if need.capture != NO_POINT:
        mark(looks, np.int64(need.capture), SAVE, stones)
    is_lost = need.after < 2 or (need.after == 2 and need.is_caught)
    mark(looks, first, LOST_ESCAPE if is_lost else ESCAPE, stones)


@inner
def prepare_looks(position, looks, needs):
    """Look at the whole position once, before the features of its moves are asked for. `needs`: its CHAIN_NEEDS, known."""
    look(position, looks.squares, looks.liberty_squares)
    look_for_stones(looks)
    looks.marks[:] = 0
    for i in range(needs.count):
        mark_need(looks, needs.need[i])
    mark_last_chain(position, looks)


@inner
def mark_last_chain(position, looks):
    """Marks on the liberties of the chain that the last move belongs to, by how many it has."""
    last = np.int64(position.last_move)
    if last == NO_POINT or last == PASS:
        return
    count, _, _ = liberties_of(position, last)
    stone = last
    while True:
        for d in range(4):
            neighbor = stone + ADJACENT[d]
            if position.color[neighbor] == EMPTY:
                mark(looks, neighbor, LAST_CHAIN, count)
        stone = np.int64(position.next_stone[stone])
        if stone == last:
            break


@inner
def distance_kind(point, other):
    """Distance of two points up to FARTHEST; 0 when `other` is no point of the board."""
    if other == NO_POINT or other == PASS:
        return 0
    rows = abs(point // STRIDE - other // STRIDE)
    columns = abs(point % STRIDE - other % STRIDE)
    return min(rows + columns + max(rows, columns), FARTHEST)


@inner
def line_of(point, board_size):
    """1 at the edge, 2 next to it, and so on."""
    row, column = point // STRIDE, point % STRIDE
    return min(min(row, board_size + 1 - row), min(column, board_size + 1 - column))


@inner
def look_for_stones(looks):
    """Fill looks.near: along the rows first, then along the columns. The OFF squares around the board keep rows apart."""
    for square in range((REACH - NEAR) * ROW, SQUARES - (REACH - NEAR) * ROW):
        is_occupied = np.uint8(0)
        for step in range(-NEAR, NEAR + 1):
            kind = looks.squares[square + step]
            is_occupied |= np.uint8((kind == OWN) | (kind == OTHER))
        looks.in_row[square] = is_occupied
    for square in range(REACH * ROW, SQUARES - REACH * ROW):
        is_occupied = np.uint8(0)
        for step in range(-NEAR, NEAR + 1):
            is_occupied |= looks.in_row[square + step * ROW]
        looks.near[square] = is_occupied


@inner
def add_feature(looks, index):
    """One more feature of the move looked at."""
    looks.features[looks.count] = index
    looks.count += 1


@inner
def add_shapes(model, looks, square):
    """The shapes around the move that the model knows. A shape is known only if the smaller ones around the point are."""
    clear_hashes(looks.hashes)
    for size in range(SIZES):
        slot = find_slot(model, grown_key(looks.squares, square, size, looks.hashes))
        if slot < 0:
            break
        add_feature(looks, slot)
    slot = find_slot(model, liberty_key(looks.liberty_squares, square, looks.hashes))
    if slot >= 0:
        add_feature(looks, slot)


@inner
def find_features(model, position, looks, point):
    """List the features of position.to_play's move on `point` in looks.features; prepare_looks must have seen the position."""
    looks.count = 0
    add_shapes(model, looks, square_of(point))
    add_other_features(position, looks, point)


@inner
def add_other_features(position, looks, point):
    """Add the features of the move that are no shapes."""
    square = square_of(point)
    add_feature(looks, LAST_DISTANCE + distance_kind(point, position.last_move))
    add_feature(looks, PREVIOUS_DISTANCE + distance_kind(point, position.previous_move))
    line = min(line_of(point, position.board_size), LINES) - 1
    add_feature(looks, LINE + line + (LINES if looks.near[square] else 0))
    liberties = liberties_after(position, point, position.to_play, MANY)
    if liberties < 2:
        add_feature(looks, LIBERTIES + size_kind(np.int64(size_after(position, point, position.to_play))))
    else:
        add_feature(looks, LIBERTIES + SIZE_KINDS + liberties - 2)
    marks = looks.marks[point]
    bit = 0
    while marks != 0:
        if marks & np.uint32(1):
            add_feature(looks, MARK + bit)
        marks >>= np.uint32(1)
        bit += 1
