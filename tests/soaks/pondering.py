"""Two hours of analysis and pondering on 19x19: how much memory it takes, and how fast it stops when a command comes."""

import os
import random
import time
from pathlib import Path

from client_latency import Engine

from soaks.tally import OURS, Tally

COUNT = 120  # minutes
OPTIONS = ("threads",)
TREE_MB = 256  # --memory, which the tree fills little by little
GROWTH_MB = 30.0  # that the process may take beside it
SLOWEST_P99 = 0.050  # seconds from a command to the end of its answer


def run(count: int, seed: int, threads: int | None) -> Tally:
    """Analyze and ponder for `count` minutes, in turns, with that many threads (None: as many as the player takes by itself)."""
    tally, dice = Tally(), random.Random(seed)
    options = ["--threads", str(threads)] if threads else []
    engine = Engine(" ".join([*OURS, "--ponder", "--no-resign", "--size", "19", "--memory", str(TREE_MB), *options]))
    for line in ("komi 7.5", "time_settings 0 1 1", "genmove b"):
        engine.ask(line)
    empty = resident_megabytes(engine.process.pid)  # after a second everything is loaded, the network too, and the tree is small
    started, stops, memory = time.monotonic(), [], [(0.0, empty)]
    while (passed := time.monotonic() - started) < 60.0 * count:
        act = analysis if dice.random() < 0.5 else pondering
        stops.append(act(engine, dice))
        memory.append((passed, resident_megabytes(engine.process.pid)))
        if stops[-1] > SLOWEST_P99:
            print(f"{act.__name__}: stopped after {1000 * stops[-1]:.0f} ms; load of the machine {os.getloadavg()[0]:.1f}", flush=True)
        tally.done = int(passed / 60)
        tally.progress(count)
    tally.done = count
    judge(tally, stops, memory, 60.0 * count)
    engine.ask("quit")
    return tally


def analysis(engine: Engine, dice: random.Random) -> float:
    """Analyze for some seconds; how long the stopping command took to be answered."""
    engine.write("kata-analyze b 20\n")
    engine.read_until(b"info ")
    time.sleep(dice.uniform(0.2, 20.0))
    sent = time.perf_counter()
    engine.write("protocol_version\n")
    engine.read_until(b"= 2\n\n")
    return time.perf_counter() - sent


def pondering(engine: Engine, dice: random.Random) -> float:
    """Move, ponder for some seconds; how long the next use of the search took to be answered. Now and then a new game begins."""
    if dice.random() < 0.05:
        engine.ask("clear_board")
    for color in "bw":
        engine.ask(f"genmove {color}")
    time.sleep(dice.uniform(0.2, 20.0))
    sent = time.perf_counter()
    engine.ask("get_random_seed")  # has to wait for the search, and changes nothing; `play` and `undo` don't touch it
    return time.perf_counter() - sent


def judge(tally: Tally, stops: list[float], memory: list[tuple[float, float]], seconds: float) -> None:
    """Faults and figures."""
    ordered = sorted(stops)
    p99 = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    most, half = max(megabytes for _, megabytes in memory), next(megabytes for passed, megabytes in memory if passed >= seconds / 2)
    tally.notes.append(
        f"{len(stops)} stops: median {1000 * ordered[len(ordered) // 2]:.0f} ms, p99 {1000 * p99:.0f}, worst {1000 * ordered[-1]:.0f}"
    )
    tally.notes.append(
        f"memory: {memory[0][1]:.0f} MB at first, {half:.0f} after half of the time, {memory[-1][1]:.0f} at the end, {most:.0f} at most"
    )
    if p99 > SLOWEST_P99:
        tally.fault(f"99 % of the stops take up to {1000 * p99:.0f} ms")
    if most > memory[0][1] + TREE_MB + GROWTH_MB:
        tally.fault(f"{most:.0f} MB, with a tree of {TREE_MB} MB")


def resident_megabytes(process: int) -> float:
    """Memory of a process that is in RAM now."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024
