"""kill -9 at random moments: the same command, started again, finishes the work; nothing is lost, twice, or half-written.

Only the program itself is killed, not its engines and helpers: those have to notice by themselves.
"""

import importlib.util
import json
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from soaks.tally import OURS, PATIENCE, Tally, environment

COUNT = 300
KILLS = 10  # of one piece of work, at most, before it is finished and looked at
COMPILE_EVERY = 100  # kills: three first starts at once, one of them killed
SOONEST = 0.3  # seconds until a kill; the latest comes after the time that the whole work takes undisturbed
MARK = "SOAK_KILLS"
COMPILING = "first starts, three at once"
FAST = ["--evaluator", "playouts", "--playouts", "2", "--threads", "1"]
GAMES = 12
TINY = ["--threads", "1", "--device", "cpu", "--blocks", "1", "--channels", "8", "--batch", "8", "--held-out", "2"]


@dataclass(frozen=True)
class Work:
    """A command, and what must be there when it has finished."""

    words: Callable[[Path], list[str]]  # folder -> the words
    wrong: Callable[[Path], str]  # folder -> what is wrong with the results


def run(count: int, seed: int) -> Tally:
    """Kill `count` times."""
    tally, dice = Tally(), random.Random(seed)
    works = works_of()
    kills, seconds = dict.fromkeys([*works, COMPILING], 0), {name: time_of(work, tally) for name, work in works.items()}
    while tally.done < count and len(tally.faults) < 20:
        for name, work in works.items():
            if kills[COMPILING] * COMPILE_EVERY <= tally.done:
                kills[COMPILING] += 1
                note(tally, COMPILING, kill_a_compiler(dice))
            with tempfile.TemporaryDirectory() as place:
                hits, fault = kill_and_finish(work, Path(place), dice, seconds[name])
            kills[name] += hits
            note(tally, name, fault)
            tally.done = sum(kills.values())
            tally.progress(count)
            if tally.done >= count:
                break
    tally.notes.append("kills: " + ", ".join(f"{many} of {name}" for name, many in kills.items()))
    return tally


def note(tally: Tally, name: str, fault: str) -> None:
    """Tell a fault, if it is one."""
    if fault:
        tally.fault(f"{name}: {fault}")


def time_of(work: Work, tally: Tally) -> float:
    """Seconds that a piece of work takes that nobody kills."""
    with tempfile.TemporaryDirectory() as place:
        started = time.monotonic()
        note(tally, "without a kill", finish(work, Path(place)))
        return time.monotonic() - started


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


def lay_out(folder: Path) -> None:
    """What the commands read."""
    (folder / "games").mkdir()
    for number in range(4):
        moves = "".join(f";{'BW'[i % 2]}[{'abcdefghi'[(i * 5 + number) % 9]}{'abcdefghi'[i * 2 % 9]}]" for i in range(8))
        (folder / "games" / f"{number}.sgf").write_text(f"(;SZ[9]KM[7.5]{moves})")
    (folder / "suite.tst").write_text("boardsize 9\n" + "".join(f"{i} genmove b\n#? [[A-J][1-9]]\nundo\n" for i in range(1, 20)))
    numbers = np.random.default_rng(1)
    moves_array = np.concatenate([numbers.choice(81, 20, replace=False) for _ in range(12)]).astype(np.uint8)
    winner, margin = np.ones(12, np.int8), np.full(12, -1.0, np.float16)
    np.savez(folder / "games.npz", moves=moves_array, lengths=np.full(12, 20, np.uint16), winner=winner, margin=margin)


def works_of() -> dict[str, Work]:
    """Every command that leaves something. A new one, `train selfplay` for example, is one more entry here."""
    player = " ".join([*OURS, *FAST])
    games = ["--size", "5", "--games", str(GAMES), "--openings", "random:0", "--output", "out"]
    works = {
        "match": Work(lambda _: ["match", player, player, *games], wrong_with_match),
        "tune": Work(lambda _: ["tune", "exploration", "0.1", "0.2", "--playouts", "2", *games], wrong_with_match),
        "review": Work(lambda _: ["review", "games", "--output", "out", *FAST], wrong_with_review),
        "regress": Work(lambda _: ["regress", "suite.tst", "--output", "out", *FAST], wrong_with_regress),
        "problems": Work(lambda _: ["problems", "--count", "2", "--size", "9", "--output", "out"], wrong_with_problems),
        "move model": Work(
            lambda _: ["train", "move-model", "games.npz", "model.npz", "--held-out", "2", "--cache", "cache"], wrong_with_model
        ),
    }
    if importlib.util.find_spec("torch"):
        words = ["train", "imitation", "games.npz", "--folder", "run", "--positions", "256", *TINY, "--cache", "cache"]
        works["imitation"] = Work(lambda _: words, wrong_with_training)
    return works


def wrong_with_match(folder: Path) -> str:
    """Every game once in the results, and its record."""
    lines = [json.loads(line) for line in (folder / "out" / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    numbers = sorted(line["number"] for line in lines if "number" in line)
    records = sorted(int(path.stem) for path in (folder / "out" / "games").glob("*.sgf"))
    wanted = list(range(GAMES))
    return "" if numbers == wanted and records == wanted else f"results of games {numbers}, records of {records}"


def wrong_with_review(folder: Path) -> str:
    """A whole review of each game."""
    for number in range(4):
        document = json.loads((folder / "out" / str(number) / f"{number}.json").read_text(encoding="utf-8"))
        if not document or not (folder / "out" / str(number) / f"{number}.html").read_text(encoding="utf-8").rstrip().endswith("</html>"):
            return f"game {number} is not whole"
    return ""


def wrong_with_regress(folder: Path) -> str:
    """Some result."""
    return "" if any((folder / "out").iterdir()) else "no results"


def wrong_with_problems(folder: Path) -> str:
    """As many records as were wanted, all readable."""
    from gtp_engine.sgf import load

    paths = sorted((folder / "out").rglob("*.sgf"))
    for path in paths:
        load(path)
    return "" if len(paths) == 2 else f"{len(paths)} problems"


def wrong_with_model(folder: Path) -> str:
    """A model that loads."""
    from gtp_engine.move_model.model_file import load_model

    load_model(folder / "model.npz")
    return ""


def wrong_with_training(folder: Path) -> str:
    """A network, and a log without a gap or a repetition."""
    lines = [json.loads(line) for line in (folder / "run" / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    positions = [line["positions"] for line in lines]
    if not (folder / "run" / "network.onnx").exists() or positions[-1] != 256 or positions != sorted(positions):
        return f"positions learned: {positions}"
    return ""


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
