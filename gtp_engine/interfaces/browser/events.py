"""Events of the board, sent to every open page."""

from queue import SimpleQueue
from threading import Lock
from typing import Any

Event = dict[str, Any]  # name -> value; a page handles each name separately


class Events:
    """Distributes events. For any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages: list[SimpleQueue[Event]] = []

    def subscribe(self, first: Event) -> "SimpleQueue[Event]":
        """A queue that gets `first` and then all published events, until it is unsubscribed."""
        page: SimpleQueue[Event] = SimpleQueue()
        page.put(first)
        with self._lock:
            self._pages.append(page)
        return page

    def unsubscribe(self, page: "SimpleQueue[Event]") -> None:
        """Send nothing more to this queue."""
        with self._lock:
            self._pages.remove(page)

    def publish(self, event: Event) -> None:
        """Send an event to all queues."""
        with self._lock:
            for page in self._pages:
                page.put(event)

    @property
    def pages(self) -> int:
        """The number of open pages."""
        return len(self._pages)
