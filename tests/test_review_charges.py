"""What a move is charged for, when an area is gone, and how surely a score tells strength: from numbers alone."""

import numpy as np
import pytest
from conftest import draw_game

from gtp_engine.go.points import BLACK, WHITE, from_vertex
from gtp_engine.tools.match.elo import Tally, elo_interval, score_interval
from gtp_engine.tools.review.area_reasons import DROP, LONG, MINE, Expected, expected, lost_area
from gtp_engine.tools.review.model import Evaluation
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


def owners(best: float, after: float, points: str) -> Expected:
    """Every point is open but these, which are the player's so surely after the better move, and after the one that was played."""
    arrays = np.zeros((2, 1000))
    for vertex in points.split():
        arrays[:, from_vertex(vertex, SIZE)] = best, after
    return Expected(arrays[0], arrays[1])


EMPTY_BOARD = "\n".join([" ".join("." * SIZE)] * SIZE)
THREE = "A1 B1 C1"


@pytest.mark.parametrize(
    ("best", "after", "points", "is_gone"),
    [
        (0.8, 0.2, THREE, True),
        (MINE, MINE - DROP, THREE, True),
        (MINE - 0.01, -1.0, THREE, False),  # it was not to be the player's
        (0.8, 0.8 - DROP + 0.01, THREE, False),  # it is less sure, not gone
        (0.8, -1.0, "A1 B1", False),  # too small
        (0.8, -1.0, "A1 B1 D1 E1", False),  # two small ones
        (0.8, -1.0, "A1 B1 G7", False),  # the better move's own point is no area
        (-1.0, 1.0, THREE, False),
    ],
)
def test_when_an_area_is_gone(best: float, after: float, points: str, is_gone: bool) -> None:
    reason = lost_area(draw_game(EMPTY_BOARD), BLACK, owners(best, after, points), ELSEWHERE)
    assert (reason is not None) is is_gone


def test_what_is_said_of_an_area() -> None:
    reason = lost_area(draw_game(EMPTY_BOARD), WHITE, owners(0.8, 0.2, THREE), ELSEWHERE)
    assert reason is not None and reason.kind == "area"
    assert reason.text == "G7 keeps about 3 points around B1 for White, as the engine expects the game to go."


@pytest.mark.parametrize(
    ("row", "color", "text"),
    [
        (". X X . . . . . .", BLACK, "G7 keeps Black's 2 stones around C1 safe"),
        (". X X . . . . . .", WHITE, "G7 captures Black's 2 stones around C1"),
        (". X . . . . . . .", WHITE, "G7 keeps about 3 points around B1 for White"),  # a single stone may be a sacrifice
        ("O X X . . . . . .", WHITE, "G7 captures Black's 2 stones around C1"),
        ("O O X . . . . . .", WHITE, "G7 keeps White's 2 stones around B1 safe"),
    ],
)
def test_what_is_said_of_stones(row: str, color: int, text: str) -> None:
    board = "\n".join([*EMPTY_BOARD.splitlines()[:-1], row])
    reason = lost_area(draw_game(board), color, owners(0.8, -0.8, THREE), ELSEWHERE)
    assert reason is not None and reason.text == f"{text}, as the engine expects the game to go."


def test_only_long_searches_expect_anything() -> None:
    ownership = np.linspace(-1.0, 1.0, 1000)
    long = Evaluation(BLACK, 0.5, 0.0, ownership, simulations=LONG)
    assert expected(BLACK, None, long) is None
    assert expected(BLACK, ownership, Evaluation(BLACK, 0.5, 0.0, ownership, simulations=LONG - 1)) is None
    for color, sign in ((BLACK, 1.0), (WHITE, -1.0)):
        found = expected(color, ownership, long)
        assert found is not None and np.array_equal(found.best, ownership) and np.array_equal(found.after, sign * ownership)


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
