"""What a move is charged for, when an area is gone, and how surely a score tells strength: from numbers alone."""

import numpy as np
import pytest
from conftest import draw_game

from gtp_engine.go.points import BLACK, POINTS, WHITE, from_vertex
from gtp_engine.tools.match.elo import Tally, elo_interval, score_interval
from gtp_engine.tools.review.area_reasons import Expected, lost_area
from gtp_engine.tools.review.standing import Omission, charges

SIZE = 9
HERE, THERE, ELSEWHERE = (from_vertex(vertex, SIZE) for vertex in ("C3", "E5", "G7"))


def charged(*moves: Omission) -> list[tuple[float, int]]:
    return [(charge.loss, charge.since) for charge in charges(moves)]


def black(loss: float, missed: int | None = THERE, point: int = HERE) -> Omission:
    return Omission(BLACK, point, loss, missed)


def test_what_was_missed_is_charged_once_and_what_it_costs_more_later_then() -> None:
    assert charged(black(5.0), black(5.0), black(8.0), black(6.0), black(9.0)) == [(5.0, 0), (0.0, 1), (3.0, 1), (0.0, 1), (1.0, 1)]


def test_another_point_or_another_player_is_charged_anew() -> None:
    assert charged(black(5.0), Omission(WHITE, ELSEWHERE, 4.0, THERE), black(5.0, ELSEWHERE)) == [(5.0, 0), (4.0, 0), (5.0, 0)]


def test_when_somebody_has_played_there_it_can_be_missed_anew() -> None:
    assert charged(black(5.0), black(0.0, None, THERE), black(5.0)) == [(5.0, 0), (0.0, 0), (5.0, 0)]
    assert charged(black(5.0), Omission(WHITE, THERE, 0.0, None), black(5.0))[-1] == (5.0, 0)


def test_a_move_that_gains_or_misses_nothing_is_charged_for_nothing_and_remembered_for_nothing() -> None:
    assert charged(black(-2.0), black(5.0)) == [(0.0, 0), (5.0, 0)]
    assert charged(black(3.0, None), black(5.0)) == [(3.0, 0), (5.0, 0)]


# ---------------------------------------------------------------- areas


def owners(best: float, after: float, points: str, loss: float = 3.0) -> Expected:
    """Every point is open but these, which are the player's so surely after the better move, and after the one that was played."""
    arrays = np.zeros((2, POINTS))
    for vertex in points.split():
        arrays[:, from_vertex(vertex, SIZE)] = best, after
    return Expected(arrays[0], arrays[1], loss)


EMPTY_BOARD = "\n".join([" ".join("." * SIZE)] * SIZE)
THREE = "A1 B1 C1"
PLAYED, BETTER = from_vertex("A7", SIZE), from_vertex("D2", SIZE)


@pytest.mark.parametrize(
    ("best", "after", "points", "loss", "is_gone"),
    [
        (0.8, -0.2, THREE, 3.0, True),
        (0.75, -0.1, "B1 C1", 3.0, True),  # 1.6 points
        (0.6, -0.1, "B1 C1", 3.0, False),  # 1.4 points
        (0.8, 0.01, THREE, 3.0, False),  # no point changes by four fifths
        (0.8, -0.2, THREE, 7.5, True),
        (0.8, -0.2, THREE, 7.6, False),  # less than four tenths of what the mistake cost
        (0.8, -0.2, THREE, 1.0, True),
        (0.8, -0.2, THREE, 0.99, False),  # more than three times that: another game
        (0.2, -0.8, THREE, 3.0, True),
        (0.5, -0.8, THREE, 3.0, True),
        (0.8, -0.2, "A1 B1 D1 E1 G1", 3.0, True),  # four tenths of all that was gained
        (0.8, -0.2, "A1 B1 D1 E1 G1 J1", 3.0, False),  # less
        (-1.0, 1.0, THREE, 3.0, False),
        (0.5, -0.5, " ".join(f"{column}{row}" for column in "ABCDEFGHJ" for row in (1, 2, 3, 4)), 20.0, False),  # four of nine rows
    ],
)
def test_when_an_area_is_gone(best: float, after: float, points: str, loss: float, is_gone: bool) -> None:
    reason = lost_area(draw_game(EMPTY_BOARD), WHITE, owners(best, after, points, loss), (PLAYED, BETTER))
    assert (reason is not None) is is_gone


@pytest.mark.parametrize(
    ("best", "text"),
    [
        (0.5, "After A7, Black will probably get the territory around B1; D2 would have kept it for White."),
        (0.3, "D2 would probably have gained points around B1."),
    ],
)
def test_that_an_area_changes_hands_is_only_said_where_it_is_clear(best: float, text: str) -> None:
    reason = lost_area(draw_game(EMPTY_BOARD), WHITE, owners(best, -0.9, THREE, 3.0), (PLAYED, BETTER))
    assert reason is not None and reason.text == text


