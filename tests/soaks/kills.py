"""kill -9 at random moments: the same command, started again, finishes the work; nothing is lost, twice, or half-written.

Only the program itself is killed, not its engines and helpers: those have to notice by themselves.
"""

import random
import subprocess
import tempfile
import time
from pathlib import Path

from soaks.tally import OURS, PATIENCE, Tally, environment
from soaks.works import FAST, Work, lay_out, works_of

COUNT = 300
KILLS = 10  # of one piece of work, at most, before it is finished and looked at
COMPILE_EVERY = 100  # kills: three first starts at once, one of them killed
SOONEST = 0.3  # seconds until a kill; the latest comes after the time that the whole work takes undisturbed
QUICKER = 0.7  # the time of a work that nobody could kill was too long; it is taken to be so much shorter
MARK = "SOAK_KILLS"
COMPILING = "first starts, three at once"


def run(count: int, seed: int) -> Tally:
    """Kill `count` times, each kind of work about as often."""
    tally, dice = Tally(), random.Random(seed)
    works = works_of()
    seconds = {name: time_of(work, tally) for name, work in works.items()}
    kills = dict.fromkeys([*works, COMPILING], 0)
    while tally.done < count and len(tally.faults) < 20:
        if kills[COMPILING] * COMPILE_EVERY <= tally.done:
            kills[COMPILING] += 1
            note(tally, COMPILING, kill_a_compiler(dice))
        name = min(works, key=lambda each: kills[each])
        with tempfile.TemporaryDirectory() as place:
            hits, fault = kill_and_finish(works[name], Path(place), dice, seconds[name])
        kills[name] += hits
        if not hits:
            seconds[name] *= QUICKER  # it was slower when it was timed
        note(tally, name, fault)
        tally.done = sum(kills.values())
        tally.progress(count)
    tally.notes.append("kills: " + ", ".join(f"{many} of {name}" for name, many in kills.items()))
    return tally


def note(tally: Tally, name: str, fault: str) -> None:
    """Tell a fault, if it is one."""
    if fault:
        tally.fault(f"{name}: {fault}")


def time_of(work: Work, tally: Tally) -> float:
    """Seconds that a piece of work takes that nobody kills, when all that it needs is compiled."""
    seconds = 0.0
    for _ in ("compiles", "is timed"):
        with tempfile.TemporaryDirectory() as place:
            started = time.monotonic()
            note(tally, "without a kill", finish(work, Path(place)))
            seconds = time.monotonic() - started
    return seconds


def kill_and_finish(work: Work, folder: Path, dice: random.Random, seconds: float) -> tuple[int, str]:
    """Kill a piece of work several times, let it finish; (kills, what is wrong then)."""
    hits = 0
    for _ in range(KILLS):
        process = start(work, folder)
        try:
            process.wait(dice.uniform(SOONEST, max(seconds, 2.0 * SOONEST)))
            break  # it has finished before
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            hits += 1
    left = left_behind(str(folder))
    return hits, f"still there after the kills: {left}" if left else finish(work, folder)


def start(work: Work, folder: Path, output: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """A process that does the work, or goes on with it; its stderr goes to `output`."""
    if not any(folder.iterdir()):
        lay_out(folder)
    values = environment(**{MARK: str(folder)})
    return subprocess.Popen([*OURS, *work.words(folder)], cwd=folder, env=values, stdout=subprocess.DEVNULL, stderr=output, text=True)


def finish(work: Work, folder: Path) -> str:
    """Let the work come to its end; what is wrong with it."""
    process = start(work, folder, subprocess.PIPE)
    said = process.communicate(timeout=PATIENCE)[1]
    if process.returncode:
        return f"status {process.returncode}: {said[-500:]}"
    parts = [str(path) for path in folder.rglob("*.part")]
    return work.wrong(folder) or (f"left half-written: {parts}" if parts else "")


def left_behind(mark: str) -> list[str]:
    """The command lines of processes that carry a mark and don't end within some seconds."""
    deadline = time.monotonic() + 20.0
    while True:
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if f"{MARK}={mark}".encode() in (place / "environ").read_bytes():
                    found.append((place / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")[:200])
            except OSError:
                continue
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.2)


def kill_a_compiler(dice: random.Random) -> str:
    """Three first starts at once, one of them killed: the others answer, and the next start compiles nothing."""
    with tempfile.TemporaryDirectory() as folder:
        values = environment(XDG_CACHE_HOME=folder, **{MARK: folder})
        words = [*OURS, *FAST]
        processes = [
            subprocess.Popen(words, env=values, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)
        ]
        for process in processes:
            assert process.stdin is not None
            process.stdin.write(b"boardsize 9\ngenmove b\nquit\n")
            process.stdin.flush()
        time.sleep(dice.uniform(1.0, 30.0))
        processes[dice.randrange(3)].kill()
        answers = [process.communicate(timeout=PATIENCE)[0].count(b"= ") for process in processes]
        again = subprocess.run(words, env=values, input=b"boardsize 9\ngenmove b\nquit\n", capture_output=True, timeout=PATIENCE)
    if sorted(answers)[1:] != [3, 3]:
        return f"three first starts, one killed: {answers} answers"
    return f"the next start says {again.stderr!r}" if b"compil" in again.stderr or again.stdout.count(b"= ") != 3 else ""
