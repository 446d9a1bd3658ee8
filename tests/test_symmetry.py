"""Moves that turn into each other with the board are told alike."""

import pytest
from conftest import build_small_engine, draw_game
from review_samples import review_of

from gtp_engine.engine.search.search import Limits
from gtp_engine.engine.search.symmetry import board_symmetries
from gtp_engine.go.points import BLACK, from_vertex, to_vertex

EMPTY = "\n".join([". . . . ."] * 5)


@pytest.mark.parametrize(
    ("drawing", "count"),
    [
        (EMPTY, 8),
        (EMPTY.replace(". . . . .\n. . . . .\n.", ". . . . .\n. . X . .\n.", 1), 2),  # one stone on a middle line
        (". . . . .\n. X . O .\n. . . . .\n. O . X .\n. . . . .", 4),
        (". . . . .\n. X . . .\n. . . O .\n. . . . .\n. . . . .", 1),
    ],
)
def test_how_often_a_board_turns_into_itself(drawing: str, count: int) -> None:
    assert len(board_symmetries(draw_game(drawing))) == count


def test_after_a_ko_no_board_turns_into_itself() -> None:
    game = draw_game(". . . . .\n. X O . .\nX O . O .\n. X O . .\n. . . . .")
    assert len(board_symmetries(game)) == 2
    game.play(BLACK, from_vertex("C3", 5))
    assert game.ko_point() and board_symmetries(game) == [0]


def test_the_corners_of_an_empty_board_are_worth_the_same() -> None:
    engine = build_small_engine()
    engine.state.set_board_size(5)
    result = engine.examine(BLACK, Limits(60))
    corners = [each for each in result.candidates if to_vertex(each.point) in ("B2", "B4", "D2", "D4")]
    assert len(corners) == 4 and len({(each.visits, each.win_rate, each.score, each.prior) for each in corners}) == 1
    assert all(each.variation[0] == each.point for each in result.candidates)
    assert not {each.point for each in result.candidates} & {point for point, _ in result.unvisited}
    avoided = engine.examine(BLACK, Limits(60), {(BLACK, from_vertex("B2", 5)): 1})
    assert "B2" not in {to_vertex(each.point) for each in avoided.candidates}


def test_a_review_calls_a_twin_of_the_best_move_the_best() -> None:
    review = review_of("(;SZ[5]KM[0];B[cc])")
    best = review.evaluations[0].candidates[0]
    twins = [each.point for each in review.evaluations[0].candidates if each.score == best.score and each.visits == best.visits]
    for point in twins:
        letters = "abcde"["ABCDE".index(to_vertex(point)[0])] + "edcba"[int(to_vertex(point)[1]) - 1]
        (move,) = review_of(f"(;SZ[5]KM[0];B[{letters}])").moves
        assert move.best is not None and move.best.point == point and move.loss == 0.0
