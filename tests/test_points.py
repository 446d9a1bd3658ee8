"""Names and numbers of points: every vertex there and back, and everything that is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.go.points import (
    BLACK,
    COLUMN_LETTERS,
    MAX_SIZE,
    MIN_SIZE,
    NO_POINT,
    PASS,
    POINTS,
    RESIGN,
    STRIDE,
    WHITE,
    board_points,
    from_color_name,
    from_vertex,
    is_on_board,
    opponent,
    point_at,
    row_and_column,
    to_color_name,
    to_vertex,
    vertices,
)


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_every_point_has_a_vertex_and_comes_back(size: int) -> None:
    points = list(board_points(size))
    assert len(set(points)) == size * size
    for point in points:
        assert from_vertex(to_vertex(point), size) == point
        assert from_vertex(to_vertex(point).lower(), size) == point
        assert point_at(*row_and_column(point)) == point


def test_some_vertices_by_hand() -> None:
    assert [to_vertex(point) for point in (21, 22, 41, point_at(1, 9), point_at(19, 19))] == ["A1", "B1", "A2", "J1", "T19"]
    assert to_vertex(PASS) == "pass"
    assert to_vertex(RESIGN) == "resign"
    assert [from_vertex(text, 9) for text in ("pass", "PASS", "a1", "J9")] == [PASS, PASS, 21, point_at(9, 9)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I5",
        "i5",
        "Z1",
        "A0",
        "A10",
        "K1",
        "A",
        "1",
        "5A",
        "A01",
        "A+1",
        "A-1",
        "A1 ",
        " A1",
        "AA1",
        "A1.0",
        "resign",
        "A٣",
        "A²",
        "Ä1",
        "\0",
    ],
)
def test_what_is_no_vertex_of_a_9x9_board(text: str) -> None:
    with pytest.raises(ValueError, match="not a vertex"):
        from_vertex(text, 9)


@given(st.text(), st.integers(MIN_SIZE, MAX_SIZE))
def test_any_text_is_a_point_of_the_board_or_refused(text: str, size: int) -> None:
    try:
        point = from_vertex(text, size)
    except ValueError:
        return
    assert to_vertex(point).lower() == text.lower()
    assert point == PASS or is_on_board(point, size)


@pytest.mark.parametrize("size", [MIN_SIZE, 9, MAX_SIZE])
def test_only_board_points_are_on_the_board(size: int) -> None:
    inside = set(board_points(size))
    assert {point for point in range(POINTS) if is_on_board(point, size)} == inside
    assert not inside & {NO_POINT, PASS, RESIGN}


def test_all_eight_neighbors_of_any_point_are_inside_the_arrays() -> None:
    steps = [STRIDE, STRIDE + 1, 1, 1 - STRIDE]
    for point in board_points(MAX_SIZE):
        assert all(0 <= point + sign * step < POINTS for step in steps for sign in (1, -1))
        beside = [point + STRIDE, point - STRIDE, point + 1, point - 1]
        distances = [
            abs(row - row_and_column(point)[0]) + abs(column - row_and_column(point)[1]) for row, column in map(row_and_column, beside)
        ]
        on_board = [is_on_board(neighbor, MAX_SIZE) for neighbor in beside]
        assert all(distance == 1 for distance, there in zip(distances, on_board, strict=True) if there)


def test_column_letters_leave_out_i() -> None:
    assert len(COLUMN_LETTERS) == MAX_SIZE
    assert "I" not in COLUMN_LETTERS


def test_colors() -> None:
    assert [from_color_name(text) for text in ("b", "B", "black", "BLACK", "w", "White")] == [BLACK] * 4 + [WHITE] * 2
    assert (opponent(BLACK), opponent(WHITE)) == (WHITE, BLACK)
    assert [to_color_name(color) for color in (BLACK, WHITE)] == ["black", "white"]
    for text in ("", "bl", "weiss", "empty", "1", "b w"):
        with pytest.raises(ValueError, match="not a color"):
            from_color_name(text)


def test_points_on_one_line() -> None:
    assert vertices([from_vertex("D4", 9), PASS, from_vertex("J9", 9)]) == "D4 pass J9"
    assert vertices([]) == ""
