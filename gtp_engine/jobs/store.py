"""The file of results: a header, then a line for each finished job. It is only ever appended to.

A line is the CRC-32 of its JSON text in eight hexadecimal digits, a space, and the text. A result is in the file or it isn't: a line
without its end, which kill -9 or a power cut may leave, is cut off when the file is opened. One process at a time: the file is locked,
and the lock ends with the process. What was written is synced every SYNC_INTERVAL seconds: a power cut may lose that much, and
those jobs run again; kill -9 loses nothing that was appended.
"""

import json
import os
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gtp_engine.jobs.job import JobResult
from gtp_engine.systems import BINARY, lock_at_once

SYNC_INTERVAL = 0.2  # seconds
CHECKSUM = 8  # hexadecimal digits
STEP = 1 << 16  # bytes read at once to find the last whole line


class StoreError(Exception):
    """A store that cannot be used; str() is one sentence for the user."""


class JobStore:
    """An open store. Not to be used by several threads at once."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        """Open it, or begin it with `settings`, which say what the jobs are.

        Raises StoreError when it was begun with other settings, is in use, is damaged, or can't be written.
        """
        self.path = path
        self._synced = 0.0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o644)
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from error
        try:
            self.finished = self._begin(json.loads(json.dumps(settings)))  # keys of the results without an error that were there already
        except BaseException:
            os.close(self._descriptor)
            raise

    def append(self, result: JobResult) -> None:
        """Add a result. Raises StoreError when it can't be written; the file is then as it was before.

        Raises TypeError or ValueError for a value that JSON can't hold.
        """
        self._write(
            {"key": result.key, "value": result.value, "error": result.error, "seconds": round(result.seconds, 6)},
        )
        if time.monotonic() - self._synced > SYNC_INTERVAL:
            self._sync()

    def results(self) -> Iterator[JobResult]:
        """All results without an error, in the order in which they came; one is in memory at a time."""
        lines = self._lines()
        next(lines, None)
        for values in lines:
            if not values["error"]:  # run_missing kept errors once
                yield JobResult(**values)

    def close(self) -> None:
        """Sync the file, then give it free for others. Raises StoreError."""
        try:
            self._sync()
        finally:
            os.close(self._descriptor)

    def _begin(self, settings: dict[str, Any]) -> set[str]:
        """Lock, cut off a torn end, check the header, read the keys."""
        if not lock_at_once(self._descriptor):
            raise StoreError(f"{self.path}: another process is writing results into this file")
        os.ftruncate(self._descriptor, whole_length(self.path))
        lines = self._lines()
        found = next(lines, None)
        if found is None:
            self._write(settings)
            self._sync()
            return set()
        if found != settings:
            names = [name for name in {**settings, **found} if found.get(name) != settings.get(name)]
            raise StoreError(f"{self.path}: was begun with other settings ({', '.join(names)}); use those, or another file")
        return {values["key"] for values in lines if not values["error"]}

    def _lines(self) -> Iterator[dict[str, Any]]:
        """The header and all results, each checked. Raises StoreError at a damaged line."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                text = line[CHECKSUM + 1 : -1]
                if line[: CHECKSUM + 1] != b"%08x " % zlib.crc32(text):
                    raise StoreError(f"{self.path}: line {number} is damaged")
                yield json.loads(text)

    def _write(self, values: dict[str, Any]) -> None:
        """Append one line, whole or not at all."""
        text = json.dumps(values).encode("ascii")
        line = b"%08x %s\n" % (zlib.crc32(text), text)
        before = os.fstat(self._descriptor).st_size
        try:
            written = os.write(self._descriptor, line)
            if written < len(line):  # the disk is full: the next attempt tells the reason
                written += os.write(self._descriptor, line[written:])
            if written < len(line):
                raise OSError(0, "only a part of the result was taken")
        except OSError as error:
            os.ftruncate(self._descriptor, before)
            raise StoreError(f"{self.path}: cannot be written: {error.strerror}") from error

    def _sync(self) -> None:
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be written: {error.strerror}") from error
        self._synced = time.monotonic()


def whole_length(path: Path) -> int:
    """Bytes up to the end of the last line that has an end."""
    end = path.stat().st_size
    with path.open("rb") as file:
        while end > 0:
            start = max(0, end - STEP)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
    return 0
