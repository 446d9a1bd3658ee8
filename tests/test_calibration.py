"""Win rates as they are shown, the one lead that every command tells, and the command that fits and measures."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import Client, draw_game
from review_samples import record_of

from gtp_engine import sgf
from gtp_engine.cli.main import main
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, RESIGN, WHITE
from gtp_engine.go.rules import CHINESE
from gtp_engine.gtp.engine_loader import EngineLoader
from gtp_engine.player.calibration import AS_FOUND, UNCALIBRATED, Calibration, Scale, calibrated, stretched
from gtp_engine.player.engine import Engine, warn_on_stderr
from gtp_engine.player.evaluators import Evaluators
from gtp_engine.player.levels.chooser import LevelChooser
from gtp_engine.review.examiner import Examiner, SearchedPosition
from gtp_engine.review.model import Evaluation
from gtp_engine.search.params import MIXED, NETWORK, PLAYOUTS, SearchParams
from gtp_engine.search.search import Limits
from gtp_engine.terminal.game import TerminalGame
from gtp_engine.terminal.view import PlainView
from gtp_engine.tools.calibration import SAMPLE, after, as_table, calibration_error, error_by_chance, fit, reliability

THRICE = Scale(3.0, 0.1, 2.0)
PARAMS = SearchParams(threads=1, seed=1, memory=16, evaluator=NETWORK)

# Black has the larger side; nothing is settled along the border.
OPEN_GAME = """
    . . . . . . . . .
    . . X . . O . . .
    . . X . . O . O .
    . . . X O . . . .
    . . . X O . . . .
    . . . X . O . O .
    . X . . X O . . .
    . . . . X . . . .
    . . . . . . . . .
"""
FINISHED = """
    . X X O . O
    X . X O O .
    X X X O . O
    . X O O O .
    X X O . O O
    . X O O . O
