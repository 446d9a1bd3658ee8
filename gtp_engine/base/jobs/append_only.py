"""An append-only file of lines, for one process at a time.

A line is in the file completely or not at all: an incomplete one, after kill -9 or a power cut, is removed when the file is opened.
The file is locked, and the lock ends with the process.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from gtp_engine.base.systems import BINARY, lock_at_once

STEP = 1 << 16  # bytes read at once to find the last whole line


class StoreError(Exception):
    """A file that can't be used; str() is one sentence for the user."""


class AppendOnlyFile:
    """The open file. Not to be used by several threads at once."""

    def __init__(self, path: Path) -> None:
        """Open it, or create it. Raises StoreError if it is in use or can't be written."""
        self.path = path
        self.synced = 0.0  # time.monotonic
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o644)
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from error
        if not lock_at_once(self._descriptor):
            os.close(self._descriptor)
            raise StoreError(f"{path}: another process is writing results into this file")
        os.ftruncate(self._descriptor, whole_length(path))

    def lines(self) -> Iterator[bytes]:
        """The lines without line ends; one is in memory at a time."""
        with self.path.open("rb") as file:
            yield from (line[:-1] for line in file)

    def clear(self) -> None:
        """Remove all lines."""
        os.ftruncate(self._descriptor, 0)

    def append(self, text: bytes) -> None:
        """Add a line. Raises StoreError if it can't be written; then the file is unchanged."""
        line, before = text + b"\n", os.fstat(self._descriptor).st_size
        try:
            written = os.write(self._descriptor, line)
            if written < len(line):  # the disk is full: the next attempt raises the reason
                written += os.write(self._descriptor, line[written:])
            if written < len(line):
                raise OSError(0, "only a part of the line was taken")
        except OSError as error:
            os.ftruncate(self._descriptor, before)
            raise StoreError(f"{self.path}: cannot be written: {error.strerror}") from error

    def sync(self) -> None:
        """Wait until everything is on the disk. Raises StoreError."""
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be written: {error.strerror}") from error
        self.synced = time.monotonic()

    def close(self) -> None:
        """Sync and release the file. Raises StoreError."""
        try:
            self.sync()
        finally:
            os.close(self._descriptor)

    def sync_folder(self) -> None:
        """Sync the file's entry in its folder, if the system can open folders; Windows can't."""
        with contextlib.suppress(PermissionError):
            descriptor = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def whole_length(path: Path) -> int:
    """Bytes up to the end of the last complete line."""
    end = path.stat().st_size
    with path.open("rb") as file:
        while end > 0:
            start = max(0, end - STEP)
            file.seek(start)
            line_end = file.read(end - start).rfind(b"\n")
            if line_end >= 0:
                return start + line_end + 1
            end = start
    return 0
