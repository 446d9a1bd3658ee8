"""The move model: a weight for each feature of a move. The probabilities of moves are the softmax of the sums of their features' weights.

A generalized Bradley-Terry model in the line of Coulom (Computing Elo ratings of move patterns in the game of Go, 2007), fitted by
gradient steps: learning/training/move_model.py. Features are shapes.py's shapes, distances to the last moves, the line, liberties,
and marks: what the chains on the board need (captures, escapes, ladders, atari, extensions).
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
    read_squares,
    square_of,
)
from gtp_engine.go.points import EMPTY, MAX_SIZE, NO_POINT, PASS, POINTS, STRIDE
from gtp_engine.go.position import ADJACENT
from gtp_engine.go.tactics import MANY, liberties_after, liberties_of, size_after

SLOTS = 2**18  # of the table of shapes
SLOT_MASK = np.uint64(SLOTS - 1)
KEY_SHIFT = np.uint64(32)
FREE = np.uint32(0)  # key of an unused slot

FARTHEST = 17  # larger distances (see shapes.py) count as this one; 0: there was no such move
NEAR = 3  # lines in any direction within which a stone counts as near a move
LINES = 7  # from the edge; the last one stands for all farther ones
SIZE_KINDS = 4  # of a chain: one stone, two, three to five, more
LAST_DISTANCE = SLOTS  # the first index of each group of weights: distance to the last move
PREVIOUS_DISTANCE = LAST_DISTANCE + FARTHEST + 1  # to the move before it
LINE = PREVIOUS_DISTANCE + FARTHEST + 1  # by line, first with no stone near, then with one
LIBERTIES = LINE + 2 * LINES  # after the move: fewer than two by size of the chain, then two, then more
MARK = LIBERTIES + SIZE_KINDS + 2  # by bit of a point's marks
CAPTURE, SAVE, ESCAPE, LOST_ESCAPE, LADDER, ATARI, EXTEND, LAST_CHAIN = range(
    0, 8 * SIZE_KINDS, SIZE_KINDS
)  # the first bit of each kind of mark
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
        ("hashes", np.uint64, (SYMMETRIES,)),  # of the growing shape, see shapes.py
        ("marks", np.uint32, (POINTS,)),  # [P] bits: what chains need at this point
        ("features", np.int32, (MOST_FEATURES,)),  # of the current move: indices of weights
        ("count", np.int32),  # of `features`
        ("squares", np.uint8, (SQUARES,)),  # the board for shapes, see shapes.read_squares
        ("liberty_squares", np.uint8, (SQUARES,)),
        ("in_row", np.uint8, (SQUARES,)),  # 1: a stone is on the square or at most NEAR lines from it in its row
        ("near", np.uint8, (SQUARES,)),  # 1: a stone is within NEAR lines of the square, in any direction
        ("moves", np.uint16, (MOST_MOVES,)),  # that are judged together, see strengths.py
        ("move_count", np.int32),
        ("strengths", np.float32, (MOST_MOVES,)),  # of `moves`
        ("move_hashes", np.uint64, (MOST_MOVES, SYMMETRIES)),  # of the growing shape around each of `moves`
        ("known", np.uint16, (MOST_MOVES,)),  # indices of those `moves` whose shapes were all in the table so far
        ("keys", np.uint64, (MOST_MOVES,)),  # of the next larger shapes around them
    ],
    align=True,
)


@inner
def first_slot(key):
    """The slot of the shape with this key, unless another shape took it first."""
    return np.int64(key & SLOT_MASK)


@inner
def check_of(key):
    """The part of a key that the table keeps; never FREE."""
    return np.uint32(key >> KEY_SHIFT) | np.uint32(1)


@inner
def find_slot(model, key):
    """The slot of the shape with this key, or -1. Linear probing; the table must not be full."""
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
    """Mark a point for a chain of `stones` stones."""
    looks.marks[point] |= np.uint32(1 << (kind + size_kind(stones)))


@inner
def mark_need(looks, need):
    """Mark the points that one chain needs."""
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
    """Prepare `looks` for the position. Must be called before the features of its moves are read. `needs`: its CHAIN_NEEDS, computed."""
    read_squares(position, looks.squares, looks.liberty_squares)
    mark_near_stones(looks)
    looks.marks[:] = 0
    for i in range(needs.count):
        mark_need(looks, needs.need[i])
    mark_last_chain(position, looks)


@inner
def mark_last_chain(position, looks):
    """Mark the liberties of the last move's chain, by their number."""
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
    """The distance of two points, at most FARTHEST; 0 if `other` isn't on the board."""
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
def mark_near_stones(looks):
    """Fill looks.near, first along the rows, then along the columns. The OFF squares around the board separate the rows."""
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
    """Add a feature of the current move."""
    looks.features[looks.count] = index
    looks.count += 1


@inner
def add_shapes(model, looks, square):
    """Add the known shapes around the move. A shape is known only if all smaller ones around the point are."""
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
    """Fill looks.features for position.to_play's move on `point`. Call prepare_looks for the position first."""
    looks.count = 0
    add_shapes(model, looks, square_of(point))
    add_other_features(position, looks, point)


@inner
def add_other_features(position, looks, point):
    """Add the features of the move that aren't shapes."""
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
