"""The unfinished game: a record in the user's state folder, which the next start offers to continue."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from gtp_engine import sgf
from gtp_engine.base.files import PRIVATE_FILE, lock_held, private_folder, write_file
from gtp_engine.engine.player.levels.chooser import chooser_at
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.go.rules import Rules

FILE_NAME, LOCK_NAME = "unfinished.sgf", "unfinished.lock"
PERSON = "person"
ENGINE = "gtp_engine"
STRENGTH = re.compile(rf"{ENGINE}, (?:level (?P<level>\d{{1,3}})|(?P<rank>\d+[kd]))")


@dataclass
class Unfinished:
    """A game to continue."""

    game: Game
    komi: float
    rules: Rules | None  # None: those of the settings
    colors: set[int]  # the person's
    level: int | None  # the engine's; None: it had none
    rank: str = ""  # the engine's; empty: it had none

    def as_text(self) -> str:
        """A description for the question whether to continue."""
        moves = len(self.game.moves)
        opponent = f" against level {self.level}" if self.level else f" against rank {self.rank}" if self.rank else ""
        return f"a game of {moves} move{'' if moves == 1 else 's'} on {self.game.size}x{self.game.size}{opponent}"


def default_path() -> Path:
    """The file of the unfinished game."""
    return Path(platformdirs.user_state_dir("gtp_engine", appauthor=False)) / FILE_NAME


@contextmanager
def claimed(path: Path, warn: Callable[[str], None]) -> Iterator[Path | None]:
    """The file, locked for this process within the block. None, after a warning, if another process uses it."""
    with ExitStack() as stack:
        try:
            private_folder(path.parent)
            is_ours = stack.enter_context(lock_held(path.with_name(LOCK_NAME)))
        except OSError:
            is_ours = True  # nothing to lock; writing the game later reports the error
        if not is_ours:
            warn("Another `gtp-engine play` has the unfinished game; this game is not kept.")
        yield path if is_ours else None


def player_names(colors: set[int], level: int | None, rank: str = "") -> dict[int, str]:
    """Color -> name in the record; `load` reads the person's colors, the level and the rank from it."""
    strength = rank or (f"level {level}" if level else "")
    engine = f"{ENGINE}, {strength}" if strength else ENGINE
    return {color: PERSON if color in colors else engine for color in (BLACK, WHITE)}


def load(path: Path) -> Unfinished | None:
    """The game in the file; None if it is missing or can't be read."""
    try:
        record = sgf.load(path)
    except sgf.SgfError:
        return None
    strengths = [match for name in record.players.values() if (match := STRENGTH.fullmatch(name))]
    colors = {color for color, name in record.players.items() if name == PERSON}
    level, rank = (known_level(int(strengths[0]["level"] or 0)), strengths[0]["rank"] or "") if strengths else (None, "")
    return Unfinished(record.game, record.komi, record.rules, colors, level, rank)


def known_level(number: int) -> int | None:
    """The level; None if there is no such level."""
    try:
        return chooser_at(number).level or None
    except ValueError:
        return None


def store(path: Path, record: str) -> None:
    """Write the record to the file, readable for its user only. Raises OSError."""
    private_folder(path.parent)
    write_file(path, record.encode("utf-8", "replace"), PRIVATE_FILE)


def keep(path: Path, record: str) -> str:
    """Write the record to the file; returns a sentence that says so, or why it failed."""
    try:
        store(path, record)
    except OSError as error:
        return f"The game cannot be saved in {path}: {error.strerror}."
    return f"The game is kept in {path}: the next `gtp-engine play` offers to continue it."
