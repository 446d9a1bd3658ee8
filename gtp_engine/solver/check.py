"""`gtp-engine solve --check`: proved first moves against those that problem files call right. Processor time counts, so other work on
the machine changes little."""

import math
import time
from collections.abc import Iterable
from pathlib import Path

from gtp_engine.go.points import to_vertex
from gtp_engine.sgf.variations import right_moves
from gtp_engine.solver.problem import ProblemError, parse_sgf, read_bytes
from gtp_engine.solver.question import Budget
from gtp_engine.solver.unmarked import ask_everything

NODES = 5_000_000  # of one question; seconds end it before
DEVIATIONS = 1.96  # of an interval of 95 %


def check(names: Iterable[str], seconds: float) -> int:
    """Solve each record within so many seconds and print what came out; the exit status: 0, or 2 when nothing could be compared."""
    counts = dict.fromkeys(("right", "wrong", "unproved"), 0)
    for name in names:
        try:
            data = read_bytes(name)
            problem = parse_sgf(data, Path(name).name)
        except ProblemError as error:
            print(f"{name}: left out: {error}", flush=True)
            continue
        wanted = right_moves(data)
        if not wanted:
            print(f"{name}: left out: no variation in it is called right", flush=True)
            continue
        started = time.process_time()
        found = ask_everything(problem.game, problem.game.to_play, Budget(NODES, seconds, clock=time.process_time))
        spent = time.process_time() - started
        move = found.report.line[0] if found is not None and found.report.line else None
        verdict = "unproved" if move is None else "right" if move in wanted else "wrong"
        counts[verdict] += 1
        told = "-" if move is None or move < 0 else to_vertex(move)
        print(f"{problem.name:<34} {verdict:<9} {told:<4} of {' '.join(map(to_vertex, sorted(wanted))):<16} {spent:6.2f} s", flush=True)
    total = sum(counts.values())
    if not total:
        return 2
    low, high = interval(counts["right"], total)
    print(f"{counts['right']} of {total} right ({low:.0%} to {high:.0%} at 95 %), {counts['wrong']} other, {counts['unproved']} unproved")
    return 0


def interval(count: int, total: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share."""
    share, squared = count / total, DEVIATIONS**2
    center = share + squared / (2 * total)
    spread = DEVIATIONS * math.sqrt(share * (1 - share) / total + squared / (4 * total**2))
    return (center - spread) / (1 + squared / total), (center + spread) / (1 + squared / total)
