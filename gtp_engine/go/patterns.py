"""3x3 patterns around a point to play: readable text, compiled to a table over all symmetries and both colors.

The ideas are those of MoGo (Gelly, Wang, Munos and Teytaud: Modification of UCT with Patterns in Monte-Carlo Go, INRIA RR-6117,
2006): hane, cuts, and moves at the edge.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.go.points import BLACK, EDGE, EMPTY, STRIDE, WHITE

# The center of each picture is the point to play. A pattern matches both ways: X may be the player to move or the opponent,
# except where the name says "own": there X is the player to move.
#   X, O stones of two colors   . empty   # off the board   ? anything on the board
#   x anything but X            o anything but O
PATTERNS = """
    hane around            hane outside           hane at the shoulder   hane, own
    X O X                  X O .                  X O ?                  X O O
    . . .                  . . .                  X . .                  . . .
    ? ? ?                  ? . ?                  ? . ?                  ? . ?

    cut                    cut, peeped            push through
    X O ?                  X O ?                  ? X ?
    O . o                  O . X                  O . O
    ? o ?                  ? ? ?                  x x x

    edge, chase            edge, cut off          edge, connect          edge, descend          edge, cut under
    X . ?                  O X ?                  ? X ?                  ? X O                  ? O X
    O . ?                  X . O                  o . O                  x . x                  X . O
    # # #                  # # #                  # # #                  # # #                  # # #
"""

COLUMN_WIDTH = 23  # of a pattern in the text
KINDS = {
    "X": (BLACK,),
    "O": (WHITE,),
    ".": (EMPTY,),
    "#": (EDGE,),
    "?": (EMPTY, BLACK, WHITE),
    "x": (EMPTY, WHITE),
    "o": (EMPTY, BLACK),
}
AROUND = np.array([STRIDE - 1, STRIDE, STRIDE + 1, -1, 1, -STRIDE - 1, -STRIDE, -STRIDE + 1])  # eight neighbors, rows from the top
CODES = 4**8  # two bits for each neighbor's color, in the order of AROUND
FITS_BLACK, FITS_WHITE = 1, 2  # bits of the table: the pattern matches for this player to move

Square = tuple[str, ...]  # nine symbols, row by row from the top


def read_patterns(text: str) -> Iterator[tuple[str, Square]]:
    """(name, nine symbols) of every picture in `text`. Raises ValueError for an unknown symbol."""
    for block in text.strip("\n").split("\n\n"):
        rows = [row[4:] for row in block.split("\n")]
        for start in range(0, max(map(len, rows)), COLUMN_WIDTH):
            name, *picture = [row[start : start + COLUMN_WIDTH].strip() for row in rows]
            square = tuple("".join(picture).replace(" ", ""))
            if name:
                if len(square) != 9 or square[4] != "." or not set(square) <= set(KINDS):
                    raise ValueError(f"not a pattern: {name}")
                yield name, square


def symmetries(square: Square) -> set[Square]:
    """The square turned and mirrored in all ways."""
    squares = set()
    for _ in range(4):
        square = tuple(square[3 * (2 - column) + row] for row in range(3) for column in range(3))  # a quarter turn
        squares |= {square, square[6:9] + square[3:6] + square[0:3]}
    return squares


def codes_of(square: Square) -> Iterator[int]:
    """All codes that the square matches, with X black and O white."""
    neighbors = square[:4] + square[5:]
    for colors in product(*(KINDS[symbol] for symbol in neighbors)):
        yield sum(color << 2 * i for i, color in enumerate(colors))


def swap_colors(square: Square) -> Square:
    """The square with X and O exchanged."""
    return tuple(symbol.translate(str.maketrans("XOxo", "OXox")) for symbol in square)


def compile_patterns(text: str) -> np.ndarray:
    """[CODES] for each code the players to move for whom a pattern matches: FITS_BLACK | FITS_WHITE."""
    table = np.zeros(CODES, np.uint8)
    for name, square in read_patterns(text):
        is_own = name.endswith("own")
        for turned in symmetries(square):
            for code in codes_of(turned):
                table[code] |= FITS_BLACK if is_own else FITS_BLACK | FITS_WHITE
            for code in codes_of(swap_colors(turned)):
                table[code] |= FITS_WHITE if is_own else FITS_BLACK | FITS_WHITE
    return table


PATTERN_TABLE = compile_patterns(PATTERNS)


@inner
def pattern_code(position, point):
    """The colors of the eight neighbors of `point` as an index of PATTERN_TABLE."""
    code = 0
    for i in range(8):
        code |= np.int64(position.color[point + AROUND[i]]) << 2 * i
    return code


@inner
def fits_pattern(position, point, color):
    """True if a pattern suggests that `color` plays on this empty point."""
    return PATTERN_TABLE[pattern_code(position, point)] & color != 0
