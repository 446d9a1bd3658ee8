"""Generations of self-play: what is learned, the gate, the log, the page, and going on after a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.selfplay.report import PAGE, PLOT, draw, page, strengths

pytestmark = pytest.mark.train

TINY = {"full_visits": 4, "fast_visits": 2, "settled_after": 0.2}
SETTINGS = [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]
LENGTH = ["--size", "7", "--games", "6", "--generations", "2", "--positions", "64", "--batch", "16"]
GATE = ["--gate-games", "2", "--gate-visits", "2", "--reanalyze", "0.5"]
COMMAND = [sys.executable, "-P", "-m", "gtp_engine", "train", "selfplay", "--folder", "run", "--network", "start-int8.kata.onnx"]
COMMAND += ["--threads", "1", "--device", "cpu", "--precision", "f32", *SETTINGS, *LENGTH, *GATE]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with a network that has learned nothing yet, as it is trained and as it plays."""
    from gtp_engine.engine.network.katago.conversion import convert_now
    from gtp_engine.learning.selfplay.start import new_network
    from gtp_engine.learning.training.katago.new_model import read_shape

    new_network(read_shape("1x8"), 1, tmp_path / "start.bin.gz")
    (tmp_path / "start-int8.kata.onnx").write_bytes(convert_now(tmp_path / "start.bin.gz", in_int8=False))
    return tmp_path


