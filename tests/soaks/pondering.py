"""Two hours of analysis and pondering on 19x19: how much memory it takes, and how fast it stops when a command comes."""

import random
import time
from pathlib import Path

from client_latency import Engine

from soaks.tally import OURS, Tally

COUNT = 120  # minutes
SETTLED = 0.25  # share of the time after which memory must be flat
GROWTH_MB = 20.0
SLOWEST_P99 = 0.050  # seconds from a command to the end of its answer


def run(count: int, seed: int) -> Tally:
    """Analyze and ponder for `count` minutes, in turns."""
    tally, dice = Tally(), random.Random(seed)
    engine = Engine(" ".join([*OURS, "--ponder", "--no-resign", "--memory", "256"]))
    for line in ("boardsize 19", "clear_board", "komi 7.5", "time_settings 0 1 1", "genmove b"):
        engine.ask(line)
    started, stops, memory = time.monotonic(), [], []
    while (passed := time.monotonic() - started) < 60.0 * count:
        stops.append(analysis(engine, dice) if dice.random() < 0.5 else pondering(engine, dice))
        memory.append((passed, resident_megabytes(engine.process.pid)))
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
    """Move, ponder for some seconds; how long the next command took to be answered. Now and then a new game begins."""
    if dice.random() < 0.05:
        engine.ask("clear_board")
    for color in "bw":
        engine.ask(f"genmove {color}")
    time.sleep(dice.uniform(0.2, 20.0))
    sent = time.perf_counter()
    engine.ask("play b pass")
    took = time.perf_counter() - sent
    engine.ask("undo")
    return took


def judge(tally: Tally, stops: list[float], memory: list[tuple[float, float]], seconds: float) -> None:
    """Faults and figures."""
    ordered = sorted(stops)
    p99 = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    settled = [megabytes for passed, megabytes in memory if passed > SETTLED * seconds]
    grown = settled[-1] - settled[0]
    tally.notes.append(
        f"{len(stops)} stops: median {1000 * ordered[len(ordered) // 2]:.0f} ms, p99 {1000 * p99:.0f}, worst {1000 * ordered[-1]:.0f}"
    )
    tally.notes.append(
        f"memory: {memory[0][1]:.0f} MB at first, {settled[0]:.0f} after a quarter of the time, {settled[-1]:.0f} at the end"
    )
    if p99 > SLOWEST_P99:
        tally.fault(f"99 % of the stops take up to {1000 * p99:.0f} ms")
    if grown > GROWTH_MB:
        tally.fault(f"memory has grown by {grown:.0f} MB")


def resident_megabytes(process: int) -> float:
    """Memory of a process that is in RAM now."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024
