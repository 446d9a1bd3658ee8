"""`gtp-engine solve --check`: first moves against those that problem files call right."""

from collections.abc import Iterable

from gtp_engine.base.files import visible
from gtp_engine.base.wilson import wilson_interval
from gtp_engine.engine.solver.problem import problems_in, read_records
from gtp_engine.go.points import to_vertex, vertices
from gtp_engine.sgf.variations import right_moves
from gtp_engine.tools.problems.opinion import first_move


def check(names: Iterable[str], seconds: float, proof_share: float) -> int:
    """Solve each record within so many seconds, with this share for the proof, and print the results; returns the exit status: 0, or 2 if
    nothing could be compared."""
    counts = dict.fromkeys(("proved right", "proved wrong", "searched right", "searched wrong"), 0)
    for problem in (problem for name in names for problem in problems_in(name, leave_out, read_records)):
        expected = right_moves(problem.record)
        if not expected:
            leave_out(f"{problem.name}: no variation in it is called right")
            continue
        move, is_proved = first_move(problem, seconds, proof_share)
        verdict = f"{'proved' if is_proved else 'searched'} {'right' if move in expected else 'wrong'}"
        counts[verdict] += 1
        answer = "-" if move is None or move < 0 else to_vertex(move)
        print(f"{visible(problem.name):<34} {verdict:<14} {answer:<4} of {vertices(sorted(expected))}", flush=True)
    total = sum(counts.values())
    if not total:
        return 2
    right = counts["proved right"] + counts["searched right"]
    low, high = wilson_interval(right / total, total)
    print(
        f"{right} of {total} right ({low:.0%} to {high:.0%} at 95 %); "
        + ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    )
    return 0


def leave_out(text: str) -> None:
    """Print which problem isn't compared, and why."""
    print(f"left out: {text}", flush=True)
