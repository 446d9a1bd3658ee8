"""Pondering: searching in the opponent's time, in another thread."""

from collections.abc import Callable
from threading import Event, Thread

from gtp_engine.engine.search.search import Limits, Search

MOST_SECONDS = 60.0  # an opponent who thinks longer may have left: stop using the machine


class Ponder:
    """At most one search running behind the caller's back."""

    def __init__(self) -> None:
        self._thread: Thread | None = None
        self._cancelled = Event()

    def start(self, search: Search, prepare: Callable[[], object], cancelled: Event) -> None:
        """Let `search`, when `prepare` has been called, run until `stop`, which sets `cancelled`. Nobody else may use it before."""
        self.stop()
        self._cancelled = cancelled
        self._thread = Thread(target=ponder, args=(search, prepare, self._cancelled), name="ponder", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the search, if one runs; afterwards its tree may be used."""
        self._cancelled.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None


def ponder(search: Search, prepare: Callable[[], object], cancelled: Event) -> None:
    """The thread's function."""
    prepare()
    search.run(Limits(seconds=MOST_SECONDS, early_stop=False), None, cancelled)
