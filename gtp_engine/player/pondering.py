"""Pondering: searching on in the opponent's time, in a thread of its own."""

import threading
from collections.abc import Callable

from gtp_engine.search.search import Limits, Search

MOST_SECONDS = 60.0  # an opponent who thinks longer may have gone home: leave the machine in peace
POLL_SECONDS = 0.01  # how often a stop is repeated until it is heard; a chunk of simulations takes about half of it


class Ponder:
    """At most one search running behind the caller's back."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._search: Search | None = None

    def start(self, search: Search, prepare: Callable[[], object]) -> None:
        """Let `search`, when `prepare` has been called, run until `stop`. Nobody else may use it before."""
        self.stop()
        search.forget_interrupt()
        self._search, self._thread = search, threading.Thread(target=ponder, args=(search, prepare), name="ponder", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the search, if one runs; afterwards its tree may be used."""
        while self._thread is not None and self._search is not None:
            self._search.interrupt()
            self._thread.join(POLL_SECONDS)
            if not self._thread.is_alive():
                self._search.forget_interrupt()
                self._thread = self._search = None


def ponder(search: Search, prepare: Callable[[], object]) -> None:
    """What the thread does."""
    prepare()
    search.run(Limits(seconds=MOST_SECONDS, early_stop=False))
