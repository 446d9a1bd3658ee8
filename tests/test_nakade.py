"""Nakade: vital points, their defense, and the self-atari that kills; every shape in all its symmetries."""

from collections.abc import Callable

import pytest
from kernels_policy import fills_an_eye_space, find_vital_answer, find_vital_point

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, NO_POINT, WHITE, point_at, row_and_column, to_vertex

Diagram = Callable[..., Game]

SIZE = 7  # of the boards below

# The empty points of each eye space; `v` is the vital one.
VITAL = {
    "straight three": ". v .",
    "bent three": ". v / _ .",
    "pyramid four": ". v . / _ .",
    "bulky five": ". v . / . .",
    "crossed five": "_ . / . v . / _ .",
    "rabbity six": "_ . . / . v . / _ .",
}
NOTHING_VITAL = {
    "one": ".",
    "two": ". .",
    "straight four": ". . . .",
    "bent four": ". . . / . _",
    "zigzag four": ". . _ / _ . .",
    "square four": ". . / . .",
    "straight five": ". . . . .",
    "rectangular six": ". . . / . . .",
    "straight six": ". . . . . .",
}


def turned(shape: str) -> list[list[str]]:
    """The shape's rows in its eight symmetries."""
    rows = [row.split() for row in shape.split("/")]
    width = max(map(len, rows))
    square = [row + ["_"] * (width - len(row)) for row in rows]
    pictures = []
    for _ in range(4):
        square = [list(column) for column in zip(*square[::-1], strict=True)]
        pictures += [["".join(row) for row in square], ["".join(row[::-1]) for row in square]]
    return pictures


def spaces(shape: str, corner: int = 2) -> list[dict[str, list[int]]]:
    """For each symmetry: the points of each symbol, with the upper left one of the shape `corner` lines from the board's corner."""
    found = []
    for rows in turned(shape):
        points: dict[str, list[int]] = {}
        for down, row in enumerate(rows):
            for across, symbol in enumerate(row):
                if symbol != "_":
                    points.setdefault(symbol, []).append(point_at(SIZE - corner + 1 - down, corner + across))
        found.append(points)
    return found


def enclosed(points: dict[str, list[int]], owner: int = BLACK, holes: dict[int, int] | None = None) -> Game:
    """The board full of the owner's stones but for these points, with other colors at `holes`."""
    inside = {point for symbol in points.values() for point in symbol}
    stones = [(owner, point) for point in all_points() if point not in inside]
    game = Game(SIZE)
    game.set_up(stones + [(color, point) for point, color in (holes or {}).items()], BLACK + WHITE - owner)
    return game


def all_points() -> list[int]:
    """Every point of the board."""
    return [point_at(row, column) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1)]


# ---------------------------------------------------------------- vital points


@pytest.mark.parametrize("corner", [1, 2])
@pytest.mark.parametrize("owner", [BLACK, WHITE])
@pytest.mark.parametrize("name", VITAL)
def test_the_vital_point_is_found_from_anywhere(name: str, owner: int, corner: int) -> None:
    for points in spaces(VITAL[name], corner):
        game = enclosed(points, owner)
        for start in points["."] + points["v"]:
            assert find_vital_point(game.positions, start) == points["v"][0], to_vertex(start)


@pytest.mark.parametrize("corner", [1, 2])
@pytest.mark.parametrize("name", NOTHING_VITAL)
def test_other_spaces_have_none(name: str, corner: int) -> None:
    fitting = [points for points in spaces(NOTHING_VITAL[name], corner) if all(max(row_and_column(p)) <= SIZE for p in points["."])]
    for points in fitting:
        for start in points["."]:
            assert find_vital_point(enclosed(points).positions, start) == NO_POINT
    assert fitting


def test_a_space_of_both_colors_has_none() -> None:
    for points in spaces(VITAL["straight three"]):
        beside = min(points["."] + points["v"]) - 1
        game = enclosed(points)
        game.set_up([(WHITE if point == beside else color, point) for color, point in game.setup_stones], WHITE)
        assert find_vital_point(game.positions, points["v"][0]) == NO_POINT


