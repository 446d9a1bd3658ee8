"""Evaluators judge the leaves of the tree: playouts, networks, or a count. The search knows them by this interface only.

The search walks from the root to a leaf and back. An evaluator answers questions about leaves: policy, win, lead, the owner of each point.
To add one, write a class like the subclasses of AnsweringEvaluator and pass it to Search; nothing else has to change.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from gtp_engine.engine.search.answer import new_answers
from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.simulation import advance, run_simulations
from gtp_engine.engine.search.tree import ROOT
from gtp_engine.go.game import Game

FIRST_CHUNK, LARGEST_CHUNK = 16, 4096  # simulations in one call, for evaluators that take less than a millisecond for one


class Evaluator(ABC):
    """Runs simulations. Several threads call it at once, each with its own thread number."""

    first_chunk = FIRST_CHUNK  # simulations in the first call of a run, when it isn't known yet how long one takes
    largest_chunk = LARGEST_CHUNK  # most simulations in one call, during which the clock isn't checked
    memory = 0  # megabytes of the search's memory that it uses itself
    by_policy = False  # True: its answers have a policy, which gives the priors, and moves are chosen by PUCT
    judges_ends = False  # True: it judges finished games, too; False: they are scored after a playout has removed the dead stones
    leaves = 1  # that it judges at once, for each thread

    def prepare(self, arrays: SearchArrays, game: Game) -> None:  # noqa: B027  # not every evaluator has something to prepare
        """Called before a search begins at the current position of `game`, the root of `arrays`. No thread is searching."""

    @abstractmethod
    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """Run `count` simulations as `thread`; returns how many were counted (superko may end some)."""

    def forget(self) -> None:  # noqa: B027  # nor to forget
        """Forget everything about positions: the search starts from scratch."""


class PlayoutEvaluator(Evaluator):
    """Plays each leaf to the end of the game, in the same compiled call as the walk."""

    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """See Evaluator."""
        return int(run_simulations(arrays.nodes, arrays.shared, arrays.workspaces, arrays.situations, arrays.facts, thread, count))


class AnsweringEvaluator(Evaluator):
    """An evaluator that judges leaves, `leaves` of each thread at once.

    A thread finds different leaves because their visits count as lost until the answer comes (virtual loss).
    """

    by_policy = True

    def __init__(self, kept_answers: int = 0) -> None:
        """`kept_answers`: the number of positions whose answers are kept, about 1.5 kB for each."""
        self._kept_answers = kept_answers
        self._answers = new_answers(kept_answers)

    @abstractmethod
    def answer(self, arrays: SearchArrays, slots: Sequence[int]) -> None:
        """Judge the leaves of these workspaces: fill the fields that `simulation.advance` names. Several threads call it."""

    def forget(self) -> None:
        """See Evaluator."""
        self._answers = new_answers(self._kept_answers)

    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """See Evaluator."""
        if self.leaves == 1:
            return self._simulate_one(arrays, thread, count)
        slots = range(thread * self.leaves, (thread + 1) * self.leaves)
        done = 0
        if self.by_policy and count > 1 and not arrays.nodes[ROOT]["first_child"]:
            done, count = self._simulate_one(arrays, slots[0], 1), count - 1  # all others would wait at the root
        shares = [count // self.leaves + (k < count % self.leaves) for k in range(self.leaves)]
        return done + self._simulate_many(arrays, slots, shares)

    def _simulate_one(self, arrays: SearchArrays, slot: int, count: int) -> int:
        """Run `count` simulations in one workspace, a leaf at a time."""
        arguments = arrays.nodes, arrays.shared, arrays.workspaces, arrays.situations, arrays.facts, self._answers, slot
        slots = (slot,)
        waits = advance(*arguments, count)
        while waits:
            self.answer(arrays, slots)
            waits = advance(*arguments, 0)
        return int(arrays.workspaces[slot]["done"])

    def _simulate_many(self, arrays: SearchArrays, slots: Sequence[int], shares: Sequence[int]) -> int:
        """Run so many simulations in each workspace; all waiting leaves are judged together."""
        arguments = arrays.nodes, arrays.shared, arrays.workspaces, arrays.situations, arrays.facts, self._answers
        used = [slot for slot, share in zip(slots, shares, strict=True) if share > 0]
        waiting = [slot for slot, share in zip(slots, shares, strict=True) if share > 0 and advance(*arguments, slot, share)]
        while waiting:
            self.answer(arrays, waiting)
            waiting = [slot for slot in waiting if advance(*arguments, slot, 0)]
        return int(np.sum(arrays.workspaces["done"][used]))
