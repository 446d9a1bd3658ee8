"""Searches of the displayed position, in a separate thread with separate engines, so that a game isn't disturbed."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Condition, Event, Thread

from gtp_engine.engine.player.engine import Engine, EngineError
from gtp_engine.engine.search.arrays import Avoid
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.interfaces.browser.desk import Desk
from gtp_engine.interfaces.browser.findings import Findings, findings_of
from gtp_engine.interfaces.browser.game_tree import GameTree
from gtp_engine.tools.review.examiner import count_up, to_evaluation

INTERVAL = 0.1  # seconds between updates
LOOK_SECONDS = 1.0  # of a search for a hint or for ownership
LONGEST = 600.0  # seconds of an analysis without interaction
FIRST_SECONDS = 1.0  # of the displayed position, before others on the line are searched, too
OTHER_VISITS, OTHER_SECONDS = 30, 0.07  # limits for each of the others: enough for a graph, without a pause for the displayed position


@dataclass(frozen=True)
class Target:
    """A position to search."""

    tree: GameTree
    node: int
    game: Game
    seconds: float  # 0.0: only prepare for it
    avoid: Avoid | None = None


class Analyst:
    """Searches the last requested target. `report` is called with all results, in the analyst's thread."""

    def __init__(self, desk: Desk, report: Callable[[Target, Findings], None]) -> None:
        self._desk, self._report = desk, report
        self._changed = Condition()
        self._wanted: tuple[Target, Iterator[Target], Event] | None = None  # the last one is the token of its searches
        self._engine: Engine | None = None  # both are made at first use
        self._other: Engine | None = None  # for the rest of the line, so that the first one keeps its tree
        Thread(target=self._run, name="analyst", daemon=True).start()

    def search(self, target: Target | None, others: Iterable[Target] = ()) -> None:
        """Search only this target from now on, and after a second sometimes the others; None: nothing.

        `others` is iterated in the analyst's thread.
        """
        with self._changed:
            if self._wanted is not None:
                self._wanted[-1].set()
            self._wanted = (target, iter(others), Event()) if target is not None else None
            self._changed.notify()

    def renew(self) -> None:
        """Use another network from the next search on."""
        with self._changed:
            self._engine, self._other = None, None

    def _run(self) -> None:
        """The thread's loop."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted is not None)
                request = self._wanted
                self._engine = self._engine or self._desk.companion()
            if request is not None:
                try:
                    self._search(self._engine, *request)
                except EngineError as error:
                    self._desk.tell(note=f"This position can't be searched: {error}.")
            with self._changed:
                if self._wanted is request:
                    self._wanted = None

    def _search(self, engine: Engine, target: Target, others: Iterator[Target], cancelled: Event) -> None:
        """Search until the time is over or another target is requested."""
        put_on(engine, target)
        color, started = target.game.to_play, time.monotonic()
        if target.game.passes() >= 2:
            self._report(target, findings_of(count_up(engine, color), target.game.size))
            for other in others:
                self._search_other(other, cancelled)
            return
        if target.seconds == 0.0:
            cancelled.set()
        for result in engine.analyze(color, INTERVAL, target.avoid, cancelled):
            if cancelled.is_set():
                return
            self._report(target, findings_of(to_evaluation(result, color), target.game.size))
            upcoming = next(others, None) if time.monotonic() - started >= FIRST_SECONDS else None
            if upcoming is not None:
                self._search_other(upcoming, cancelled)
            if time.monotonic() - started >= target.seconds:
                return

    def _search_other(self, target: Target, cancelled: Event) -> None:
        """A short search of another position, unless another target is requested."""
        if cancelled.is_set():
            return
        self._other = self._other or self._desk.companion(reading_share=0.0)
        put_on(self._other, target)
        color = target.game.to_play
        if target.game.passes() >= 2:
            self._report(target, findings_of(count_up(self._other, color), target.game.size))
            return
        result = self._other.examine(color, Limits(OTHER_VISITS, OTHER_SECONDS, early_stop=False), cancelled=cancelled)
        if not cancelled.is_set() and result.candidates:
            self._report(target, findings_of(to_evaluation(result, color), target.game.size))


def put_on(engine: Engine, target: Target) -> None:
    """Set the engine to the target's game."""
    engine.state.set_rules(target.tree.rules)
    engine.state.komi = target.tree.komi
    engine.state.set_game(target.game)
