"""The one lead that every command tells, and the command that measures win rates against results."""

import re
from pathlib import Path

import numpy as np
import pytest
from conftest import Client, draw_game
from review_samples import record_of

from gtp_engine import sgf
from gtp_engine.cli.main import main
from gtp_engine.engine.player.engine import Engine, warn_on_stderr
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.search.params import NETWORK, SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.go.rules import CHINESE
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader
from gtp_engine.interfaces.terminal.game import TerminalGame
from gtp_engine.interfaces.terminal.view import PlainView
from gtp_engine.learning.training.calibration import SAMPLE, after, as_table, calibration_error, error_by_chance, fit, reliability
from gtp_engine.tools.review.examiner import Examiner, SearchedPosition
from gtp_engine.tools.review.model import Evaluation

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


def engine_at(game: Game) -> Engine:
    """An engine at this position."""
    engine = Engine(PARAMS, CHINESE, 7.5, game.size)
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
    assert [(row.positions, row.won) for row in rows] == [(2, 0.5), (2, 1.0)]
    assert [row.expected for row in rows] == pytest.approx([0.06, 0.975])
    assert calibration_error(np.array([0.05, 0.07, 0.95, 1.0]), np.array([0.0, 1.0, 1.0, 1.0])) == pytest.approx((0.44 + 0.025) / 2)


def test_the_table_has_the_parts_of_the_game_and_the_ranks() -> None:
    text = as_table(made_up(500, 1.5), 1.5)
    for name in ("all", "0-15 %", "30-45 %", "30k-20k", "dan players"):
        assert f"| {name}" in text


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
