"""The notes about a person who practices: the rating, and what to repeat. One file in the user's data folder."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs

from gtp_engine.base.files import PRIVATE_FILE, claimed, private_folder, read_file, write_file
from gtp_engine.tools.practice.glicko import Glicko, after_game
from gtp_engine.tools.practice.schedule import Card, after_answer, is_due, new_card

FOLDER, FILE_NAME = "practice", "practice.json"
LARGEST = 50_000_000  # bytes
MOST_ENTRIES = 5_000  # further ones replace those that are due last
MOST_GAMES = 2_000  # further ones replace the oldest
START = Glicko(1000.0)  # of a new person
PROBLEM_DEVIATION = 120.0  # of the rating of a problem, which is an estimate
PROBLEM, MISTAKE = "problem", "mistake"


@dataclass
class Entry:
    """A problem or mistake to repeat."""

    kind: str  # PROBLEM or MISTAKE
    sgf: str  # the position; for a mistake, the game up to it
    card: Card
    facts: dict[str, Any] = field(default_factory=dict)  # for a mistake: see mistakes.py


@dataclass
class Notes:
    """All notes about the person."""

    strength: Glicko = START
    solved: int = 0  # rated problems
    missed: int = 0
    entries: dict[str, Entry] = field(default_factory=dict)  # by name
    games: dict[str, dict[str, Any]] = field(default_factory=dict)  # tallies of reviewed games, by name

    def due(self, kind: str, now: datetime) -> list[str]:
        """The names of the entries that are due, longest due first."""
        due = [(entry.card["due"], name) for name, entry in self.entries.items() if entry.kind == kind and is_due(entry.card, now)]
        return [name for _, name in sorted(due)]

    def rate(self, rating: float, is_right: bool) -> None:
        """Rate a problem with this rating, which was solved at the first try or not."""
        self.strength = after_game(self.strength, Glicko(rating, PROBLEM_DEVIATION), float(is_right))
        self.solved, self.missed = self.solved + is_right, self.missed + (not is_right)

    def add(self, name: str, kind: str, sgf: str, facts: dict[str, Any], now: datetime) -> bool:
        """Add an entry that is due at once; False if it exists already."""
        if name in self.entries:
            return False
        self.entries[name] = Entry(kind, sgf, new_card(now), facts)
        for last in sorted(self.entries, key=lambda name: self.entries[name].card["due"])[MOST_ENTRIES:]:
            del self.entries[last]
        return True

    def add_games(self, tallies: Mapping[str, dict[str, Any]]) -> None:
        """Add the tallies of some games, which replace those of the same games."""
        self.games |= tallies
        self.games = dict(list(self.games.items())[-MOST_GAMES:])

    def answered(self, name: str, is_right: bool, now: datetime) -> None:
        """Record the answer to an entry."""
        if name in self.entries:
            self.entries[name].card = after_answer(self.entries[name].card, is_right, now)


class Notebook:
    """The file. Several processes may use it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Notes:
        """The notes in the file; empty ones if it is missing or can't be read."""
        try:
            return notes_of(json.loads(read_file(self.path, LARGEST)))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Notes()

    @contextmanager
    def change(self) -> Iterator[Notes]:
        """The notes in the file, written back after the block. Raises OSError."""
        private_folder(self.path.parent)
        with claimed(self.path.with_suffix(".lock"), PRIVATE_FILE):
            notes = self.read()
            yield notes
            data = {"version": 1, **asdict(notes)}
            write_file(self.path, json.dumps(data, separators=(",", ":")).encode(), PRIVATE_FILE)


def notes_of(data: dict[str, Any]) -> Notes:
    """The notes in a file's content. Raises the errors of wrong types."""
    entries = {str(name): Entry(**entry) for name, entry in data["entries"].items()}
    for entry in entries.values():
        is_due(entry.card, now())
    games = {str(name): dict(game) for name, game in data.get("games", {}).items()}  # older notebooks have none
    return Notes(Glicko(**data["strength"]), int(data["solved"]), int(data["missed"]), entries, games)


def now() -> datetime:
    """The current time, for the notes."""
    return datetime.now(UTC)


def default_path() -> Path:
    """The file of the notes."""
    return Path(platformdirs.user_data_dir("gtp_engine", appauthor=False)) / FOLDER / FILE_NAME