"""


def engine_at(game: Game, calibration: Calibration | None = None, params: SearchParams = PARAMS, komi: float = 7.5) -> Engine:
    """An engine at this position; its win rates are calibrated the usual way unless told."""
    engine = Engine(params, CHINESE, komi, game.size, evaluators=Evaluators(warn_on_stderr, calibration))
    engine.state.set_game(game)
    return engine


def made_up(count: int, multiplier: float) -> np.ndarray:
    """Positions whose win rates are wrong by this multiplier."""
    random = np.random.default_rng(3)
    samples = np.zeros(count, SAMPLE)
    samples["win_rate"] = random.uniform(0.02, 0.98, count)
    samples["won"] = random.random(count) < after(samples["win_rate"], multiplier)
    samples["margin"] = np.nan
    samples["filled"], samples["rank"] = random.random(count), random.integers(0, 38, count)
    return samples


# ---------------------------------------------------------------- numbers


def test_calibrating_moves_win_rates_away_from_the_middle_and_keeps_their_order() -> None:
    rates = [0.0, 0.02, 0.3, 0.5, 0.7, 0.98, 1.0]
    found = [calibrated(rate, Scale(2.0)) for rate in rates]
    assert found == sorted(found)
    assert [found[0], found[3], found[-1]] == [0.0, 0.5, 1.0], "what is proved stays, and an even game is even"
    assert found[2] < 0.3
    assert found[4] == pytest.approx(0.49 / 0.58)
    assert found[1] + found[5] == pytest.approx(1.0), "both players' win rates add up"
    assert [calibrated(rate, AS_FOUND) for rate in rates] == rates


def test_large_leads_are_shown_larger() -> None:
    scale = Scale(1.0, 7.0, 2.0)
    leads = [-27.0, -7.0, 0.0, 3.5, 7.0, 8.0, 27.0]
    assert [stretched(lead, scale) for lead in leads] == [-47.0, -7.0, 0.0, 3.5, 7.0, 9.0, 47.0]
    assert [stretched(lead, AS_FOUND) for lead in leads] == leads
    calibration = Calibration(AS_FOUND, scale)
    assert calibration.scale(PARAMS, 19) == scale
    assert calibration.scale(PARAMS, 14).lead_beyond == pytest.approx(1.5), "half as far from 9 lines as 19"


def test_the_multiplier_is_found_again() -> None:
    samples = made_up(20_000, 2.5)
    multiplier = fit(samples)
    assert multiplier == pytest.approx(2.5, abs=0.1)
    raw = calibration_error(samples["win_rate"], samples["won"])
    now = after(samples["win_rate"], multiplier)
    assert raw > 0.08
    assert calibration_error(now, samples["won"]) < 0.015
    assert error_by_chance(now) < 0.01


def test_bins_hold_what_belongs_to_them() -> None:
    rows = reliability(np.array([0.05, 0.07, 0.95, 1.0]), np.array([0.0, 1.0, 1.0, 1.0]))
    assert [(row.positions, row.found) for row in rows] == [(2, 0.5), (2, 1.0)]
    assert [row.expected for row in rows] == pytest.approx([0.06, 0.975])
    assert calibration_error(np.array([0.05, 0.07, 0.95, 1.0]), np.array([0.0, 1.0, 1.0, 1.0])) == pytest.approx((0.44 + 0.025) / 2)


def test_the_table_has_the_parts_of_the_game_and_the_ranks() -> None:
    text = as_table(made_up(500, 1.5), 1.5)
    for name in ("all", "0-15 %", "30-45 %", "30k-20k", "dan players"):
        assert f"| {name}" in text


# ---------------------------------------------------------------- what is shown


def test_only_what_was_measured_is_calibrated() -> None:
    calibration = Calibration(Scale(1.5), Scale(2.5))
    assert calibration.scale(PARAMS, 9) == Scale(1.5)
    assert calibration.scale(PARAMS, 19) == Scale(2.5)
    for params in (SearchParams(evaluator=PLAYOUTS), SearchParams(evaluator=MIXED), SearchParams(network="own.onnx")):
        assert calibration.scale(params, 9) == AS_FOUND


def test_an_engine_shows_what_is_calibrated_and_plays_the_same() -> None:
    game = draw_game(OPEN_GAME)
    params = replace(PARAMS, playouts=40)
    plain, engine = engine_at(game, UNCALIBRATED, params), engine_at(game, Calibration(THRICE, THRICE), params)
    found, shown = (each.examine(BLACK, Limits(40)) for each in (plain, engine))
    assert shown.win_rate == pytest.approx(calibrated(found.win_rate, THRICE))
    assert [each.point for each in shown.candidates] == [each.point for each in found.candidates]
    for one, other in zip(shown.candidates, found.candidates, strict=True):
        assert one.win_rate == pytest.approx(calibrated(one_rate := other.win_rate, THRICE)), one_rate
        assert one.lower_bound <= one.win_rate
        assert one.score == pytest.approx(stretched(other.score, THRICE))
    assert abs(found.score) > THRICE.lead_found, "or this would not see leads"
    assert shown.score == pytest.approx(stretched(found.score, THRICE))
    moves = []
    for each in (plain, engine):
        each.seed = 5
        moves.append(each.choose_move(BLACK))
    assert moves[0] == moves[1]
    assert plain.last_result
    assert engine.last_result
    assert engine.last_result.win_rate == pytest.approx(calibrated(plain.last_result.win_rate, THRICE))


def test_giving_up_goes_by_the_search_s_own_win_rate() -> None:
    """With the calibrated one, the threshold would mean something else."""
    game = draw_game(OPEN_GAME)
    komis = [7.5 + 2.0 * step for step in range(20)]
    rates = {komi: engine_at(game, UNCALIBRATED, komi=komi).examine(BLACK, Limits(40)).best.win_rate for komi in komis}
    komi = next(komi for komi in komis if rates[komi] < 0.45)
    assert calibrated(rates[komi], Scale(9.0)) < rates[komi] - 0.02
    params = SearchParams(
        threads=1, seed=1, memory=16, evaluator=NETWORK, playouts=40, resign_threshold=rates[komi] - 0.01, resign_moves=1, resign_after=0.0
    )
    engine = engine_at(game, Calibration(Scale(9.0), Scale(9.0)), params, komi)
    assert engine.choose_move(BLACK) != RESIGN
    assert engine.last_result
    assert engine.last_result.best.win_rate < params.resign_threshold


def test_a_level_s_win_rates_stay_as_found() -> None:
    game = draw_game(OPEN_GAME)
    rates = []
    for calibration in (UNCALIBRATED, Calibration(THRICE, THRICE)):
        engine = engine_at(game, calibration)
        engine.set_chooser(LevelChooser(10))
        rates.append(engine.examine(BLACK, Limits(40)).win_rate)
    assert rates[0] == rates[1]


# ---------------------------------------------------------------- one judgement


def lead_of_text(text: str) -> float:
    """Black's lead from `B+3.5`, `White leads by 2, ...` or an even score."""
    match = re.search(r"(B|W)\w*(?:\+| leads by )(\d+(?:\.\d+)?)", text)
    return 0.0 if match is None else (1 if match[1] == "B" else -1) * float(match[2])


