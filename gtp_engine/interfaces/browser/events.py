"""What happens at the board, told to every page that looks at it."""

from queue import SimpleQueue
from threading import Lock
from typing import Any

Event = dict[str, Any]  # name -> what is told; a page takes each name on its own


class Events:
    """Passes events on. For any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages: list[SimpleQueue[Event]] = []

    def subscribe(self, first: Event) -> "SimpleQueue[Event]":
        """A queue that gets `first` and then everything that is published, until it is unsubscribed."""
        page: SimpleQueue[Event] = SimpleQueue()
        page.put(first)
        with self._lock:
            self._pages.append(page)
        return page

    def unsubscribe(self, page: "SimpleQueue[Event]") -> None:
        """Nothing more goes there."""
        with self._lock:
            self._pages.remove(page)

    def publish(self, event: Event) -> None:
        """Tell all pages."""
        with self._lock:
            for page in self._pages:
                page.put(event)

    @property
    def pages(self) -> int:
        """How many look."""
        return len(self._pages)