def test_open_board_has_none() -> None:
    assert find_vital_point(Game(9).positions, point_at(5, 5)) == NO_POINT


# ---------------------------------------------------------------- the answer to an intruder


def intruded(points: dict[str, list[int]], intruder: int) -> Game:
    """Black's eye space with White's stone just played on `intruder`."""
    game = enclosed(points)
    game.play(WHITE, intruder)
    return game


@pytest.mark.parametrize("name", VITAL)
def test_a_stone_beside_the_vital_point_is_answered_there(name: str) -> None:
    for points in spaces(VITAL[name]):
        for intruder in points["."]:
            assert find_vital_answer(intruded(points, intruder).positions) == points["v"][0]


@pytest.mark.parametrize("name", VITAL)
def test_a_stone_on_the_vital_point_has_no_answer(name: str) -> None:
    for points in spaces(VITAL[name]):
        assert find_vital_answer(intruded(points, points["v"][0]).positions) == NO_POINT


@pytest.mark.parametrize("shape", [". a b .", ". a / _ b .", ". a / _ b / _ ."])
def test_two_middle_points_of_a_four_are_the_same(shape: str) -> None:
    """Whoever takes one, the other keeps it alive."""
    for points in spaces(shape):
        for intruder, answer in (("a", "b"), ("b", "a")):
            assert find_vital_answer(intruded(points, points[intruder][0]).positions) == points[answer][0]


@pytest.mark.parametrize("name", ["square four", "straight five", "rectangular six"])
def test_a_dead_or_safe_space_has_no_answer(name: str) -> None:
    for points in spaces(NOTHING_VITAL[name]):
        for intruder in points["."]:
            assert find_vital_answer(intruded(points, intruder).positions) == NO_POINT


def test_a_move_on_the_open_board_has_no_answer() -> None:
    game = Game(9)
    game.play(BLACK, point_at(5, 5))
    assert find_vital_answer(game.positions) == NO_POINT
    game.play(WHITE, point_at(1, 1))
    assert find_vital_answer(game.positions) == NO_POINT


# ---------------------------------------------------------------- filling to kill

# O inside an eye space that has one more empty point; at `a` White would fill it but for one.
FILLED = {
    "two of three": (True, "a O ."),
    "three of four": (True, "a O . / _ O"),
    "square of five": (True, "O O . / O a"),
    "pyramid of five": (True, "O O O . / _ a"),
    "bulky five of six": (True, "O O O . / O a"),
    "crossed five of six": (True, "_ O / a O O . / _ O"),
    "straight four of five": (False, "a O O O ."),
    "bent four of five": (False, "O O O . / a _"),
    "straight five of six": (False, "a O O O O ."),
}


@pytest.mark.parametrize("name", FILLED)
def test_only_shapes_that_kill_are_filled(name: str) -> None:
    expected, shape = FILLED[name]
    for points in spaces(shape, 1):
        game = enclosed(points, BLACK, dict.fromkeys(points.get("O", []), WHITE))
        assert fills_an_eye_space(game.positions, points["a"][0], WHITE) == expected


def test_a_space_that_is_not_nearly_full_is_not_being_filled() -> None:
    """Two empty points left: no self-atari, and nothing said about it."""
    for points in spaces("a O . ."):
        game = enclosed(points, BLACK, dict.fromkeys(points["O"], WHITE))
        assert not fills_an_eye_space(game.positions, points["a"][0], WHITE)


def test_stones_thrown_away_outside_are_no_nakade(diagram: Diagram) -> None:
    """White's three stones would stand in atari after A7, but their last liberty leads to open board."""
    game = diagram(
        """
        . O O . . . .
        X X X X . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    assert not fills_an_eye_space(game.positions, point_at(7, 1), WHITE)


def test_taking_a_ko_counts_as_filling(diagram: Diagram) -> None:
    """White's stone at C3 would stand in atari after it has taken D3, and no empty point is beside it: playouts may do that."""
    game = diagram(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . X O . . .
        . X . X O . .
        . . X O . . .
        . . . . . . .
        """
    )
    assert fills_an_eye_space(game.positions, point_at(3, 3), WHITE)
