"""The progress of long work: plain lines in a log, one line that is redrawn in a terminal."""

import math
import os
import re
import subprocess
import sys

import pytest

from gtp_engine.base.progress import ProgressLine, duration, rate

PREFIX = "gtp-engine tune: "


class Clock:
    """time.monotonic, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("gtp_engine.base.progress.time.monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def in_terminal(code: str, term: str = "xterm") -> tuple[str, str]:
    """What a program writes on stderr, which is a terminal, and on stdout, which is none."""
    master, terminal = os.openpty()
    code = f"from gtp_engine.base.progress import ProgressLine\n{code}"
    environment = {**os.environ, "TERM": term, "COLUMNS": "100", "NO_COLOR": "1"}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=terminal, env=environment, text=True) as process:
        stdout, _ = process.communicate(timeout=60)
    os.close(terminal)
    drawn = b""
    try:
        while piece := os.read(master, 65536):
            drawn += piece
    except OSError:  # Linux says so at the end
        pass
    os.close(master)
    return drawn.decode(), stdout


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[str]:
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith(PREFIX) for line in lines)
    return [line.removeprefix(PREFIX) for line in lines]


def test_plain_lines_come_now_and_then(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressLine("tune")
    for done in range(101):  # a step a second
        progress.show(f"step {done}", done / 100)
        clock.now += 1.0
    assert lines_of(capsys) == ["step 3, 2 min left", "step 33, 67 s left", "step 63, 37 s left", "step 93, 7 s left", "step 100"]


def test_news_and_notes_are_written_at_once(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressLine("tune")
    progress.show("unimportant")
    progress.show("important", is_news=True)
    progress.note("a fault")
    progress.show("unimportant, too")
    assert lines_of(capsys) == ["important", "a fault"]


def test_no_lines_are_wanted_in_a_log(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressLine("tune", math.inf)
    progress.show("half", 0.5)
    clock.now += 1e6
    progress.show("all", 1.0)
    assert lines_of(capsys) == []


def test_what_earlier_runs_did_is_not_part_of_the_pace(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressLine("tune")
    progress.count(900, 1000, "games", "first")
    clock.now += 60.0
    progress.count(910, 1000, "games", "first")
    assert lines_of(capsys) == ["first: 910 of 1,000 games, 10 a minute, 9 min left"]
    progress.count(1, 1000, "games", "second")  # fewer than before: another piece of work
    clock.now += 100.0
    progress.count(2, 1000, "games", "second")
    assert lines_of(capsys) == ["second: 2 of 1,000 games, 36 an hour, 27 h 43 min left"]


def test_one_line_is_redrawn_in_a_terminal() -> None:
    code = (
        "with ProgressLine('tune', 0.0) as progress:\n"
        " progress.show('one', 0.25, above='a table')\n"
        " progress._live.refresh()\n"
        " progress.note('a [fault]')\n"
        " print('a result')\n"
        " progress.show('two ' * 100, 0.5)\n"
        " progress._live.refresh()\n"
    )
    drawn, printed = in_terminal(code)
    assert printed == "a result\n"
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9?;]*[a-zA-Z]", "", drawn))
    assert "a table" in lines and any(line.endswith(" one") for line in lines)
    assert "gtp-engine tune: a [fault]" in lines
    assert any(line.endswith("…") for line in lines) and all(len(line) <= 100 for line in lines)
    assert drawn.rindex("\x1b[?25h") > drawn.rindex("two"), "the cursor is shown again"
    assert drawn.rindex("\x1b[2K") > drawn.rindex("two"), "the line is erased"


def test_the_line_goes_when_the_work_fails() -> None:
    drawn, _ = in_terminal("with ProgressLine('tune') as progress:\n progress.show('half', 0.5)\n raise KeyboardInterrupt\n")
    assert drawn.index("\x1b[?25h") < drawn.index("Traceback")


def test_a_terminal_that_cannot_redraw_gets_plain_lines() -> None:
    code = "with ProgressLine('tune', 0.0) as progress:\n progress.show('half')\n progress.show('all', 1.0)"
    drawn, _ = in_terminal(code, "dumb")
    assert drawn.splitlines() == [f"{PREFIX}half", f"{PREFIX}all"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"),
        (89.0, "89 s"),
        (90.0, "2 min"),
        (5300.0, "88 min"),
        (5400.0, "1 h 30 min"),
        (12_000.0, "3 h 20 min"),
        (432_000.0, "5 days"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("per_second", "text"),
    [
        (1234.5, "1,234 a second"),
        (10.0, "10 a second"),
        (1.0, "1.0 a second"),
        (0.5, "30 a minute"),
        (0.005, "18 an hour"),
        (0.0001, "0.4 an hour"),
    ],
)
def test_rates(per_second: float, text: str) -> None:
    assert rate(per_second) == text
