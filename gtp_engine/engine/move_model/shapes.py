"""Shapes: the stones around a point in larger and larger rings, as numbers that don't depend on symmetry.

The rings follow Stern, Herbrich and Graepel (Bayesian pattern ranking for move prediction in the game of Go, ICML 2006): the distance of
two points is dx + dy + max(dx, dy). A shape is the stones within some distance, seen by the player to move: own, opponent's, off the board.
Its key is the smallest of eight hashes, one for each symmetry of the board.
"""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.go.points import EMPTY, MAX_SIZE, POINTS, STRIDE
from gtp_engine.go.tactics import MANY, liberties_of

REACH = 5  # lines from the center to the farthest ring
ROW = MAX_SIZE + 2 * REACH  # squares in a row of a view: the board with REACH lines of OFF all around
SQUARES = ROW * ROW
OPEN, OWN, OTHER, OFF = range(4)  # contents of a square of a view: empty, a stone of the player to move, an opponent's stone, off the board
RING_DISTANCES = (3, 4, 5, 6, 7, 8, 10)  # each shape includes all within this distance; the first is the 3x3 square
SIZES = len(RING_DISTANCES)
RING_GROUP, RING_BITS = 4, 2  # squares hashed at once, and bits for the contents of each; by symmetry every ring is a multiple of four
LIBERTY_GROUP, LIBERTY_BITS = 2, 3  # the same for the 3x3 shape with liberties
SYMMETRIES = 8
LIBERTY_KINDS = 2 * MANY  # of a stone beside the point: own or opponent's, with 1, 2 or MANY liberties


def ring_offsets() -> list[tuple[int, int]]:
    """(row, column) steps to all squares within the largest distance, nearest first."""
    steps = range(-REACH, REACH + 1)
    offsets = [(row, column) for row in steps for column in steps if (row, column) != (0, 0)]
    return sorted((o for o in offsets if distance_of(*o) <= RING_DISTANCES[-1]), key=lambda o: (distance_of(*o), o))


def distance_of(rows: int, columns: int) -> int:
    """The distance of two points that are so many rows and columns apart."""
    return abs(rows) + abs(columns) + max(abs(rows), abs(columns))


def turned(row: int, column: int, symmetry: int) -> tuple[int, int]:
    """The step on the turned or mirrored board; `symmetry` is 0..7."""
    if symmetry & 1:
        row, column = column, row
    return (-row if symmetry & 2 else row), (-column if symmetry & 4 else column)


def symmetric_hashes(offsets: list[tuple[int, int]], kinds: int, seed: int) -> np.ndarray:
    """[offset, kind, symmetry] random numbers. Those of symmetry s are those of the offset turned by s. Kind 0, no stone, has 0."""
    plain = np.random.default_rng(seed).integers(1, 2**63, (len(offsets), kinds), dtype=np.uint64)
    plain[:, 0] = 0
    place = {offset: i for i, offset in enumerate(offsets)}
    order = [[place[turned(*offset, symmetry)] for symmetry in range(SYMMETRIES)] for offset in offsets]
    return np.ascontiguousarray(plain[np.array(order)].transpose(0, 2, 1))


