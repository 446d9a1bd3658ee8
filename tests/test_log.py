"""The log of a conversation: where it lies, what it holds, and what happens when it can't be written."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine import __version__
from gtp_engine.engine.config.front_end import LOG_FILE, log_path
from gtp_engine.interfaces.gtp.log import KEPT, open_log
from gtp_engine.interfaces.gtp.session import RECEIVED, SENT


@pytest.fixture(autouse=True)
def state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A log folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def test_no_log_lies_in_the_working_directory(state_folder: Path, tmp_path: Path) -> None:
    """Sabaki starts engines in folders of its own choice: a name alone means the log folder."""
    assert log_path("auto").name == LOG_FILE
    for setting in ("auto", "game.log", "folder/game.log"):
        assert log_path(setting).is_relative_to(state_folder)
    assert log_path(f"{tmp_path}/game.log") == tmp_path / "game.log"


def test_a_log_below_no_home_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert open_log("~nobody-of-that-name/game.log", []) is None
    assert "cannot write the log ~nobody-of-that-name/game.log: there is no such home folder" in capsys.readouterr().err


def test_a_log_holds_settings_and_both_directions(tmp_path: Path) -> None:
    write = open_log(str(tmp_path / "new" / "game.log"), ["playouts = 5 (--set playouts)"])
    assert write is not None
    write(RECEIVED, "showboard\n")
    write(SENT, "= \n   A B\n\n")
    write(RECEIVED, "\udcff" * 10_000 + "\n")
    lines = (tmp_path / "new" / "game.log").read_text(encoding="utf-8").splitlines()
    texts = [re.sub(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \d+ ", "", line) for line in lines]
    assert texts[0].startswith(f"# gtp_engine {__version__}, Python ")
    assert texts[1:5] == ["# playouts = 5 (--set playouts)", f"{RECEIVED} showboard", f"{SENT} = ", "       A B"]
    assert len(texts[5]) < 2_100


def test_logs_do_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_engine.interfaces.gtp.log.LARGEST", 1_000)
    write = open_log(str(tmp_path / "game.log"), [])
    assert write is not None
    for number in range(500):
        write(RECEIVED, f"play b {number}\n")
    files = list(tmp_path.glob("game.log*"))
    assert len(files) == 1 + KEPT
    assert all(path.stat().st_size <= 1_000 for path in files)


def run_engine(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A short conversation with an engine process."""
    command = [sys.executable, "-m", "gtp_engine", *arguments]
    return subprocess.run(command, input="1 name\nquit\n", capture_output=True, text=True, cwd=repository, timeout=60)


def test_a_log_that_cannot_be_opened_is_a_warning(repository: Path, tmp_path: Path) -> None:
    """KaTrain broke on an engine that ended instead."""
    (tmp_path / "file").touch()
    process = run_engine(repository, "--log", f"{tmp_path}/file/game.log")
    assert (process.stdout, process.returncode) == ("=1 gtp_engine\n\n= \n\n", 0)
    assert "cannot write the log" in process.stderr and "Traceback" not in process.stderr


def test_the_log_is_off_by_default(repository: Path, state_folder: Path) -> None:
    assert run_engine(repository).returncode == 0
    assert not state_folder.exists()
    assert run_engine(repository, "--log", "auto").returncode == 0
    assert "1 name" in log_path("auto").read_text(encoding="utf-8")
