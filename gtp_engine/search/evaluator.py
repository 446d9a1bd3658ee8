"""Evaluators: what judges the leaves of the tree. The one seam behind which a playout, a count or a network stands.

An evaluator runs whole simulations on the search's arrays; how it mixes compiled and Python code is its own affair. To add one: a
class with what Evaluator asks for. EVALUATORS has those that need nothing but the search's parameters; others are passed to Search.
"""

from collections.abc import Callable
from typing import Protocol

from gtp_engine.go.game import Game
from gtp_engine.go.score import count_area
from gtp_engine.search.arrays import SearchArrays
from gtp_engine.search.simulation import back_up_leaf, run_simulations, select_leaf

FIRST_CHUNK, LARGEST_CHUNK = 16, 4096  # simulations in one call, of evaluators that take less than a millisecond for one


class Evaluator(Protocol):
    """Runs simulations. Several threads call it at once, each with its own thread number."""

    first_chunk: int  # simulations in the first call of a run, when nobody knows yet how long one takes
    largest_chunk: int  # most simulations in one call: the clock is not looked at before it returns
    memory: int  # megabytes that it takes itself, out of the search's
    puct: bool  # True: it gives the children that it makes a policy's priors, and moves are chosen by PUCT

    def prepare(self, arrays: SearchArrays, game: Game) -> None:
        """The search begins at the current position of `game`, which `arrays` has as its root; no thread is at work."""
        ...

    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """Run `count` simulations as `thread`; gives back how many were counted (superko may cut some off)."""
        ...

    def forget(self) -> None:
        """Forget what was learned about positions: the search starts from scratch."""
        ...


class PlainEvaluator:
    """What evaluators without a policy and without a memory have in common."""

    first_chunk, largest_chunk = FIRST_CHUNK, LARGEST_CHUNK
    memory = 0
    puct = False

    def prepare(self, arrays: SearchArrays, game: Game) -> None:
        """See Evaluator."""

    def forget(self) -> None:
        """See Evaluator."""


class PlayoutEvaluator(PlainEvaluator):
    """Plays each leaf to the end of the game: select, expand, playout and backup in one compiled call."""

    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """See Evaluator."""
        return int(run_simulations(*arrays.all(), thread, count))


class UniformEvaluator(PlainEvaluator):
    """Counts each leaf as it stands, every stone alive; all moves are equal to it. Shows how an evaluator works leaf by leaf."""

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
