"""The komi of framed problems by searches."""

from pathlib import Path

import pytest
from conftest import draw_game

from gtp_engine.cli.main import main
from gtp_engine.engine.search.search import Limits
from gtp_engine.engine.solver.problem import Problem
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.sgf import load
from gtp_engine.tools.problems.brought import Framed, framed
from gtp_engine.tools.problems.even_komi import MOST_STEPS, Judge, even_komi, judge_engine, middle_komi, searched_komi

# Black to play lives with B1 or dies by it.
CORNER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    O O O O O . . . .
    X X X X O . . . .
    . . . X O . . . .
"""


def judge_by_score(black_scores: dict[int, float], asked: list[float], steepness: float = 0.05) -> Judge:
    """Knows Black's score on the board for either color to play first; a lead of ten points is sure to win."""

    def judge(game: Game, color: int, komi: float) -> tuple[float, float]:
        asked.append(komi)
        lead = (black_scores[color] - komi) * (1 if color == BLACK else -1)
        return min(max(0.5 + steepness * lead, 0.0), 1.0), lead

    return judge


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("start", [-40.5, 0.5, 70.5])
def test_even_chances_are_found(color: int, start: float) -> None:
    asked: list[float] = []
    assert abs(even_komi(Game(9), color, start, judge_by_score({color: 12.0}, asked)) - 12.0) <= 2.0
    assert len(asked) <= 3  # a search that knows the score says where to look


def test_a_search_whose_leads_mislead_is_asked_between_what_is_known() -> None:
    """It calls every lead 60 points."""
    asked: list[float] = []
    knowing = judge_by_score({BLACK: 10.0}, asked)

    def judge(game: Game, color: int, komi: float) -> tuple[float, float]:
        win_rate, lead = knowing(game, color, komi)
        return win_rate, 60.0 if lead > 0 else -60.0

    assert abs(even_komi(Game(9), BLACK, 0.5, judge) - 10.0) <= 6.0
    assert len(asked) <= MOST_STEPS


def test_a_game_that_hangs_on_half_a_point_ends_the_search() -> None:
    asked: list[float] = []
    assert even_komi(Game(9), BLACK, 6.5, judge_by_score({BLACK: 7.0}, asked, steepness=10.0)) in (6.5, 7.5)
    assert len(asked) < MOST_STEPS


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_the_middle_lets_the_first_move_decide(to_play: int) -> None:
    game = Game(9)
    game.positions[0]["to_play"] = to_play
    found = Framed(game, WHITE, -30.5, frozenset())
    assert middle_komi(found, judge_by_score({BLACK: 20.0, WHITE: -10.0}, [])) == pytest.approx(5.0, abs=1.5)


def test_the_engine_finds_a_komi_with_which_the_corner_decides() -> None:
    """Five stones and three points live or die: whoever plays B1 wins."""
    found = framed(Problem("corner", draw_game(CORNER, BLACK), set(), set()), margin=1)
    engine = judge_engine(9)
    komi = searched_komi(found, engine, Limits(400, None, early_stop=False))
    assert komi % 1.0 == 0.5
    assert searched_komi(found, judge_engine(9), Limits(400, None, early_stop=False)) == komi  # the same every time
    for color in (BLACK, WHITE):
        engine.state.set_game(found.game.copy())
        engine.state.komi = komi
        assert engine.examine(color, Limits(400, None, early_stop=False)).best.win_rate > 0.5


def test_the_command_takes_the_komi_of_searches(tmp_path: Path) -> None:
    from gtp_engine.sgf import dump_problem

    problem = tmp_path / "corner.sgf"
    problem.write_text(dump_problem(draw_game(CORNER, BLACK), 0.0, BLACK, [], "a corner"), encoding="utf-8")
    komis = []
    for playouts in ("200", "0"):
        output = tmp_path / playouts
        assert main(["frame", str(problem), "--margin", "1", "--playouts", playouts, "--output", str(output)]) == 0
        komis.append(load(output / "corner.sgf").komi)
    found = framed(Problem("corner", draw_game(CORNER, BLACK), set(), set()), margin=1)
    assert komis[1] == found.komi
    assert komis[0] == searched_komi(found, judge_engine(9), Limits(200, None, early_stop=False))


def test_a_number_of_playouts_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["frame", "x.sgf", "--playouts", "-1", "--output", str(tmp_path)])
    assert "is not a number from 0" in capsys.readouterr().err
