"""Queue of input lines, with notification of the next one.

The reader thread puts lines, the session gets them; a command that runs until a line comes watches the queue.
"""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

END_OF_INPUT = None  # after the last line


class Inbox:
    """Lines in order, then END_OF_INPUT forever."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.watcher: Callable[[], None] | None = None
        self.lock = threading.Lock()  # held while the watcher is called, so that it isn't called after its block

    def put(self, line: str | None) -> None:
        """Add a line or END_OF_INPUT, and tell the watcher."""
        with self.lock:
            self.lines.put(line)
            if self.watcher is not None:
                self.watcher()

    def get(self, timeout: float | None = None) -> str | None:
        """Wait for the next line or END_OF_INPUT. Raises queue.Empty after `timeout` seconds."""
        return self.lines.get(timeout=timeout)

    def line_is_waiting(self) -> bool:
        """True if there is a line or the end of the input."""
        return not self.lines.empty()

    @contextmanager
    def watched_by(self, watcher: Callable[[], None]) -> Iterator[None]:
        """Within the block, `watcher` is called from the reader's thread after each line has been put.

        A line before the block isn't notified: check line_is_waiting after entering it.
        """
        self.watcher = watcher
        try:
            yield
        finally:
            with self.lock:
                self.watcher = None


def ended_inbox() -> Inbox:
    """An inbox whose input has ended, so that commands that run until a line comes end at once."""
    inbox = Inbox()
    inbox.put(END_OF_INPUT)
    return inbox
