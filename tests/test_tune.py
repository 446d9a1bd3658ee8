"""`gtp-engine tune --parameter`: finds a known optimum, the same however it is run, and goes on after it was stopped."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.cli.main import main
from gtp_engine.tools.match.elo import elo_interval
from gtp_engine.tools.tuning.fit import Optimum, best_point, coefficients, highest, terms
from gtp_engine.tools.tuning.ranges import read_ranges
from gtp_engine.tools.tuning.report import report_text
from gtp_engine.tools.tuning.run import PLAYERS, STORE, TuningPlan, TuningResult, run_tuning
from gtp_engine.tools.tuning.spsa import Gains, next_center, point_pair
from gtp_engine.tools.tuning.values import own_tournament

pytestmark = pytest.mark.usefixtures("jobs_here")

RANGES = ("exploration=0:1:0.8", "rave_visits=0:10000:2000")  # the known optimum is at 0.3 and 7000: job_functions.py
FUNCTION = "job_functions:play_pair_by_chance"


def plan_of(games: int, seed: int = 1, confirmation: int = 0) -> TuningPlan:
    """A plan whose games are won by chance."""
    tournament = own_tournament(["exploration", "rave_visits"], PLAYERS, {"playouts": 1}, {}, {"games": games, "seed": seed, "size": 5})
    return TuningPlan(read_ranges(RANGES), tournament, confirmation, function=FUNCTION)


def tune(plan: TuningPlan, folder: Path, jobs: int = 1) -> TuningResult:
    return run_tuning(plan, folder, JobPlace(jobs), lambda *_: None)


def test_a_known_optimum_is_found_within_its_error_bars(tmp_path: Path) -> None:
    result = tune(plan_of(1600, confirmation=200), tmp_path)
    optimum = np.array([0.3, 0.7])
    assert np.all(result.optimum.low <= optimum) and np.all(optimum <= result.optimum.high)
    assert np.all(np.abs(result.optimum.best - optimum) < 0.1)
    assert np.all(result.optimum.high - result.optimum.low < 0.3)
    assert result.tally.games == 200
    assert elo_interval(result.tally)[0] > 0  # the best values are clearly stronger than the start


@pytest.mark.slow
def test_error_bars_shrink_with_games_and_hold_the_truth() -> None:
    """Of 24 error bars of 95 %, chance leaves out five or more in one of 150 such tests; these have a seed that holds."""
    start, optimum, dice = np.array([0.4, 0.6]), np.array([0.3, 0.7]), np.random.default_rng(4)

    def fitted(count: int, seed: int) -> Optimum:
        pairs = []
        for number in range(count):
            points = point_pair(start, 0.25, seed, number)
            strengths = [-10.0 * np.sum((point - optimum) ** 2) for point in (points.plus, points.minus)]
            chance = 1 / (1 + np.exp(strengths[1] - strengths[0]))
            pairs.append((points.plus, points.minus, dice.binomial(2, chance) / 2))
        return best_point(pairs, start, seed)

    small = [fitted(160, seed) for seed in range(12)]
    assert sum(np.sum((each.low <= optimum) & (optimum <= each.high)) for each in small) >= 20
    large = fitted(1600, 1)
    assert np.mean(large.high - large.low) < 0.5 * np.mean([each.high - each.low for each in small])
    assert np.all((large.low <= optimum) & (optimum <= large.high))


def test_without_games_the_start_is_the_best_and_the_bars_are_wide() -> None:
    start = np.array([0.4, 0.6])
    optimum = best_point([], start, 1)
    assert optimum.best == pytest.approx(start)
    assert np.all(optimum.high - optimum.low > 0.7)


def test_the_fit_finds_the_coefficients_of_exact_outcomes() -> None:
    """Outcomes that are the model's own chances, and so many that the prior says nothing."""
    dice = np.random.default_rng(3)
    truth = np.array([0.5, -0.4, -3.0, -2.0, 1.0])  # linear, squares, the product
    rows = np.array([terms(dice.uniform(0, 1, 2)) - terms(dice.uniform(0, 1, 2)) for _ in range(300)])
    chances = 1 / (1 + np.exp(-rows @ truth))
    assert coefficients(rows, chances, np.full(300, 1e6), np.zeros(5)) == pytest.approx(truth, abs=1e-3)
    grid = np.linspace(0, 1, 201)
    values = {(x, y): terms(np.array([x, y]) - 0.5) @ truth for x in grid for y in grid}
    assert highest(truth, np.array([0.5, 0.5])) == pytest.approx(max(values, key=lambda point: values[point]), abs=0.01)


