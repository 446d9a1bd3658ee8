"""Searches several positions at once: each thread takes the most urgent waiting position, until the pool is closed."""

import heapq
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gtp_engine.interfaces.analysis.output import no_results
from gtp_engine.interfaces.analysis.protocol import Refusal, error_message
from gtp_engine.interfaces.analysis.searcher import QueriedPosition, Searcher, Send


@dataclass(order=True)
class Waiting:
    """A position that waits or is being searched; sorted by urgency."""

    rank: tuple[int, int]  # the negated priority, then the order of arrival
    position: QueriedPosition = field(compare=False)
    cancelled: threading.Event = field(default_factory=threading.Event, compare=False)  # the token of its search


class Pool:
    """A thread for each searcher. Every added position finally gets one message with isDuringSearch false, or an error.

    send -- called in the threads with each message; an exception ends the thread and is passed to `broken`
    broken -- called in a thread that must end, with the exception
    """

    def __init__(self, searchers: Sequence[Searcher], send: Send, broken: Callable[[BaseException], None]) -> None:
        self._send, self._broken = send, broken
        self._changed = threading.Condition()  # guards the attributes below
        self._waiting: list[Waiting] = []  # a heap
        self._searched: dict[Searcher, Waiting] = {}
        self._uncleared: set[Searcher] = set()  # that must still clear their cache
        self._added = 0
        self._is_ending = False
        self._searchers = list(searchers)
        self._threads = [threading.Thread(target=self._work, args=(searcher,), name="analysis", daemon=True) for searcher in searchers]
        for thread in self._threads:
            thread.start()

    def add(self, positions: Sequence[QueriedPosition]) -> None:
        """Add positions to search: highest priority first, then in the order of arrival."""
        with self._changed:
            for position in positions:
                self._added += 1
                heapq.heappush(self._waiting, Waiting((-position.query.turns[position.turn], self._added), position))
            self._changed.notify_all()

    def terminate(self, is_meant: Callable[[QueriedPosition], bool]) -> None:
        """Terminate these positions: those in progress send their results so far, the others a message without results."""
        with self._changed:
            for task in self._searched.values():
                if is_meant(task.position):
                    task.cancelled.set()
            given_up = [task for task in self._waiting if is_meant(task.position)]
            if given_up:
                self._waiting = [task for task in self._waiting if not is_meant(task.position)]
                heapq.heapify(self._waiting)
        for task in given_up:
            self._send(no_results(task.position.query, task.position.turn))

    def clear_cache(self) -> None:
        """Clear the caches of all searchers: of idle ones before this returns, of busy ones before their next position."""
        with self._changed:
            self._uncleared = set(self._searchers)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._uncleared <= set(self._searched))

    def finish(self) -> None:
        """Wait until all positions are done. Nothing may be added afterwards."""
        with self._changed:
            self._is_ending = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def abandon(self) -> None:
        """End as fast as possible: waiting positions are dropped, those in progress send their results so far."""
        with self._changed:
            self._waiting = []
            for task in self._searched.values():
                task.cancelled.set()
        self.finish()

    def _work(self, searcher: Searcher) -> None:
        """The thread of one searcher."""
        try:
            while (task := self._next_task(searcher)) is not None:
                try:
                    self._search(searcher, task)
                finally:
                    with self._changed:
                        del self._searched[searcher]
                        self._changed.notify_all()
        except BaseException as error:
            self._broken(error)

    def _search(self, searcher: Searcher, task: Waiting) -> None:
        """Search one position. An error in the search only ends its query, with an error message."""
        position = task.position
        try:
            searcher.search(position, self._send, task.cancelled)
        except OSError:
            raise
        except Refusal as refusal:
            self._send(error_message(refusal, position.query.id) | {"turnNumber": position.turn})
        except Exception as error:
            broken = Refusal(f"internal error: {type(error).__name__}: {error}")
            self._send(error_message(broken, position.query.id) | {"turnNumber": position.turn})

    def _next_task(self, searcher: Searcher) -> Waiting | None:
        """Wait for the next position, which then is in progress; None if no more will come."""
        with self._changed:
            while True:
                if searcher in self._uncleared:
                    searcher.clear_cache()
                    self._uncleared.discard(searcher)
                    self._changed.notify_all()
                if self._waiting:
                    task = self._searched[searcher] = heapq.heappop(self._waiting)
                    return task
                if self._is_ending:
                    return None
                self._changed.wait()
