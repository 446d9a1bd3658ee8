"""Commands that run jobs, on a full disk and twice in one folder: nothing lost, nothing twice, one sentence each."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from match_players import quoted, rows

PATIENCE = 120.0  # seconds
OURS = [sys.executable, "-P", "-m", "gtp_engine"]
RANGE = ["--parameter", "exploration=0:2", "--playouts", "1", "--set", "evaluator=playouts"]
# so many games that it can be stopped in their midst
MATCH = ["match", quoted(rows("a")), quoted(rows("b")), "--games", "20", "--size", "5", "--jobs", "2"]
TUNE = ["tune", *RANGE, "--games", "8", "--confirm", "2", "--size", "5", "--jobs", "2", "--batch", "2"]
# words, the file of results, how many there are in the end
CASES = [
    pytest.param(MATCH, "results.jsonl", 20, id="match"),
    pytest.param(TUNE, "pairs.jobs", 5, id="tune", marks=pytest.mark.slow),
]


def run(words: list[str], output: Path, prepare: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
    command = [*OURS, *words, "--output", str(output)]
    return subprocess.run(command, capture_output=True, text=True, preexec_fn=prepare, timeout=PATIENCE)


def keys(path: Path) -> list[str]:
    """Which results are in the file, without its header."""
    lines = [json.loads(line[line.index("{") :]) for line in path.read_text().splitlines()[1:]]
    return sorted(str(line.get("key", line.get("number"))) for line in lines)


@pytest.mark.parametrize(("words", "name", "count"), CASES)
def test_a_full_disk_is_told_and_the_same_command_goes_on(words: list[str], name: str, count: int, tmp_path: Path) -> None:
    """No file may grow beyond the header and two results or so: a write is cut short, as where the disk is full."""
    words = [*words, "--jobs", "1"]
    whole = run(words, tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    lines = (tmp_path / "whole" / name).read_bytes().splitlines(keepends=True)
    most = sum(map(len, lines[:3])) + 20

    full = run(words, tmp_path / "full", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    assert full.returncode == 2
    said = full.stderr.splitlines()
    assert said[-1].startswith(f"gtp-engine {words[0]}: {tmp_path / 'full'}") and "cannot be written: " in said[-1]
    assert "Traceback" not in full.stderr and sum("cannot be written" in line for line in said) == 1

    again = run(words, tmp_path / "full")
    assert again.returncode == 0, again.stderr
    assert keys(tmp_path / "full" / name) == keys(tmp_path / "whole" / name)
    assert len(keys(tmp_path / "full" / name)) == count


def has_begun(path: Path) -> bool:
    """Is there something in the file? Its first line is written by whoever has locked it; before, the file may belong to nobody yet."""
    return path.exists() and path.stat().st_size > 0


@pytest.mark.parametrize(("words", "name", "count"), CASES)
def test_two_commands_in_one_folder(words: list[str], name: str, count: int, tmp_path: Path) -> None:
    """The second one says so, and the first one doesn't notice."""
    first = subprocess.Popen([*OURS, *words, "--output", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + PATIENCE
    while not has_begun(tmp_path / name):
        assert first.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    first.send_signal(signal.SIGSTOP)  # so that it is still there, however fast it is
    second = run(words, tmp_path)
    first.send_signal(signal.SIGCONT)
    first.communicate()
    assert second.returncode == 2
    assert second.stderr.startswith(f"gtp-engine {words[0]}: {tmp_path / name}: another ") and second.stderr.count("\n") == 1
    assert first.returncode == 0
    found = keys(tmp_path / name)
    assert len(found) == len(set(found)) == count


@pytest.mark.slow
def test_four_killed_workers_of_a_match(tmp_path: Path) -> None:
    """A worker is killed again and again while the match goes on; each game is there once."""
    words, results, games = [*MATCH, "--games", "80"], tmp_path / "results.jsonl", 0  # many: they must outlast four starts of a worker
    match = subprocess.Popen([*OURS, *words, "--output", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    killed: set[int] = set()
    while len(killed) < 4 and match.poll() is None:
        workers = [pid for pid in children_of(match.pid) if pid not in killed]
        played = results.read_bytes().count(b"\n") if results.exists() else 0
        if len(workers) == 2 and played >= games + 4:  # not the same game three times: it would be given up
            os.kill(workers[len(killed) % 2], signal.SIGKILL)
            killed.add(workers[len(killed) % 2])
            games = played
        time.sleep(0.02)
    _, errors = match.communicate(timeout=PATIENCE)
    assert match.returncode == 0, errors
    assert len(killed) == 4
    found = keys(tmp_path / "results.jsonl")
    assert len(found) == len(set(found)) == 80


def children_of(pid: int) -> list[int]:
    """Its child processes."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