def test_the_best_value_may_be_an_end_of_the_range() -> None:
    assert highest(np.array([2.0, -0.1]), np.array([0.5])) == pytest.approx([1.0])
    assert highest(np.array([-1.0, 0.3]), np.array([0.5])) == pytest.approx([0.0])


def test_points_lie_within_their_ranges_and_center_follows_the_winner() -> None:
    for number in range(200):
        pair = point_pair(np.array([0.02, 0.97, 0.5]), 0.25, 5, number)
        assert np.all((pair.plus >= 0) & (pair.plus <= 1) & (pair.minus >= 0) & (pair.minus <= 1))
        assert pair.plus - pair.minus == pytest.approx(0.5 * pair.signs)
    center, gains = np.array([0.5, 0.5]), Gains()
    pair = point_pair(center, gains.width_in(0), 5, 1)
    moved = next_center(center, [pair], [1.0], gains.width_in(0), gains.step_in(0))
    assert np.all((moved - center) * pair.signs > 0)
    assert next_center(center, [pair], [0.5], 0.25, 0.1) == pytest.approx(center)
    assert next_center(center, [pair], [None], 0.25, 0.1) == pytest.approx(center)


def test_the_same_on_one_job_and_three_and_in_two_goes(tmp_path: Path) -> None:
    whole = tune(plan_of(160, confirmation=40), tmp_path / "one")
    three = tune(plan_of(160, confirmation=40), tmp_path / "three", jobs=3)
    tune(plan_of(70), tmp_path / "two goes")  # ends in the middle of a batch
    longer = tune(plan_of(160, confirmation=40), tmp_path / "two goes")
    assert report_text(whole) == report_text(three) == report_text(longer)
    assert whole.center == three.center == longer.center
    assert report_text(tune(plan_of(160, 2), tmp_path / "other")) != report_text(whole)


def test_what_is_played_is_not_played_again(tmp_path: Path) -> None:
    tune(plan_of(32), tmp_path)
    seen: list[tuple[int, int]] = []
    run_tuning(plan_of(64), tmp_path, JobPlace(1), lambda done, total, _center: seen.append((done, total)))
    assert seen == [(done, 64) for done in range(34, 66, 2)]


