"""Sabaki's own client package drives the engine: the handshake, handicap, analysis, a whole game, stepping back."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.client
FOLDER = Path(__file__).resolve().parent / "sabaki"
SESSION_SECONDS = 300  # for a game of a hundred fast moves on a busy machine


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """What session.js found."""
    node = shutil.which("node")
    if node is None or not (FOLDER / "node_modules").is_dir():
        pytest.fail("this test runs Sabaki's client: `apt-get install nodejs npm`, then `npm ci` in tests/sabaki, as .ci/run does")
    engine = [sys.executable, "-m", "gtp_engine", "--playouts", "30", "--seed", "1", "--threads", "1", "--memory", "16", "--no-resign"]
    process = subprocess.run(
        [node, FOLDER / "session.js", *engine], capture_output=True, text=True, timeout=SESSION_SECONDS, cwd=FOLDER.parent.parent
    )
    assert process.returncode == 0, process.stderr
    found: dict[str, Any] = json.loads(process.stdout)
    return found


def test_the_handshake(report: dict[str, Any]) -> None:
    name, _, protocol, commands = report["handshake"]
    assert (name, protocol, report["errors"]) == ("gtp_engine", "2", 0)
    assert {"kata-analyze", "kata-genmove_analyze", "set_free_handicap", "undo"} <= set(commands.split("\n"))


def test_the_handicap(report: dict[str, Any]) -> None:
    assert report["handicap"] == "C3 G7"


@pytest.mark.parametrize("analysis", ["analysis", "finalAnalysis"])
def test_analysis_runs_until_it_is_stopped(analysis: str, report: dict[str, Any]) -> None:
    found = report[analysis]
    assert len(found["lines"]) >= (3 if analysis == "analysis" else 1)
    assert not found["error"]
    assert found["next"] == "2"  # the answer to the command that stopped it


def test_a_whole_game(report: dict[str, Any]) -> None:
    moves = report["game"]["moves"]
    assert moves[-2:] == ["pass", "pass"]
    assert len(moves) > 20
    assert all(re.fullmatch(r"[a-hj][1-9]|pass", move) for move in moves)
    assert report["game"]["infoLines"] >= len(moves)


def test_stepping_back_in_the_game_tree(report: dict[str, Any]) -> None:
    """The history is the handicap and the moves; the engine then stands after the third move."""
    assert report["historyLength"] == 1 + len(report["game"]["moves"])
    assert report["movesAfterSync"] == 3
