"""The results file: a header that names the tournament, then a synced line of JSON for each finished game; see base/jobs/append_only.py."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gtp_engine.base.files import write_file
from gtp_engine.base.jobs.append_only import AppendOnlyFile, StoreError
from gtp_engine.tools.match.opening import Opening
from gtp_engine.tools.match.record import PlayedGame, record_from
from gtp_engine.tools.match.tournament import Tournament

RESULTS_FILE = "results.jsonl"
FORMAT = 1  # of the file; a file of another format is another tournament


def header(tournament: Tournament, openings: Sequence[Opening]) -> dict[str, Any]:
    """The first line's content: the settings of the games. `openings` are those from files; random ones follow from the settings."""
    settings: dict[str, Any] = {"file_format": FORMAT, **tournament.settings()}
    if tournament.random_moves is None:
        moves = repr([(opening.moves, opening.to_play) for opening in openings])
        settings["openings_digest"] = hashlib.sha256(moves.encode()).hexdigest()[:16]
    return settings


class ResultsFile:
    """The open results file of a tournament in a folder."""

    def __init__(self, folder: Path, tournament: Tournament, openings: Sequence[Opening]) -> None:
        """Open it, or create it. Raises StoreError if it belongs to another tournament, is in use, or is damaged."""
        self.path = folder / RESULTS_FILE
        self._header: dict[str, Any] | None = None  # to be written with the first game
        self._file = AppendOnlyFile(self.path)
        try:
            self.records = self._begin(header(tournament, openings))
        except BaseException:
            self._file.close()
            raise

    def append(self, record: PlayedGame) -> None:
        """Add a finished game and wait until it is on the disk. Raises StoreError if it can't be written."""
        if self._header is not None:
            self._write(self._header)
            self._file.sync_folder()
            self._header = None
        self._write(record.as_dict())
        self.records.append(record)

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def _begin(self, expected: dict[str, Any]) -> list[PlayedGame]:
        """Check the header, read the games."""
        lines = [line.decode("utf-8", "replace") for line in self._file.lines()]
        if not lines:
            self._header = expected
            return []
        self._check_header(lines[0], expected)
        return read_records(self.path, lines)

    def _check_header(self, line: str, expected: dict[str, Any]) -> None:
        """Raise StoreError, naming what differs, for the header of another tournament."""
        header = parse_line(self.path, 1, line)
        different = [name for name in {**expected, **header} if header.get(name) != expected.get(name)]
        if different:
            raise StoreError(
                f"{self.path}: holds another tournament ({', '.join(different)} differ{'s' if len(different) == 1 else ''}); "
                "use the settings it was begun with, or another folder"
            )

    def _write(self, values: dict[str, Any]) -> None:
        """Append one line, and wait until it is on the disk."""
        self._file.append(json.dumps(values, ensure_ascii=False).encode("utf-8", "replace"))
        self._file.sync()


def load_records(folder: Path) -> list[PlayedGame]:
    """The finished games of a tournament, running or not; empty if it hasn't begun. Raises StoreError."""
    path = folder / RESULTS_FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from error
    return read_records(path, split_lines(data[: data.rfind(b"\n") + 1]))


def split_lines(data: bytes) -> list[str]:
    """The complete lines of a file. Only a line feed ends one: JSON may contain other line ends of Python's, such as U+2028."""
    return data.decode("utf-8", "replace").split("\n")[:-1]


def read_records(path: Path, lines: Sequence[str]) -> list[PlayedGame]:
    """The games after the header. Raises StoreError for a damaged line or a repeated game."""
    records: dict[int, PlayedGame] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            record = record_from(parse_line(path, number, line))
        except ValueError as error:
            raise StoreError(f"{path}: line {number}: {error}") from error
        if record.number in records:
            raise StoreError(f"{path}: line {number}: game {record.number} is there twice")
        records[record.number] = record
    return list(records.values())


def parse_line(path: Path, number: int, line: str) -> dict[str, Any]:
    """A line's JSON object. Raises StoreError."""
    try:
        values = json.loads(line)
    except ValueError as error:
        raise StoreError(f"{path}: line {number} is damaged: {error}") from error
    if not isinstance(values, dict):
        raise StoreError(f"{path}: line {number} is damaged: no object")
    return values


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: in any case there is the old one or the new one. Raises StoreError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror}") from error
