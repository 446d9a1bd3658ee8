"""The index page of an output folder: all finished reviews there, and the games of this run that could not be reviewed."""

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gtp_engine.base.files import write_file
from gtp_engine.tools.review.batch import FAILED, ReviewOutcome
from gtp_engine.tools.review.index_page import GameRow, index_page, row_of
from gtp_engine.tools.review.output import INDEX, OutputError

LEAST_GAMES = 2  # a single game needs no index
PAUSE = 10.0  # least seconds between two writes while games are being reviewed


class ReviewIndex:
    """Lists games as they are finished. It lists the reviews of earlier runs from the start."""

    def __init__(self, output: Path, failures: Iterable[ReviewOutcome] = ()) -> None:
        """`output`: the folder that contains a folder for each game. It may be empty."""
        self._output = output
        self._rows: dict[str, GameRow] = {name: row for name, row in rows_in(output)}
        self._failures = [(outcome.title, outcome.reason) for outcome in failures]
        self._written = time.monotonic()

    def add(self, outcome: ReviewOutcome) -> None:
        """Add a game, and write the page if the last write was PAUSE seconds ago. Raises OutputError."""
        if outcome.status == FAILED:
            self._failures.append((outcome.title, outcome.reason))
        elif outcome.folder is not None and (row := row_of(outcome.folder.name, outcome.document)) is not None:
            self._rows[outcome.folder.name] = row
        if time.monotonic() - self._written >= PAUSE:
            self.write()

    def write(self) -> Path | None:
        """Write the page and return its path. For fewer than two games it writes nothing and returns None. Raises OutputError."""
        if len(self._rows) + len(self._failures) < LEAST_GAMES or not self._rows:
            return None
        path = self._output / INDEX
        try:
            write_file(path, index_page(list(self._rows.values()), self._failures).encode("utf-8", "replace"))
        except OSError as error:
            raise OutputError(f"cannot write {path}: {error.strerror}") from error
        self._written = time.monotonic()
        return path


def rows_in(output: Path) -> Iterator[tuple[str, GameRow]]:
    """Yield the folder name and the row of each finished review in a folder. Other files are skipped."""
    for page in sorted(output.glob("*/*.html")):
        if page.stem == page.parent.name:
            row = row_of(page.stem, document_in(page.with_suffix(".json")))
            if row is not None:
                yield page.stem, row


def document_in(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; empty if there is none."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}
