"""The kernels made ready: by whom, what is said meanwhile, and that processes that start together compile once."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numba
import pytest

from gtp_engine.compiled import jit
from gtp_engine.engine.player import warm_up
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.warm_up import CompileProgress, Helper, WarmUpPlan, start_helper
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.rules import CHINESE

PATIENCE = 600.0  # seconds; a machine under load compiles slowly
WANTED = WarmUpPlan(SearchParams(evaluator="playouts", reading_share=0.0), CHINESE, 7.5)
HOLD_LOCK = """
import sys, time
from gtp_engine.compiled.jit import compiling_alone
with compiling_alone(lambda: print("waiting", flush=True)):
    print("alone", flush=True)
    sys.stdin.read()
"""


def start(program: str, folder: Path, repository: Path) -> "subprocess.Popen[str]":
    """A Python process with this cache folder."""
    environment = os.environ | {"PYTHONPATH": str(repository), "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


def line_of(process: "subprocess.Popen[str]") -> str:
    """The next line that it writes."""
    assert process.stdout
    return process.stdout.readline().strip()


# ---------------------------------------------------------------- once for all


def test_who_comes_second_waits_until_the_first_has_ended_or_was_killed(tmp_path: Path, repository: Path) -> None:
    with start(HOLD_LOCK, tmp_path, repository) as first:
        assert line_of(first) == "alone"
        with start(HOLD_LOCK, tmp_path, repository) as second:
            assert line_of(second) == "waiting"
            first.send_signal(signal.SIGKILL)
            assert line_of(second) == "alone"
            second.communicate("")
            assert second.returncode == 0


def test_nobody_waits_where_nothing_can_be_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "missing"))
    waited: list[bool] = []
    with jit.compiling_alone(lambda: waited.append(True)), jit.compiling_alone(lambda: waited.append(True)):
        pass
    assert waited == []


@pytest.mark.slow
def test_engines_that_start_together_compile_once(tmp_path: Path, repository: Path) -> None:
    command = [sys.executable, "-P", "-m", "gtp_engine", "gtp", "--playouts", "10", "--size", "9"]
    environment = os.environ | {"PYTHONPATH": str(repository), "NUMBA_CACHE_DIR": str(tmp_path)}
    pipe = subprocess.PIPE
    engines: list[Any] = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, text=True) for _ in range(3)]
    for engine in engines:
        engine.stdin.write("genmove b\nquit\n")
        engine.stdin.flush()
    answers = [engine.communicate(timeout=PATIENCE) for engine in engines]
    assert all(out.startswith("= ") for out, _ in answers)
    assert sorted("compiled: rules" in err for _, err in answers) == [False, False, True]
    assert sum("waiting for it" in err for _, err in answers) == 2


PLAY_AFTER_WARM_UP = """
import random, sys
from pathlib import Path
from gtp_engine.go.points import BLACK, PASS, WHITE
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams

def compiled():
    return sorted(path.name for path in Path(sys.argv[1]).rglob("*.nbc"))

engine, dice = Engine(SearchParams(), size=9, komi=7.0), random.Random(1)
engine.warm_up()
before = compiled()
engine.clock.set_byoyomi(0.0, 0.5, 3)
while engine.game.passes() < 2 and len(engine.game.moves) < 100:
    engine.genmove(BLACK)
    engine.state.play(WHITE, dice.choice([*engine.game.legal_points(WHITE), PASS]))
engine.verdict()
print(len(before), [name for name in compiled() if name not in before])
"""


@pytest.mark.slow
def test_a_game_compiles_nothing_after_the_warm_up(tmp_path: Path, repository: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(repository), "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-P", "-c", PLAY_AFTER_WARM_UP, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True)
    count, _, new = done.stdout.strip().partition(" ")
    assert int(count) > 10 and new == "[]"


READ_ONCE = """
from gtp_engine.engine.player.warm_up import use_reading
from gtp_engine.engine.search.facts import add_facts, look_up_first
from gtp_engine.engine.solver.graph import expand_node, fill_slots

