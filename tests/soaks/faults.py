"""Each subcommand where something is missing or full: it works, or says in a sentence why not; never a traceback, a crash or a hang.

The cases of the subcommands are those of tests/test_isolation.py.
"""

import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from test_isolation import CASES, lay_out

from soaks.tally import OURS, PATIENCE, REPOSITORY, Tally, environment

STATUSES = (0, 1, 2)
MOST_TEXT = 2_000  # characters on stderr: what is wrong, and how far it was
NAMESPACE = ["unshare", "--map-root-user", "--mount"]  # what is mounted there only we see; most kernels allow it to everybody
READ_ONLY = 'mount -t tmpfs -o ro none "$HOME";'
FULL = 'mount -t tmpfs -o size=2m none "$HOME"; cp -r . "$HOME"; cd "$HOME"; cat /dev/zero > filler 2>/dev/null;'
BACKWARDS = """
import time
started, monotonic, clock, clock_ns = time.monotonic(), time.monotonic, time.time, time.time_ns
time.time = lambda: clock() - (3600 if monotonic() > started + 0.5 else 0)
time.time_ns = lambda: clock_ns() - (3600 * 10**9 if monotonic() > started + 0.5 else 0)
"""
HOME = "a folder beside the current one"  # as a value in the environment


@dataclass(frozen=True)
class Condition:
    """What is wrong with the system: shell before the program, redirections, changes of the environment (None: unset), mounts."""

    before: str = ""
    redirection: str = ""
    changes: dict[str, str | None] = field(default_factory=dict)
    mounts: bool = False  # does `before` mount something?


CONDITIONS = {
    "no file can be written": Condition("ulimit -f 0;"),
    "files of a kilobyte": Condition("ulimit -f 2;"),
    "full standard output": Condition("", ">/dev/full"),
    "full standard error": Condition("", "2>/dev/full"),
    "closed standard output": Condition("", ">&-"),
    "closed standard error": Condition("", "2>&-"),
    "all streams closed": Condition("", "<&- >&- 2>&-"),
    "a home that can't be written": Condition(changes={"HOME": "/proc", "XDG_CACHE_HOME": None}),
    "a read-only home": Condition(READ_ONLY, changes={"HOME": HOME, "XDG_CACHE_HOME": None}, mounts=True),
    "a full disk": Condition(FULL, changes={"HOME": HOME, "TMPDIR": HOME, "XDG_CACHE_HOME": None}, mounts=True),
    "a home that isn't there": Condition(changes={"HOME": "/nonexistent/home", "XDG_CACHE_HOME": None}),
    "no home": Condition(changes={"HOME": None, "XDG_CACHE_HOME": None}),
    "a temporary folder that isn't there": Condition(changes={"TMPDIR": "/nonexistent/temporary"}),
    "900 MB of memory": Condition("ulimit -v 900000;"),
    "40 open files": Condition("ulimit -n 40;"),
    "a clock that goes back an hour": Condition(changes={"PYTHONPATH": "backwards"}),
}
COUNT = len(CONDITIONS) * len(CASES)


def run(count: int, seed: int) -> Tally:
    """Try each subcommand under each condition, `count` pairs from number `seed` on."""
    from gtp_engine.compiled.jit import cache_folder

    tally = Tally()
    conditions = [name for name, condition in CONDITIONS.items() if not condition.mounts or can_mount()]
    if len(conditions) < len(CONDITIONS):
        tally.notes.append("left out, for nothing can be mounted here: " + ", ".join(CONDITIONS.keys() - conditions))
    pairs = [(name, case) for name in conditions for case in CASES]
    for name, (words, text, _, _) in (pairs * 2)[seed - 1 :][:count]:
        with tempfile.TemporaryDirectory() as folder:
            wrong = wrong_with(words, text, CONDITIONS[name], Path(folder), str(cache_folder()))
        if wrong:
            tally.fault(f"{words[0]}, {name}: {wrong}")
        tally.done += 1
        tally.progress(count)
    return tally


def can_mount() -> bool:
    """May we mount a file system that only we see?"""
    try:
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([*NAMESPACE, "mount", "-t", "tmpfs", "none", folder], capture_output=True).returncode == 0
    except OSError:
        return False


def wrong_with(words: list[str], text: str, condition: Condition, folder: Path, compiled: str) -> str:
    """What is wrong with a subcommand's end; "" for nothing."""
    work, home = folder / "work", folder / "home"
    lay_out(work, REPOSITORY)
    home.mkdir()
    values = environment(NUMBA_CACHE_DIR=compiled)
    for name, value in condition.changes.items():
        values.pop(name, None)
        if name == "PYTHONPATH":
            (folder / "sitecustomize.py").write_text(BACKWARDS)
            values[name] = os.pathsep.join([str(folder), str(REPOSITORY)])
        elif value is not None:
            values[name] = str(home) if value == HOME else value
    shell = [*NAMESPACE, "sh"] if condition.mounts else ["sh"]
    command = [*shell, "-c", f'{condition.before} exec "$@" {condition.redirection}', "sh", *OURS, *words]
    try:
        process = subprocess.run(
            command, input=text, cwd=work, env=values, capture_output=True, text=True, timeout=PATIENCE, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return "it hangs"
    said = process.stderr
    if "Traceback" in said + process.stdout or process.returncode not in STATUSES or len(said) > MOST_TEXT:
        return f"status {process.returncode}, {said[-900:]!r}"
    if process.returncode and not said + process.stdout and "2>" not in condition.redirection:
        return f"status {process.returncode}, and no word"
    return ""
