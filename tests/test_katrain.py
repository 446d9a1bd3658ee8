"""KaTrain's own classes drive the engine: a game with its AI players, analysis, alternatives, pondering, new games."""

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.client
FOLDER = Path(__file__).resolve().parent / "katrain_session"
PYTHON = FOLDER / ".venv" / "bin" / "python"
SESSION_SECONDS = 600  # on a busy machine, kernels compiled first
VISITS = 40  # session.py's


@pytest.fixture(scope="module", params=["custom", "local"])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What session.py found, once with us as KaTrain's custom command, once in the place of KataGo's program."""
    if not PYTHON.exists():
        pytest.fail("this test runs KaTrain: make tests/katrain_session/.venv and install its requirements.txt, as .ci/run does")
    folder = tmp_path_factory.mktemp("katrain")
    program = folder / "engine"
    home, root = shlex.quote(os.environ.get("HOME", "/")), shlex.quote(str(FOLDER.parent.parent))
    program.write_text(f'#!/bin/sh\ncd {root}\nHOME={home} exec {shlex.quote(sys.executable)} -m gtp_engine "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (folder / "katago.cfg").write_text(
        "# as KaTrain brings it\nmaxVisits = 500\nnumAnalysisThreads = 12\nnumSearchThreads = 8\nnnMaxBatchSize = 96\n"
    )
    (folder / "model.bin.gz").write_bytes(b"not for us")
    words = [f"exec {program} analysis"] if request.param == "custom" else [str(program), f"{folder}/model.bin.gz", f"{folder}/katago.cfg"]
    command = [str(PYTHON), str(FOLDER / "session.py"), request.param, *words]
    process = subprocess.run(command, capture_output=True, text=True, timeout=SESSION_SECONDS)
    assert process.returncode == 0, process.stderr
    found: dict[str, Any] = json.loads(process.stdout)
    return found


def test_nothing_went_wrong(report: dict[str, Any]) -> None:
    assert report["errors"] == []
    assert report["is_alive"]


def test_its_ai_players_play(report: dict[str, Any]) -> None:
    """The default player four times, then the policy's and the handicap player."""
    assert len(report["played"]) == 6
    assert len(set(report["played"])) == 6, "no point twice"


def test_every_position_is_analyzed(report: dict[str, Any]) -> None:
    assert len(report["nodes"]) == 1 + 2 + 6
    for node in [*report["nodes"], report["new_game"]]:
        assert node["visits"] >= VISITS
        assert node["best"] != "pass"
        assert abs(node["score"]) < 100
    assert {(node["policy"], node["ownership"]) for node in report["nodes"]} == {(82, 81)}
    assert (report["new_game"]["policy"], report["new_game"]["ownership"]) == (362, 361)


def test_alternatives_and_regions_find_other_moves(report: dict[str, Any]) -> None:
    assert report["more_moves"] >= 1


def test_pondering_goes_on_until_it_is_stopped(report: dict[str, Any]) -> None:
    assert report["pondered"] > 0