def grouped_hashes(single: np.ndarray, group: int, bits: int) -> np.ndarray:
    """[group of squares, word, symmetry] hashes of all contents of a group of squares, from `single` [square, kind, symmetry].

    A word has `bits` bits for each square, the lowest for the first one. One access instead of four, and no branch for empty squares, make
    keys twice as fast.
    """
    words = np.arange(1 << group * bits)
    grouped = np.zeros((len(single) // group, len(words), SYMMETRIES), np.uint64)
    for i, hashes in enumerate(single):
        grouped[i // group] ^= hashes[words >> bits * (i % group) & (1 << bits) - 1]
    return grouped


OFFSETS = ring_offsets()
SQUARE_STEPS = np.array([row * ROW + column for row, column in OFFSETS])
RING_ENDS = np.array([sum(distance_of(*offset) <= distance for offset in OFFSETS) for distance in RING_DISTANCES])
RING_HASH = grouped_hashes(symmetric_hashes(OFFSETS, 1 << RING_BITS, 7), RING_GROUP, RING_BITS)
NEAREST = int(RING_ENDS[0])  # squares of the 3x3 square around the center
# kinds: OPEN, then own 1..MANY, other 1..MANY, OFF
LIBERTY_HASH = grouped_hashes(symmetric_hashes(OFFSETS[:NEAREST], 2 + LIBERTY_KINDS, 8), LIBERTY_GROUP, LIBERTY_BITS)
SIZE_SALT = np.random.default_rng(9).integers(1, 2**63, SIZES + 1, dtype=np.uint64)  # keys of different sizes differ; last: with liberties


@inner
def square_of(point):
    """The square of this point in a view."""
    return (point // STRIDE - 1 + REACH) * ROW + point % STRIDE - 1 + REACH


@inner
def liberty_kind(position, point, color):
    """The kind of a stone for LIBERTY_HASH, from the view of `color`."""
    count, _, _ = liberties_of(position, point)
    return count if position.color[point] == color else MANY + count


@inner
def read_squares(position, view, liberty_view):
    """Fill both views [SQUARES] with the board as position.to_play sees it: stones, and stones with their liberties."""
    color, size = position.to_play, position.board_size
    view[:] = OFF
    liberty_view[:] = 1 + LIBERTY_KINDS
    kinds = np.zeros(POINTS, np.uint8)  # by chain
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            square = square_of(point)
            stone = position.color[point]
            if stone == EMPTY:
                view[square] = OPEN
                liberty_view[square] = OPEN
                continue
            chain = position.chain[point]
            if kinds[chain] == 0:
                kinds[chain] = liberty_kind(position, point, color)
            view[square] = OWN if stone == color else OTHER
            liberty_view[square] = kinds[chain]


@inner
def least(hashes):
    """The smallest of the hashes [SYMMETRIES]."""
    smallest = hashes[0]
    for i in range(1, SYMMETRIES):
        smallest = min(smallest, hashes[i])
    return smallest


@inner
def clear_hashes(hashes):
    """Start a new shape."""
    hashes[:] = np.uint64(0)


@inner
def word_of(view, square, first, count, bits):
    """The contents of `count` squares around this one, from OFFSETS[first] on, with `bits` bits for each."""
    word = np.uint64(0)
    for k in range(count):
        step = SQUARE_STEPS[np.uint64(first + k)]  # unsigned indices save the test for negative ones
        word |= np.uint64(view[np.uint64(square + step)]) << np.uint64(bits * k)
    return word


@inner
def grown_key(view, square, size, hashes):
    """The key of the shape of this size around the square. `hashes` must be those of the next smaller shape; they become this one's."""
    for i in range(RING_ENDS[size - 1] if size > 0 else 0, RING_ENDS[size], RING_GROUP):
        group, word = np.uint64(i // RING_GROUP), word_of(view, square, i, RING_GROUP, RING_BITS)
        for s in range(SYMMETRIES):
            hashes[s] ^= RING_HASH[group, word, s]
    return least(hashes) ^ SIZE_SALT[size]


@inner
def liberty_key(liberty_view, square, hashes):
    """The key of the 3x3 square around this one, with liberties. Overwrites `hashes`."""
    hashes[:] = np.uint64(0)
    for i in range(0, NEAREST, LIBERTY_GROUP):
        group, word = np.uint64(i // LIBERTY_GROUP), word_of(liberty_view, square, i, LIBERTY_GROUP, LIBERTY_BITS)
        for s in range(SYMMETRIES):
            hashes[s] ^= LIBERTY_HASH[group, word, s]
    return least(hashes) ^ SIZE_SALT[SIZES]