def test_analysis_review_play_and_final_score_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """One position, asked in four ways; of the review its long search."""
    game = draw_game(OPEN_GAME)
    analysis = engine_at(game).examine(BLACK, Limits(150))
    record = record_of(sgf.dump(game, 7.5, CHINESE))
    found: list[Evaluation] = []
    Examiner(PARAMS, Evaluators(warn_on_stderr)).examine(
        record, [SearchedPosition(0, 150)], lambda question, evaluation: found.append(evaluation)
    )
    engine = engine_at(game)
    client = Client(EngineLoader(lambda: engine))
    final = lead_of_text(client.ok("final_score"))
    typed = iter(["score"])
    TerminalGame(engine, {BLACK, WHITE}, PlainView(), lambda prompt: next(typed, "quit")).run()
    said = lead_of_text(capsys.readouterr().out)
    leads = [analysis.score, found[0].lead, final, said]
    assert max(leads) - min(leads) < 1.5, leads
    assert said == final
    assert abs(analysis.win_rate - found[0].win_rate) < 0.15


def test_a_settled_position_is_counted() -> None:
    engine = engine_at(draw_game(FINISHED))
    engine.state.komi = 0.5
    assert engine.verdict().is_settled
    assert engine.lead() == engine.score()


def test_a_lead_asked_for_twice_is_the_same_and_leaves_the_tree_alone() -> None:
    engine = engine_at(draw_game(OPEN_GAME))
    engine.examine(BLACK, Limits(30))
    first = engine.lead()
    result = engine.examine(BLACK, Limits(31))
    assert result.new_simulations < 5 < 30 < result.simulations, "the tree of before is still there"
    assert engine.lead() == first


# ---------------------------------------------------------------- the command


def test_the_command_fits_measures_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for number, moves in enumerate((";B[cc];W[cb];B[bb];W[dc]", ";B[cc];W[dd];B[dc];W[cd]", ";B[cb];W[cd];B[dc]", ";B[bc];W[cc];B[dc]")):
        text = f"(;GM[1]FF[4]SZ[5]KM[0.5]RE[{'BW'[number % 2]}+4.5]{moves})"
        (games / f"{number}.sgf").write_text(text, encoding="utf-8")
    diagram = tmp_path / "diagram.svg"
    command = ["train", "calibration", str(games), "--size", "5", "--positions", "2", "--learned", "2", "--visits", "4"]
    assert main([*command, "--diagram", str(diagram)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("multiplier ")
    assert "fitted with 2 positions; the rest is of 2 held-out ones" in text
    assert "| all | 2 |" in text
    assert "<svg" in diagram.read_text(encoding="utf-8")