use_reading()
print([kernel.py_func.__name__ for kernel in (add_facts, look_up_first, expand_node, fill_slots) if not kernel.signatures])
"""


def test_what_only_some_games_need_is_made_ready_too() -> None:
    """In a process of its own, that has not read before: the first proof of a game doesn't wait for a compiler."""
    done = subprocess.run([sys.executable, "-P", "-c", READ_ONCE], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "[]\n"


# ---------------------------------------------------------------- what is said


def test_each_step_is_told_once_with_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    progress = CompileProgress(["rules", "count"])
    progress.begin()
    for step in ("count", "count", "something else", "rules"):
        progress.done(step)
        progress.begin()
    assert capsys.readouterr().err.splitlines() == [
        "gtp_engine: compiling, once for this version (half a minute to a minute): rules, count",
        "gtp_engine: compiled: count (1 of 2; left: rules)",
        "gtp_engine: compiled: rules (2 of 2; ready)",
    ]


def test_nothing_is_told_until_a_kernel_must_be_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    progress = CompileProgress(["rules", "count"])
    progress.done("rules")
    assert capsys.readouterr().err == ""
    progress.begin()
    progress.done("count")
    assert [line.rpartition(": ")[2] for line in capsys.readouterr().err.splitlines()] == ["count", "count (2 of 2; ready)"]


def test_nothing_is_said_of_kernels_that_are_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Whatever the settings are called: levels have settings of their own and share the kernels."""
    new = Evaluators(lambda text: None).new
    warm_up.warm_up(WANTED, new)  # compiled here, unless it was before
    capsys.readouterr()
    warm_up.warm_up(WarmUpPlan(SearchParams(evaluator="playouts", playouts=19, memory=100, reading_share=0.0), CHINESE, 0.5), new)
    assert capsys.readouterr().err == ""


def test_without_its_marks_a_full_cache_is_not_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was compiled decides what is said, not the marks, which a process that was killed leaves unwritten."""
    monkeypatch.setattr(jit, "cache_is_cold", lambda part: True)
    before = jit.kernels_compiled()
    warm_up.warm_up(WANTED, Evaluators(lambda text: None).new)
    assert jit.kernels_compiled() == before
    assert capsys.readouterr().err == ""


# ---------------------------------------------------------------- the helper


@pytest.fixture
def helped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CompileProgress:
    """An empty cache, and what hears of the helper's steps."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    return CompileProgress(["rules"])


@pytest.mark.parametrize("digest", ["0", "z"])  # before and after every other one
def test_a_helper_of_other_sources_compiles_nothing(
    digest: str, helped: CompileProgress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "source_digest", lambda: digest)
    look = threading.Lock().acquire  # asked here, not by the helper: such a thing can't be sent to a process
    helper = Helper(WarmUpPlan(SearchParams(evaluator="mixed"), CHINESE, 7.5, look), helped)
    helper.wait()
    helper.end()
    assert list(tmp_path.rglob("*.nbi")) == []


def test_a_helper_that_fails_keeps_nobody_waiting(
    helped: CompileProgress, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warm_up, "HELPER", "raise SystemExit(3)")
    helper = Helper(WANTED, helped)
    helper.wait()
    helper.end()
    assert capsys.readouterr().err == ""


def test_without_memory_for_a_helper_there_is_none(helped: CompileProgress, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: Any, **__: Any) -> Any:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(subprocess, "Popen", start)
    assert start_helper(WANTED, helped) is None


def test_a_helper_ends_with_its_asker(tmp_path: Path, repository: Path) -> None:
    """Killed with kill -9, it leaves nothing running."""
    program = """
import os, sys
from gtp_engine.go.rules import CHINESE
from gtp_engine.engine.player.warm_up import Helper, CompileProgress, WarmUpPlan
from gtp_engine.engine.search.params import SearchParams
helper = Helper(WarmUpPlan(SearchParams(evaluator="mixed"), CHINESE, 7.5), CompileProgress([]))
print(helper._process.pid, flush=True)
sys.stdin.read()
"""
    with start(program, tmp_path, repository) as asker:
        helper = int(line_of(asker))
        asker.kill()
    deadline = time.monotonic() + PATIENCE
    while is_running(helper):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_running(process: int) -> bool:
    """Is there a process with this number that has not ended? One that nobody has waited for yet has ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout.strip()
    return not state.startswith("Z") and state != ""
