"""Queue of input lines, with notification of the next one.

The reader thread puts, the session gets; a command that runs until a line comes asks and watches.
"""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

END_OF_INPUT = None  # stands behind the last line


class Inbox:
    """Lines in order, then END_OF_INPUT for good."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.watcher: Callable[[], None] | None = None
        self.lock = threading.Lock()  # held while the watcher is called, so that none is called when its block has ended

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
        """Is there a line, or the end of the input?"""
        return not self.lines.empty()

    @contextmanager
    def watched_by(self, watcher: Callable[[], None]) -> Iterator[None]:
        """Within the block, `watcher` is called from the reader's thread after each line has been put.

        There is no notification of a line that came before the block: check line_is_waiting after entering it.
        """
        self.watcher = watcher
        try:
            yield
        finally:
            with self.lock:
                self.watcher = None


def ended_inbox() -> Inbox:
    """The inbox of a conversation whose input has ended, so that what runs until a line comes ends at once."""
    inbox = Inbox()
    inbox.put(END_OF_INPUT)
    return inbox
