"""`gtp-engine solve --check`: first moves against those that problem files call right: proved ones, if the search thinks of them, too, or
much is at stake; else the search's. Processor time counts for the proof, so other work on the machine changes little there."""

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gtp_engine.base.files import visible
from gtp_engine.base.processors import processors
from gtp_engine.base.wilson import wilson_interval
from gtp_engine.go.points import from_vertex, to_vertex

if TYPE_CHECKING:
    from gtp_engine.engine.solver.problem import Problem


NODES = 5_000_000  # of one question; seconds end it before


def check(names: Iterable[str], seconds: float, proof_share: float) -> int:
    """Solve each record within so many seconds, this share for the proof, and print what came out; the exit status: 0, or 2 when
    nothing could be compared."""
    from gtp_engine.sgf.variations import right_moves

    counts = dict.fromkeys(("proved right", "proved wrong", "searched right", "searched wrong"), 0)
    for problem in read_all(names):
        wanted = right_moves(problem.record)
        if not wanted:
            leave_out(f"{problem.name}: no variation in it is called right")
            continue
        move, how = answer(problem, seconds, proof_share)
        verdict = f"{how} {'right' if move in wanted else 'wrong'}"
        counts[verdict] += 1
        told = "-" if move is None or move < 0 else to_vertex(move)
        print(f"{visible(problem.name):<34} {verdict:<14} {told:<4} of {' '.join(map(to_vertex, sorted(wanted)))}", flush=True)
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


def read_all(names: Iterable[str]) -> "Iterator[Problem]":
    """Every problem in these SGF files; those that cannot be read are named."""
    from gtp_engine.engine.solver.problem import ProblemError, read_bytes, read_records

    for name in names:
        try:
            yield from read_records(read_bytes(name), name, leave_out)
        except ProblemError as error:
            leave_out(f"{name}: {error}")


def leave_out(text: str) -> None:
    """Say which problem is not compared, and why."""
    print(f"left out: {text}", flush=True)


def answer(problem: "Problem", seconds: float, proof_share: float) -> tuple[int | None, str]:
    """(point of the first move, "proved" or "searched") for the player to move."""
    from gtp_engine.engine.solver.question import Budget
    from gtp_engine.engine.solver.unmarked import answer_move, ask_everything
    from gtp_engine.tools.problems.opinion import Opinions

    color, threads, opinions = problem.game.to_play, processors(), Opinions(problem)
    first_moves = opinions.first_moves()
    budget = Budget(NODES, proof_share * seconds * threads, clock=time.process_time)
    found = ask_everything(problem.game, color, budget, threads, first_moves)
    searched = opinions.search(color, (1 - proof_share) * seconds)
    move = answer_move(found, searched.likely)
    if move is not None:
        return move, "proved"
    return (from_vertex(searched.line[0], problem.game.size) if searched.line else None), "searched"
