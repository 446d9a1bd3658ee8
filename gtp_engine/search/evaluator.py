"""Evaluators: what judges the leaves of the tree. The one seam behind which a playout, a count or a network stands.

An evaluator runs whole simulations on the search's arrays; how it mixes compiled and Python code is its own affair. To add one: a
class with `simulate`, and a line in EVALUATORS.
"""

from collections.abc import Callable
from typing import Protocol

from gtp_engine.go.score import count_area
from gtp_engine.search.arrays import SearchArrays
from gtp_engine.search.simulation import back_up_leaf, run_simulations, select_leaf


class Evaluator(Protocol):
    """Runs simulations. Several threads call it at once, each with its own thread number."""

    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """Run `count` simulations as `thread`; gives back how many were counted (superko may cut some off)."""
        ...


class PlayoutEvaluator:
    """Plays each leaf to the end of the game: select, expand, playout and backup in one compiled call."""

    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """See Evaluator."""
        return int(run_simulations(*arrays.all(), thread, count))


class UniformEvaluator:
    """Counts each leaf as it stands, every stone alive; all moves are equal to it. Shows the path that a network takes."""

    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """See Evaluator."""
        a = arrays
        komi = float(a.params[0]["komi"])
        done = 0
        for _ in range(count):
            if not select_leaf(*arrays.all(), thread):
                continue
            score = int(count_area(a.positions, thread + 1)) - komi
            back_up_leaf(a.nodes, a.params, a.positions, a.workers, a.tallies, thread, 0.5 if score == 0 else float(score > 0), score)
            done += 1
        return done


EVALUATORS: dict[str, Callable[[], Evaluator]] = {"playouts": PlayoutEvaluator, "uniform": UniformEvaluator}