def run(work: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The whole command."""
    return subprocess.run([*COMMAND, *more], cwd=work, capture_output=True, text=True)


def lines_of(work: Path) -> list[dict[str, Any]]:
    """The log."""
    return [json.loads(line) for line in (work / "run" / "log.jsonl").read_text().splitlines()]


def test_two_generations(work: Path) -> None:
    outcome = run(work)
    assert outcome.returncode == 0, outcome.stderr
    lines = lines_of(work)
    assert [line["generation"] for line in lines] == [1, 2]
    assert all(line["games"] == 6 and line["learned"]["positions"] == 64 for line in lines)
    assert all(line["gate"]["wins"] + line["gate"]["losses"] + line["gate"]["draws"] <= 2 for line in lines)
    assert lines[1]["window"] == 2 and lines[1]["searched_again"] > 0
    for number in ("001", "002"):
        folder = work / "run" / f"generation-{number}"
        names = {"games.jobs", "games.npz", "games.json", "training", "network-int8.kata.onnx", "gate"}
        assert {path.name for path in folder.iterdir()} == names | ({"reanalysis.jobs"} if number == "002" else set())
    assert (work / "run" / PAGE).exists() and (work / "run" / PLOT).exists()
    assert run(work).returncode == 0 and lines_of(work) == lines  # nothing is left to do


def test_two_boards_teach_one_network(work: Path) -> None:
    """The second generation plays on one more board than the first."""
    assert run(work, "--generations", "1").returncode == 0
    outcome = run(work, "--size", "7,8", "--games", "6,4", "--generations", "3")
    assert outcome.returncode == 0, outcome.stderr
    lines = lines_of(work)
    assert [list(line["boards"]) for line in lines] == [[], ["8x8"], ["8x8"]]
    assert [line["boards"]["8x8"]["games"] for line in lines[1:]] == [4, 4]
    assert lines[2]["boards"]["8x8"]["searched_again"] > 0
    log = work / "run" / "generation-003" / "training" / "log.jsonl"
    assert set(json.loads(log.read_text().splitlines()[-1])["held_out"]) == {"self-play, 7x7", "self-play, 8x8"}
    text = (work / "run" / PAGE).read_text()
    assert "| 3 | 8x8 | 4 |" in text and "generation 2, 8x8: 4 games" in outcome.stderr


def test_it_goes_on_after_kills(work: Path) -> None:
    """Killed as soon as each part has begun; what was there is kept."""
    parts = ["games.jobs", "training/window.npz", "training/checkpoint.pt", "gate/results.jsonl"]
    for part in parts:
        process = subprocess.Popen(COMMAND, cwd=work, stderr=subprocess.DEVNULL, start_new_session=True)
        while not (work / "run" / "generation-001" / part).exists():
            assert process.poll() is None, part
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    outcome = run(work)
    assert outcome.returncode == 0, outcome.stderr
    assert [line["generation"] for line in lines_of(work)] == [1, 2]


def test_another_network_needs_another_folder(work: Path) -> None:
    assert run(work, "--generations", "1").returncode == 0
    content = (work / "start-int8.kata.onnx").read_bytes()
    from gtp_engine.learning.selfplay.loop import read_log

    (work / "run" / "log.jsonl").write_text((work / "run" / "log.jsonl").read_text().replace('"network": "', '"network": "0'))
    outcome = run(work)
    assert outcome.returncode == 2 and "began with another network" in outcome.stderr
    assert content == (work / "start-int8.kata.onnx").read_bytes()
    (work / "run" / "log.jsonl").write_text("{")
    with pytest.raises(SelfplayError, match="damaged"):
        read_log(work / "run" / "log.jsonl")


def test_the_network_to_train_from_must_be_named_where_it_is_not_beside(work: Path) -> None:
    (work / "start.bin.gz").rename(work / "elsewhere.bin.gz")
    outcome = run(work)
    assert outcome.returncode == 2 and "--from" in outcome.stderr
    outcome = run(work, "--shares", "1,2")
    assert outcome.returncode == 2


def test_it_begins_with_a_network_that_has_learned_nothing(tmp_path: Path) -> None:
    command = [word for word in COMMAND if word not in ("--network", "start-int8.kata.onnx")]

    def begin(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, "--generations", "1", *more], cwd=tmp_path, capture_output=True, text=True)

    outcome = begin("--new", "1x8", "--seed", "7")
    assert outcome.returncode == 0, outcome.stderr
    start = (tmp_path / "run" / "start.bin.gz").read_bytes()
    assert lines_of(tmp_path)[0]["learned"]["positions"] == 64
    outcome = begin("--new", "2x8", "--seed", "7")
    assert outcome.returncode == 2 and "is a network of 1x8, not 2x8" in outcome.stderr
    assert begin("--new", "1x8", "--network", "start.bin.gz").returncode == 2
    assert begin("--new", "1x8", "--seed", "7").returncode == 0  # nothing is left to do
    (tmp_path / "run" / "start.bin.gz").rename(tmp_path / "kept.bin.gz")
    begin("--new", "1x8", "--seed", "7")
    assert (tmp_path / "run" / "start.bin.gz").read_bytes() == start == (tmp_path / "kept.bin.gz").read_bytes()


@pytest.mark.parametrize("text", ["4", "4x", "x32", "0x32", "4x0", "-4x32", "4x32x2", "401x32", "4x20t"])
def test_the_size_of_a_new_network_is_checked(text: str, tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "gtp_engine", "train", "selfplay", f"--new={text}"]
    outcome = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert outcome.returncode == 2 and "--new: " in outcome.stderr


def line_of(generation: int, played_by: int, elo: float, taken: bool) -> dict[str, Any]:
    """A line of a log."""
    gate = {"wins": 3, "losses": 1, "draws": 0, "elo": elo, "taken": taken, "score": 0.75}
    held_out = {"self-play, 9x9": {"nats": 1.5, "winner": 0.8, "win_error": 0.15}}
    games: dict[str, Any] = {"games": 1000, "games_per_hour": 2000, "mean_length": 60.0, "black": 600, "white": 400, "drawn": 0}
    games |= {"false_resignations": 1, "resignations_judged": 50, "openings": {"E5 D6": 10}, "from_empty": 40}
    return {"generation": generation, "played_by": played_by, "gate": gate, **games, "learned": {"positions": 100, "held_out": held_out}}


def test_the_page_adds_up_the_gates() -> None:
    lines = [line_of(1, 0, 50.0, True), line_of(2, 1, -10.0, False), line_of(3, 1, 30.0, True)]
    assert strengths(lines) == [50.0, 40.0, 80.0]
    text = page(lines)
    assert "| 3 | 1,000 | 2,000 | 100 | 60.0 | 60% | 1 of 50 | 1.500 | 80.0% | 3, 1, 0 | +80 | taken |" in text
    assert "| 1 | E5 D6 25% |" in text


def test_the_plots_count_generations_in_whole_numbers(tmp_path: Path) -> None:
    lines = [line_of(1, 0, 50.0, True), line_of(2, 1, 30.0, True)]
    draw(tmp_path / "one.svg", lines)
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert '"middle">2</text>' in text and '"middle">1.5</text>' not in text


def test_the_window_grows_slower_than_the_generations() -> None:
    from gtp_engine.learning.selfplay.learn import LearningPlan, window_of

    windows = [window_of(number) for number in range(1, 30)]
    assert windows[:3] == [1, 2, 3] and windows == sorted(windows) and windows[-1] < 16
    assert LearningPlan().all_shares(0) == (1.0,) and LearningPlan().all_shares(2) == (2.0, 1.0, 1.0)
    assert LearningPlan(shares=(5.0, 1.0)).all_shares(1) == (5.0, 1.0)
