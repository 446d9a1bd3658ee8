"""Handicap placements: GTP's fixed layouts as drawn, free ones of every size."""

import pytest
from reference import Board

from gtp_engine.go.handicap import fixed_handicap_points, free_handicap_points, most_fixed_stones
from gtp_engine.go.points import BLACK, board_points, to_vertex


def vertices(points: list[int]) -> str:
    return " ".join(to_vertex(point) for point in points)


def drawing(size: int, points: list[int]) -> str:
    board = Board(size)
    board.set_up([(BLACK, point) for point in points], BLACK)
    return str(board)


@pytest.mark.parametrize(
    ("size", "stones", "expected"),
    [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 D16"),
        (19, 4, "D4 Q16 D16 Q4"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (13, 5, "D4 K10 D10 K4 G7"),
        (12, 4, "C3 K10 C10 K3"),
        (9, 9, "C3 G7 C7 G3 C5 G5 E3 E7 E5"),
        (8, 4, "C3 F6 C6 F3"),
        (7, 4, "C3 E5 C5 E3"),
    ],
)
def test_fixed_layouts(size: int, stones: int, expected: str) -> None:
    assert vertices(fixed_handicap_points(size, stones)) == expected


@pytest.mark.parametrize(("size", "most"), [(2, 0), (6, 0), (7, 4), (8, 4), (9, 9), (10, 4), (13, 9), (18, 4), (19, 9)])
def test_fixed_handicap_has_a_largest_number(size: int, most: int) -> None:
    assert most_fixed_stones(size) == most
    for stones in (-1, 0, 1, most + 1, 10**9):
        with pytest.raises(ValueError, match="invalid number of stones"):
            fixed_handicap_points(size, stones)


def test_free_handicap_begins_with_the_fixed_layout() -> None:
    for stones in range(2, 10):
        assert free_handicap_points(19, stones) == fixed_handicap_points(19, stones)
    assert free_handicap_points(8, 7)[:4] == fixed_handicap_points(8, 4)


THIRTEEN_ON_9X9 = """
. . . . . . . . .
. . . . . . . . .
. . X . X . X . .
. . . X . X . . .
. . X . X . X . .
. . . X . X . . .
. . X . X . X . .
. . . . . . . . .
. . . . . . . . .
"""


def test_further_free_stones_fill_the_widest_gaps() -> None:
    assert drawing(9, free_handicap_points(9, 13)) == THIRTEEN_ON_9X9.strip()
    four_gaps = {point for point in free_handicap_points(19, 13) if point not in fixed_handicap_points(19, 9)}
    assert {to_vertex(point) for point in four_gaps} == {"G7", "N7", "G13", "N13"}


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9])
def test_every_free_handicap_is_complete_and_legal(size: int) -> None:
    for stones in range(2, size * size):
        points = free_handicap_points(size, stones)
        assert len(set(points)) == len(points) == stones
        assert set(points) <= set(board_points(size))
    for stones in (2, size * size // 2, size * size - 1):
        board = Board(size)
        board.set_up([(BLACK, point) for point in free_handicap_points(size, max(2, stones))], BLACK)
        assert board.all_chains_breathe()


def test_the_edge_is_filled_last() -> None:
    inside = free_handicap_points(9, 7 * 7)
    assert not [vertex for vertex in map(to_vertex, inside) if vertex[0] in "AJ" or vertex[1:] in ("1", "9")]


def test_free_handicap_refuses_impossible_numbers() -> None:
    for stones in (-1, 0, 1, 81, 10**9):
        with pytest.raises(ValueError, match="invalid number of stones"):
            free_handicap_points(9, stones)
