"""What tests of jobs run in other processes. Each is called as function(data, seed)."""

import math
import os
import random
import signal
import time
from pathlib import Path
from typing import Any


def square(number: int, seed: int) -> int:
    return number * number + seed


def refuse(_: Any, __: int) -> None:
    raise ValueError("no such number")


def leave_trace(folder: str, seed: int) -> int:
    """Take 20 ms, and leave a file that tells that this job has run to its end."""
    time.sleep(0.02)
    (Path(folder) / f"{seed}.{time.monotonic_ns()}").touch()
    return seed


def fail_once(folder: str, seed: int) -> int:
    """Raise the first time, after that give the seed."""
    mark = Path(folder) / f"failed-{seed}"
    if not mark.exists():
        mark.touch()
        raise MemoryError("no memory this time")
    return seed


def second_problem_fails_once(data: dict[str, Any], seed: int) -> dict[str, Any]:
    """A made problem, as `gtp-engine problems` wants it; the second one fails the first time. Leaves its mark in the working folder."""
    from gtp_engine.tools.problems.collection import problem_texts

    if data["number"] == 2:
        fail_once(".", 2)
    return problem_texts(data, seed)


def die_once(folder: str, seed: int) -> int:
    """End the process by kill -9 the first time, after that give the seed."""
    mark = Path(folder) / f"died-{seed}"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return seed


def die(_: Any, __: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def drive(store: Path, folder: Path, count: int) -> None:
    """A driver as a process of its own: jobs that leave traces, with two processes."""
    from gtp_engine.base.jobs.job import JobDescription
    from gtp_engine.base.jobs.local import LocalRunner
    from gtp_engine.base.jobs.run import run_missing
    from gtp_engine.base.jobs.store import JobStore

    results = JobStore(store, {"count": count})
    jobs = (JobDescription(str(number), "job_functions:leave_trace", str(folder), number) for number in range(count))
    with LocalRunner(2) as runner:
        for _ in run_missing(jobs, count, runner, results):
            pass
    results.close()


def play_pair_by_chance(order: Any, seed: int) -> dict[str, Any]:
    """A pair of games won with a known chance: strength falls with the square of the distance from exploration 0.3, rave_visits 7000."""
    dice = random.Random(f"{seed} {order.number}")

    def strength(commands: tuple[str, ...]) -> float:
        settings = dict(line.split()[1:] for line in commands)
        return -10.0 * (float(settings["exploration"]) - 0.3) ** 2 - 10.0 * (float(settings["rave_visits"]) / 10_000 - 0.7) ** 2

    chance = 1.0 / (1.0 + math.exp(strength(order.setups[1]) - strength(order.setups[0])))
    games = [{"score": float(dice.random() < chance)} for _ in range(2)]
    return {"games": games}