def test_an_area_whose_points_change_little_on_average_is_not_named() -> None:
    """A1 changes by 1.4; A1 to C1 by 0.45 on average, or with C1 less by 0.38."""
    for last, is_named in ((0.3, True), (0.1, False)):
        expected = owners(0.7, -0.7, "A1", 2.0)
        for vertex, owned in (("B1", 0.4), ("C1", last), ("D1", 0.3)):
            expected.best[from_vertex(vertex, SIZE)] = owned
        reason = lost_area(draw_game(EMPTY_BOARD), WHITE, expected, (PLAYED, BETTER))
        assert (reason is not None) is is_named


@pytest.mark.parametrize(("better", "is_named"), [("D2", True), ("E1", True), ("E2", False), ("G7", False)])
def test_an_area_far_from_the_better_move_is_not_named(better: str, is_named: bool) -> None:
    reason = lost_area(draw_game(EMPTY_BOARD), BLACK, owners(0.8, -0.2, THREE), (PLAYED, from_vertex(better, SIZE)))
    assert (reason is not None) is is_named


@pytest.mark.parametrize(
    ("best", "after", "loss", "text"),
    [
        (0.8, -0.2, 2.0, "D2 would probably have gained points around B1."),
        (0.3, -1.0, 3.0, "After A7, Black will probably get the territory around B1; D2 would have prevented that."),
        (0.8, -0.8, 5.0, "After A7, Black will probably get the territory around B1; D2 would have kept it for White."),
    ],
)
def test_what_is_said_of_an_area(best: float, after: float, loss: float, text: str) -> None:
    reason = lost_area(draw_game(EMPTY_BOARD), WHITE, owners(best, after, THREE, loss), (PLAYED, BETTER))
    assert reason is not None and (reason.kind, reason.text) == ("area", text)


def test_where_an_area_is() -> None:
    """A small one around a point; a larger one by the part of the board in which most of the gain is."""
    for points, better, where in (
        ("C2 D1 D2 D3 E2", "D2", "around D2"),
        ("C2 D1 D2 D3 E2", "E2", "around D2"),
        ("A1 B1 C1 A2 B2 C2 A3 B3 C3", "D2", "in the lower left"),
        ("G7 H7 J7 G8 H8 J8 G9 H9 J9", "G6", "in the upper right"),
        ("A4 B4 C4 A5 B5 C5 A6 B6 C6", "D5", "on the left side"),
        ("D1 E1 F1 D2 E2 F2 D3 E3 F3", "E4", "on the lower side"),
        ("D4 E4 F4 D5 E5 F5 D6 E6 F6", "E7", "in the center"),
        ("F1 G1 H1 F2 G2 H2 F3 G3 H3 H4 H5 H6", "H7", "as far as the lower right"),
    ):
        moves = PLAYED, from_vertex(better, SIZE)
        reason = lost_area(draw_game(EMPTY_BOARD), WHITE, owners(0.8, -0.2, points, 4.0), moves)
        assert reason is not None and reason.text == f"{better} would probably have gained points {where}."


@pytest.mark.parametrize(
    ("row", "color", "text"),
    [
        (". X X . . . . . .", BLACK, "After A7, Black's 2 stones at C1 will probably be lost; D2 would have saved them."),
        (". X X . . . . . .", WHITE, "After D2, Black's 2 stones at C1 would probably have been lost."),
        (
            ". X . . . . . . .",
            WHITE,
            "After A7, Black will probably get the territory around B1; D2 would have kept it for White.",
        ),  # a single stone may be a sacrifice
        ("O X X . . . . . .", WHITE, "After D2, Black's 2 stones at C1 would probably have been lost."),
        ("O O X . . . . . .", WHITE, "After A7, White's 2 stones at B1 will probably be lost; D2 would have saved them."),
    ],
)
def test_what_is_said_of_stones(row: str, color: int, text: str) -> None:
    board = "\n".join([*EMPTY_BOARD.splitlines()[:-1], row])
    reason = lost_area(draw_game(board), color, owners(0.8, -0.8, THREE, 5.0), (PLAYED, BETTER))
    assert reason is not None and reason.text == text


def test_stones_that_nothing_saves_for_sure_are_not_said_to_be_saved() -> None:
    board = "\n".join([*EMPTY_BOARD.splitlines()[:-1], ". X X . . . . . ."])
    reason = lost_area(draw_game(board), BLACK, owners(0.3, -1.0, THREE), (PLAYED, BETTER))
    assert reason is not None and reason.text == "After A7, White will probably get the territory around B1; D2 would have prevented that."


# ---------------------------------------------------------------- Elo


@pytest.mark.parametrize(
    ("tally", "alike"),
    [
        (Tally(25, 50, 25), Tally(100, 0, 100)),  # a draw in two: twice as many games
        (Tally(1, 98, 1), Tally(200, 0, 200)),  # nearly all drawn: four times as many, and no more
        (Tally(0, 50, 0), Tally(25, 0, 25)),  # all drawn: of these no variance tells anything
    ],
)
def test_draws_count_as_more_games_but_not_as_countless(tally: Tally, alike: Tally) -> None:
    assert score_interval(tally) == pytest.approx(score_interval(alike))
    assert elo_interval(tally) == pytest.approx(elo_interval(alike))
