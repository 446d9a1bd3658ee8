"""The reading end of a pipe with a test for available data: by `poll`, or, on Windows, by a thread that reads ahead.

Both kinds raise OSError if the pipe was closed here.
"""

import os
import select
import threading
from collections import deque

READ = 65_536  # bytes, the size of a pipe
READ_AHEAD = 1_000_000  # bytes that a thread keeps; a writer of more waits


class PolledReader:
    """A reader by `poll`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def wait(self, seconds: float | None) -> bool:
        """True if there is data or the end within so many seconds; None: wait forever. Threads can't share one `poll`."""
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        return bool(poll.poll(None if seconds is None else max(seconds, 0.0) * 1000))

    def read(self) -> bytes:
        """The available data, at most READ bytes; waits for the first one. Empty at the end."""
        return os.read(self._descriptor, READ)


class ThreadReader:
    """A reader with a thread that reads ahead."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._has_ended = False
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name="reader of a pipe", daemon=True).start()

    def wait(self, seconds: float | None) -> bool:
        """See PolledReader."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self._chunks) or self._has_ended, seconds)

    def read(self) -> bytes:
        """See PolledReader."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._chunks) or self._has_ended)
            data = self._chunks.popleft() if self._chunks else b""
            self._size -= len(data)
            self._changed.notify_all()
            return data

    def _run(self) -> None:
        data = b"."
        while data:
            try:
                data = os.read(self._descriptor, READ)
            except OSError:  # it was closed
                data = b""
            with self._changed:
                if data:
                    self._chunks.append(data)
                    self._size += len(data)
                self._has_ended = not data
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._size < READ_AHEAD)


PipeReader = PolledReader | ThreadReader


def reader_of(descriptor: int) -> PipeReader:
    """A reader for this system."""
    return PolledReader(descriptor) if hasattr(select, "poll") else ThreadReader(descriptor)
