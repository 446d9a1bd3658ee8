"""The game that was left unfinished: a record in the user's state folder, which the next start offers."""

import re
from dataclasses import dataclass
from pathlib import Path

from gtp_engine import sgf
from gtp_engine.files import write_file
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.go.rules import Rules

FILE_NAME = "unfinished.sgf"
PERSON = "person"
ENGINE = "gtp_engine"
LEVEL = re.compile(rf"{ENGINE}, level (\d+)")


@dataclass
class Unfinished:
    """A game to go on with."""

    game: Game
    komi: float
    rules: Rules | None  # None: those of the settings
    colors: set[int]  # the person's
    level: int | None  # the engine's; None: it had none

    def as_text(self) -> str:
        """What it is, for the question whether to go on."""
        moves = len(self.game.moves)
        opponent = f" against level {self.level}" if self.level else ""
        return f"a game of {moves} move{'' if moves == 1 else 's'} on {self.game.size}x{self.game.size}{opponent}"


def default_path() -> Path:
    """Where the unfinished game is kept."""
    import platformdirs  # not above: few games are left

    return Path(platformdirs.user_state_dir("gtp_engine", appauthor=False)) / FILE_NAME


def player_names(colors: set[int], level: int | None) -> dict[int, str]:
    """Color -> name in the record; `load` reads the person's colors and the level from it."""
    engine = f"{ENGINE}, level {level}" if level else ENGINE
    return {color: PERSON if color in colors else engine for color in (BLACK, WHITE)}


def load(path: Path) -> Unfinished | None:
    """The game in the file; None where there is none, or none that can be read."""
    try:
        record = sgf.load(path)
    except sgf.SgfError:
        return None
    levels = [match for name in record.players.values() if (match := LEVEL.fullmatch(name))]
    colors = {color for color, name in record.players.items() if name == PERSON}
    return Unfinished(record.game, record.komi, record.rules, colors, int(levels[0][1]) if levels else None)


def keep(path: Path, record: str) -> str:
    """Write the record there; the sentence that says so, or why it can't be kept."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, record.encode("utf-8", "replace"))
    except OSError as error:
        return f"The game cannot be kept in {path}: {error.strerror}."
    return f"The game is kept in {path}: the next `gtp-engine play` offers to go on."