def test_other_ranges_are_another_run(tmp_path: Path) -> None:
    tune(plan_of(16), tmp_path)
    other = replace(plan_of(16), ranges=read_ranges(["exploration=0:2", RANGES[1]]))
    with pytest.raises(StoreError, match="other settings \\(parameters\\)"):
        tune(other, tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--parameter", "exploratio=0:1"], "unknown parameter 'exploratio'; did you mean exploration?"),
        (["--parameter", "exploration"], "--parameter takes NAME=LOW:HIGH or NAME=LOW:HIGH:START, not 'exploration'"),
        (["--parameter", "exploration=1"], "--parameter takes NAME=LOW:HIGH or"),
        (["--parameter", "exploration=1:0.5"], "exploration: 1 is not less than 0.5; write the lower end first"),
        (["--parameter", "exploration=0:1000"], "exploration must be between 0 and 100, not 1000; the nearest is 100"),
        (["--parameter", "exploration=0:x"], "'x' is not a number"),
        (["--parameter", "expand_visits=1:2.5"], "'2.5' is not a whole number; the nearest is 2"),
        (["--parameter", "exploration=0.1:1"], "exploration: its default, 0, is not between 0.1 and 1; write where to start"),
        (["--parameter", "exploration=0.1:1:2"], "exploration: the start, 2, is not between 0.1 and 1"),
        (["--parameter", "exploration=0:1", "--parameter", "exploration=0:2"], "exploration is there twice"),
        (["--parameter", "ladders=0:1"], "ladders has no range, it is no number; compare its values: gtp-engine tune ladders VALUE"),
        (["--parameter", "threads=1:4"], "threads cannot be tuned: players with more threads have more time"),
        (["--parameter", "exploration=0:1", "--set", "exploration=1"], "exploration is what is tuned: leave out --set exploration=1"),
        (["nakade", "0", "1", "--parameter", "exploration=0:1"], "give either --parameter or values"),
        (["--parameter", "exploration=0:1", "--games", "1"], "--games must be at least 2"),
        (["--parameter", "exploration=0:1"], "exploration has an effect without a network only, and on 9x9 the evaluator is network"),
        (["--parameter", "prior_capture=0:40"], "prior_capture has an effect without a network only"),
        (["--parameter", "exploration=0:1", "--size", "40"], "size must be from 2 to 19, not 40"),
        (["nakade", "0", "1", "--confirm", "10"], "--confirm goes with --parameter"),
        ([], "say what to tune: --parameter NAME=LOW:HIGH, or NAME VALUE VALUE"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "results"
    assert main(["tune", *options, "--playouts", "5", "--output", str(folder)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"gtp-engine tune: {message}") and error.count("\n") == 1
    assert not folder.exists()


def test_a_search_without_an_end_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "--parameter", "exploration=0:1", "--output", str(tmp_path)]) == 2
    assert "say how long to think of a move" in capsys.readouterr().err


def test_values_are_written_as_the_engine_takes_them() -> None:
    exploration, visits, expand = read_ranges(["exploration=0:0.9", "rave_visits=300:10000", "expand_visits=1:9"])
    assert [visits.text_at(share) for share in (0.0, 0.5, 1.0)] == ["300", "5150", "10000"]
    assert [exploration.text_at(share) for share in (0.0, 1 / 3, 1.0)] == ["0", "0.3", "0.9"]
    assert [expand.text_at(share) for share in (0.0, 0.3, 1.0)] == ["1", "3", "9"]


@pytest.mark.slow
def test_a_small_run_killed_and_resumed(tmp_path: Path) -> None:
    """Real games on 5x5; the command is killed by kill -9 in the middle, and the same command goes on. Here and in one go: the same."""
    options = ["--parameter", "exploration=0:2", "--parameter", "rave_visits=0:5000", "--playouts", "5", "--set", "evaluator=playouts"]
    command = [sys.executable, "-P", "-m", "gtp_engine", "tune", *options, "--size", "5", "--games", "8", "--confirm", "4", "--batch", "2"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = subprocess.Popen([*command, "--output", str(killed)], stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    store = killed / STORE
    while not store.exists() or store.read_bytes().count(b"\n") < 2:
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    kept = store.read_bytes().splitlines()[:2]
    for folder in (killed, whole):
        time.sleep(0.1)
        again = subprocess.run([*command, "--output", str(folder)], capture_output=True, text=True, check=True)
        assert "| `exploration` | 0 .. 2 | 0 | " in again.stdout
        assert "The best values against the start: " in again.stdout
        assert (folder / "report.md").read_text() in again.stdout
    assert store.read_bytes().splitlines()[:2] == kept, "what was played isn't played again"
    texts = [
        sorted(line.partition(b'"seconds"')[0][9:] for line in (folder / STORE).read_bytes().splitlines()) for folder in (killed, whole)
    ]
    assert texts[0] == texts[1]
