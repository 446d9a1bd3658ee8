"""The output folder: its checks before the work, the names of its folders, and the reviews that are finished there."""

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from gtp_engine import __version__
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.tools.review.records import GameSource
from gtp_engine.tools.review.settings import ReviewSettings

SUFFIXES = (".sgf", ".csv", ".svg", ".html", ".json")  # of every review; JSON is written last and proves that the others exist
NOT_IN_DIGEST = {"threads", "memory", "ponder", "resign", "resign_threshold", "resign_moves", "resign_after", "playouts", "seconds"}
INDEX = "index.html"  # in the output folder: lists all games there
LONGEST_NAME = 150  # bytes; file systems take 255, and a number and a suffix are added


class OutputError(Exception):
    """The output folder can't be used. The text is one sentence for the user."""


def check_folder(folder: Path) -> None:
    """Create the folder if it is missing, and try to write into it. Raises OutputError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        trial = folder / f".gtp-engine-{os.getpid()}"
        trial.write_bytes(b"")
        trial.unlink()
    except OSError as error:
        raise OutputError(f"cannot write to the output folder {folder}: {error.strerror}; choose another with --output") from error


def digest_of(source: GameSource, settings: ReviewSettings, params: SearchParams, rules: str, komi: float) -> str:
    """Return a digest of everything that the review of a game depends on: record, settings, version."""
    search = {name: value for name, value in vars(params).items() if name not in NOT_IN_DIGEST}
    parts = [__version__, source.digest(), settings.as_dict(), search, rules, komi]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def folder_names(sources: Iterable[GameSource]) -> list[str]:
    """Return a name for each game's folder. The names differ even on file systems that ignore case."""
    names: list[str] = []
    taken = {INDEX}
    for source in sources:
        stem = "".join(letter if letter.isprintable() and letter not in '/\\:*?"<>|' else "_" for letter in source.stem)
        stem = stem.encode("utf-8", "replace")[:LONGEST_NAME].decode("utf-8", "ignore").strip(" .") or "game"
        name, count = stem, 1
        while name.casefold() in taken:
            count += 1
            name = f"{stem}-{count}"
        taken.add(name.casefold())
        names.append(name)
    return names


def finished(folder: Path, digest: str) -> dict[str, object] | None:
    """Return the JSON document of a review with this digest if all its files exist, else None."""
    if not all((folder / f"{folder.name}{suffix}").is_file() for suffix in SUFFIXES):
        return None
    try:
        document = json.loads((folder / f"{folder.name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return document if isinstance(document, dict) and document.get("digest") == digest else None
