"""Points, colors and moves as small integers, and their names in GTP: `D4`, `pass`, `black`.

Plain Python without numpy, so that the first GTP commands can use it before slow imports.

A point is `row * STRIDE + column` with row 1 at the bottom and column 1 at the left (A1 = 21, B1 = 22, A2 = 41), the same number
on every board size. Row 0, column 0 and everything beyond the board's size is EDGE: column 0 of a row serves as the
right-hand border of the row below it, so one stone's eight neighbors are always inside the arrays.
"""

from collections.abc import Iterable
from functools import cache

EMPTY, BLACK, WHITE, EDGE = 0, 1, 2, 3  # the color of a point; BLACK and WHITE are also players: 3 - color is the opponent

MIN_SIZE, MAX_SIZE = 2, 19  # supported boards; GTP has names for points up to 25x25
STRIDE = MAX_SIZE + 1  # from a point to the point above it
POINTS = (MAX_SIZE + 2) * STRIDE + 1  # length of an array indexed by point, border included

NO_POINT = 0  # in place of a point where there is none; lies on the border
PASS = 1  # a move, not a point of the board; its index lies on the border
RESIGN = 2  # an answer to genmove, never played; its index lies on the border

COLUMN_LETTERS = "ABCDEFGHJKLMNOPQRST"  # GTP leaves out I


def opponent(color: int) -> int:
    """The other player: BLACK for WHITE and WHITE for BLACK."""
    return 3 - color


def point_at(row: int, column: int) -> int:
    """The point in `row` (1 = bottom) and `column` (1 = left); doesn't check that it is on a board."""
    return row * STRIDE + column


def row_and_column(point: int) -> tuple[int, int]:
    """Row (1 = bottom) and column (1 = left) of a point on the board."""
    return divmod(point, STRIDE)


def is_on_board(point: int, size: int) -> bool:
    """True if `point` is on a board of `size` lines. False for PASS, RESIGN and NO_POINT."""
    row, column = divmod(point, STRIDE)
    return 1 <= row <= size and 1 <= column <= size


@cache
def board_points(size: int) -> tuple[int, ...]:
    """Every point of the board, from A1 to the right, row after row upward."""
    return tuple(row * STRIDE + column for row in range(1, size + 1) for column in range(1, size + 1))


def to_vertex(point: int) -> str:
    """GTP's name of a move: `D4`, `pass` or `resign`. Doesn't check that the point is on a board."""
    if point == PASS:
        return "pass"
    if point == RESIGN:
        return "resign"
    row, column = divmod(point, STRIDE)
    return f"{COLUMN_LETTERS[column - 1]}{row}"


def vertices(points: Iterable[int]) -> str:
    """The vertices of these points, separated by spaces: `D4 C3`."""
    return " ".join(to_vertex(point) for point in points)


def from_vertex(text: str, size: int) -> int:
    """The point or PASS that `text` names on a board of `size` lines, in either case (GTP 2, section 2.11).

    Raises ValueError for anything else: the letter I, a point off the board, `resign`, digits other than ASCII's.
    """
    if text.lower() == "pass":
        return PASS
    letter, digits = text[:1].upper(), text[1:]
    if letter and letter in COLUMN_LETTERS and digits.isascii() and digits.isdigit() and len(digits) <= 2:
        point = point_at(int(digits), COLUMN_LETTERS.index(letter) + 1)
        if is_on_board(point, size) and digits[0] != "0":
            return point
    raise ValueError(f"not a vertex of a {size}x{size} board: {text[:20]}")


def from_color_name(text: str) -> int:
    """BLACK or WHITE for `b`, `black`, `w`, `white` in either case; ValueError for anything else (GTP 2, section 2.11)."""
    color = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}.get(text.lower())
    if color is None:
        raise ValueError(f"not a color: {text[:20]}")
    return color


def to_color_name(color: int) -> str:
    """`black` or `white`."""
    return "black" if color == BLACK else "white"
