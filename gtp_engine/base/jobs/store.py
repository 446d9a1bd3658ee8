"""The file of results: a header, then a line for each finished job, see append_only.py.

A line is the CRC-32 of its JSON text in eight hexadecimal digits, a space, and the text. The file is synced every SYNC_INTERVAL seconds: a
power cut may lose so much, and those jobs run again; kill -9 loses nothing that was appended.
"""

import json
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gtp_engine.base.jobs.append_only import AppendOnlyFile, StoreError
from gtp_engine.base.jobs.job import JobResult

SYNC_INTERVAL = 0.2  # seconds
CHECKSUM = 8  # hexadecimal digits


class JobStore:
    """An open store. Not to be used by several threads at once."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        """Open it, or create it with `settings`, which describe the jobs.

        Raises StoreError if it has other settings, is in use, is damaged, or can't be written.
        """
        self.path = path
        self._file = AppendOnlyFile(path)
        try:
            self.finished = self._begin(json.loads(json.dumps(settings)))  # keys of earlier results
        except BaseException:
            self._file.close()
            raise

    def append(self, result: JobResult) -> None:
        """Add a result. Raises StoreError if it can't be written; then the file is unchanged.

        Raises TypeError or ValueError for a value that JSON can't store.
        """
        self._write({"key": result.key, "value": result.value, "error": result.error, "seconds": round(result.seconds, 6)})
        if time.monotonic() - self._file.synced > SYNC_INTERVAL:
            self._file.sync()

    def results(self) -> Iterator[JobResult]:
        """All results, in the order of their arrival; one is in memory at a time."""
        lines = self._lines()
        next(lines, None)
        for values in lines:
            yield JobResult(**values)

    def close(self) -> None:
        """Sync and release the file. Raises StoreError."""
        self._file.close()

    def _begin(self, settings: dict[str, Any]) -> set[str]:
        """Check the header, read the keys."""
        lines = self._lines()
        stored = next(lines, None)
        if stored is None:
            self._write(settings)
            self._file.sync()
            return set()
        if stored != settings:
            names = [name for name in {**settings, **stored} if stored.get(name) != settings.get(name)]
            raise StoreError(f"{self.path}: was begun with other settings ({', '.join(names)}); use those, or another file")
        return {values["key"] for values in lines}

    def _lines(self) -> Iterator[dict[str, Any]]:
        """The header and all results, each checked. Raises StoreError at a damaged line."""
        for number, line in enumerate(self._file.lines(), 1):
            text = line[CHECKSUM + 1 :]
            if line[: CHECKSUM + 1] != b"%08x " % zlib.crc32(text):
                raise StoreError(f"{self.path}: line {number} is damaged")
            yield json.loads(text)

    def _write(self, values: dict[str, Any]) -> None:
        """Append one line."""
        text = json.dumps(values).encode("ascii")
        self._file.append(b"%08x %s" % (zlib.crc32(text), text))
