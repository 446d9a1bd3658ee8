"""Our own search as an engine uses it: on boards of any size, cancelled from any thread, pondering between moves."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event

import numpy as np

from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.pondering import Ponder
from gtp_engine.engine.player.reading import Reader, Reading, ReadingLimits
from gtp_engine.engine.player.verdict import Verdict, Verdicts
from gtp_engine.engine.search.params import SearchParams, board_kind
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits, Progress, Search
from gtp_engine.go.game import Game

NODES_PER_SIMULATION = 100  # positions that reading may look at for each simulation of a search that goes by their number
ANALYSIS_SECONDS = 1.0  # reading takes its share of that before an analysis
PONDER_SECONDS = 0.5  # and of that before pondering: a quick answer of the opponent has to wait for it
SHORTEST = 0.001  # seconds that a search has at least


class OwnSearch:
    """A search whose tree lives through a game. Methods that use the search end pondering first.

    `random` and `evaluators` don't: they don't touch the tree.
    """

    def __init__(self, params: SearchParams, size: int, evaluators: Evaluators) -> None:
        """`size`: the board that it is made for; it adapts to other sizes when they come."""
        self.params = params
        self.evaluators = evaluators
        self._ponder = Ponder()
        self._kind, self._size = board_kind(params.evaluator, size), size
        self._reader = Reader()
        self._judge = Verdicts(lambda game: evaluators.network_owners(game, self.params))
        self._search = self._new_search()

    def _new_search(self) -> Search:
        """A new search with the current parameters, the evaluator for the current board, and no facts."""
        self._facts_in_search: Reading | None = None
        return Search(self.params, self.evaluators.new(self._kind[0], self.params, self._size))

    def _idle_search(self) -> Search:
        """The search, for us alone."""
        self._ponder.stop()
        return self._search

    # ---------------------------------------------------------------- settings

    def set_params(self, params: SearchParams, size: int) -> None:
        """Search with other parameters from now on; the tree starts anew. `size` as in __init__."""
        self._ponder.stop()
        self.params, self._kind, self._size = params, board_kind(params.evaluator, size), size
        self._judge.forget()
        self._search = self._new_search()

    @property
    def seed(self) -> int:
        """The seed of the random numbers. Setting it forgets the tree and all proofs."""
        return self._idle_search().current_seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._idle_search().seed(seed)
        self._reader, self._facts_in_search = Reader(), None

    @property
    def random(self) -> np.random.Generator:
        """For what is drawn once a move."""
        return self._search.random

    def clear(self) -> None:
        """Forget the tree, what the evaluator knows of positions, and what was read."""
        self._idle_search().clear()
        self._reader, self._facts_in_search = Reader(), None

    def forget_tree(self) -> None:
        """Forget the tree, but nothing that the evaluator or reading knows of positions."""
        self._idle_search().forget_tree()

    @contextmanager
    def afresh(self, seed: int) -> Iterator[None]:
        """Within the block, search as if nothing had been searched or read before, with random numbers from `seed`."""
        before, kind, size = self._idle_search(), self._kind, self._size
        reader, facts_in_search = self._reader, self._facts_in_search
        self._search, self._reader = self._new_search(), Reader()
        self._search.seed(seed)
        try:
            yield
        finally:
            self._search, self._kind, self._size = before, kind, size
            self._reader, self._facts_in_search = reader, facts_in_search

    # ---------------------------------------------------------------- searching

    def _fitting_search(self, turn: Turn) -> Search:
        """The search, for us alone, with the evaluator that belongs to the board; the seed is kept."""
        search, kind = self._idle_search(), board_kind(self.params.evaluator, turn.game.size)
        if kind != self._kind:
            self._kind, self._size = kind, turn.game.size
            self._search = self._new_search()
            self._search.seed(search.current_seed)
        return self._search

    def _prepare(self, search: Search, turn: Turn, limits: Limits) -> None:
        """Put the search at the position of `turn`, with the facts that the solver proves in its share of the limits."""
        if self.params.reading_share > 0.0 and not turn.cancelled.is_set():
            reading = self._reader.read(turn.game, reading_limits(self.params, limits))
            if reading is not self._facts_in_search:
                search.set_facts(reading.record, reading.facts)
                self._facts_in_search = reading
        search.prepare(turn.game, turn.color, turn.komi, turn.avoid, turn.virtual_komi)

    def verdict(self, game: Game) -> Verdict:
        """See Verdicts; the network that the search uses is a witness."""
        return self._judge.verdict(game)

    def run(self, turn: Turn, limits: Limits, progress: Progress | None = None) -> SearchResult:
        """Search until the limits are reached, or until the turn's token is set.

        Before, the solver proves facts about the position's fights within its share of the limits.
        """
        started = time.monotonic()
        search = self._fitting_search(turn)
        self._prepare(search, turn, limits)
        used = time.monotonic() - started  # on a board of another size the network is opened here
        limits = replace(limits, seconds=shortened(limits.seconds, used), most_seconds=shortened(limits.most_seconds, used))
        return search.run(limits, progress, turn.cancelled)

    def run_on(self, turn: Turn, intervals: Iterable[Limits]) -> Iterator[SearchResult]:
        """Search one position, yielding the result after each of `intervals`, until the turn's token is set."""
        search = self._fitting_search(turn)
        self._prepare(search, turn, Limits(seconds=ANALYSIS_SECONDS))
        for limits in intervals:
            if turn.cancelled.is_set():
                return
            yield search.run(limits, None, turn.cancelled)

    def ponder(self, turn: Turn) -> None:
        """Read and search in another thread until the search is used again. The turn's game may be changed meanwhile."""
        search, turn = self._fitting_search(turn), replace(turn, game=turn.game.copy(), cancelled=Event())
        self._ponder.start(search, lambda: self._prepare(search, turn, Limits(seconds=PONDER_SECONDS)), turn.cancelled)


def reading_limits(params: SearchParams, limits: Limits) -> ReadingLimits:
    """The share of a search's limits for reading: positions only, if the search has no time limit."""
    nodes = params.reading_nodes
    if limits.simulations is not None:
        nodes = min(nodes, NODES_PER_SIMULATION * limits.simulations)
    return ReadingLimits(nodes, None if limits.seconds is None else params.reading_share * limits.seconds)


def shortened(seconds: float | None, used: float) -> float | None:
    """The rest of a limit."""
    return None if seconds is None else max(seconds - used, SHORTEST)
