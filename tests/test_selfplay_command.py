"""`gtp-engine train selfplay --games-only` from outside: kills, several boards, and what is wrong with its options."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gtp_engine.cli.main import main
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.learning.selfplay.generation import GAMES, STORE
from gtp_engine.learning.training.records import read_record_file

pytestmark = pytest.mark.usefixtures("jobs_here")

COMMAND = [sys.executable, "-P", "-m", "gtp_engine", "train", "selfplay", "--games-only", "--size", "7"]
COMMAND += ["--set", "full_visits=12", "--set", "fast_visits=3", "--set", "full_share=0.5"]


@pytest.mark.slow
def test_a_killed_generation_goes_on_to_the_same_games(tmp_path: Path) -> None:
    command = [*COMMAND, "--games", "10"]
    subprocess.run([*command, "--folder", "whole"], cwd=tmp_path, check=True, capture_output=True)
    process = subprocess.Popen([*command, "--folder", "killed"], cwd=tmp_path, stderr=subprocess.DEVNULL, start_new_session=True)
    store = tmp_path / "killed" / "generation-001" / STORE
    while not (store.exists() and store.read_bytes().count(b"\n") >= 4):
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = store.read_bytes()
    subprocess.run([*command, "--folder", "killed"], cwd=tmp_path, check=True, capture_output=True)
    assert store.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    paths = [tmp_path / folder / "generation-001" / GAMES for folder in ("whole", "killed")]
    whole, killed = (np.load(path) for path in paths)
    assert all((whole[name] == killed[name]).all() for name in whole.files)


@pytest.mark.slow
def test_games_on_several_boards_lie_in_folders_of_their_own(tmp_path: Path) -> None:
    command = [word for word in COMMAND if word not in ("--size", "7")]
    words = ["--size", "7,8", "--games", "3,2", "--folder", "run"]
    outcome = subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    small, large = (read_record_file(tmp_path / "run" / "generation-001" / folder / GAMES) for folder in (".", "8x8"))
    assert [(records.size, len(records)) for records in (small, large)] == [(7, 3), (8, 2)]
    assert set(small.komi) != set(large.komi)
    assert "7x7: 3 games" in outcome.stderr and "8x8: 2 games" in outcome.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--size", "7,8"], "--size names 2 boards, --games has 1"),
        (["--size", "7,8", "--games", "3,2", "--komi", "7"], "--komi has 1"),
        (["--size", "7,7"], "is not a board of 7 to 19 lines, or several different ones"),
        (["--size", "20"], "is not a board of 7 to 19 lines"),
        (["--games", "3,0"], "is not above 0"),
        (["--set", "speed=3"], "is not KEY=VALUE with one of the keys"),
        (["--set", "full_visits=1"], "full_visits must be between 2 and"),
        (["--network", "nothing.onnx"], "nothing.onnx"),
        (["--sprt", "50,0"], "is not two numbers like 0,50"),
        (["--gate-games", "3"], "is not an even number"),
        (["--records", "nothing.npz"], "nothing.npz does not exist"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "selfplay", "--folder", str(tmp_path / "run"), "--games-only", "--games", "1", "--cache", str(tmp_path), *words]
    try:
        status = main(command)
    except SystemExit as ending:
        status = int(ending.code or 0)
    except ConfigError as error:
        pytest.fail(f"not told: {error}")
    assert status == 2 and sentence in capsys.readouterr().err
