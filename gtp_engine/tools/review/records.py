"""Game records to review: which games the files hold, their moves, and the positions before each of them."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gtp_engine import sgf
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.go.rules import Rules
from gtp_engine.sgf.charsets import decode
from gtp_engine.sgf.nodes import main_line, split_games
from gtp_engine.sgf.values import move_of
from gtp_engine.tools.review.record_text import normalized

MAX_FILE_BYTES = 100_000_000  # a collection of some ten thousand games
CUT = "reviewed up to move"
PARTIAL = "answers.part"  # in a game's folder, until its review is written: what was found so far
COLORS = {"B": BLACK, "W": WHITE}


@dataclass(frozen=True)
class GameSource:
    """One game in a file, not yet looked at."""

    path: Path
    number: int  # 1 for the first game in the file
    of: int  # games in the file
    text: str
    warnings: tuple[str, ...] = ()  # about the file: its charset where that is a guess

    @property
    def title(self) -> str:
        """How to name it to the user."""
        return f"{self.path}" if self.of == 1 else f"{self.path}, game {self.number}"

    @property
    def stem(self) -> str:
        """The name for its output, without a suffix."""
        return self.path.stem if self.of == 1 else f"{self.path.stem}-game{self.number}"

    def digest(self) -> str:
        """A name for the text."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class GameRecord:
    """A game that can be replayed."""

    source: GameSource
    text: str = field(repr=False)  # what `normalized` made of the source's
    moves: list[tuple[int, int]]  # (color, point or PASS) of the main line
    size: int
    rules: Rules
    komi: float
    players: dict[int, str]
    result: str
    warnings: list[str]
    date: str = ""  # as the record writes it

    def positions(self) -> Iterator[Game]:
        """The game before each move and after the last, one after the other. The same object may come again, some moves later.

        Set-up stones in mid-game begin a game of their own: `moves` of that one are those since.
        """
        game = self._read(1)
        last = self._read(len(self.moves) + 1)
        if len(last.moves) == len(self.moves):
            yield game
            for color, point in self.moves:
                game.play(color, point)
                yield game
            return
        for number in range(1, len(self.moves) + 1):
            yield self._read(number)
        yield last

    def position(self, number: int) -> Game:
        """The game before move `number`; after the last move when there are not so many."""
        return self._read(number)

    def _read(self, number: int) -> Game:
        game = sgf.parse(self.text, number, self.rules, self.komi).game
        game.rules = self.rules
        return game


def find_files(paths: Sequence[Path]) -> list[Path]:
    """The files that `paths` name, each once: a folder stands for the *.sgf files in it and in its folders, but for those of reviews."""
    files: dict[Path, None] = {}
    for path in paths:
        if is_folder(path):
            paths = sorted(file for file in path.rglob("*") if file.suffix.lower() == ".sgf" and not is_review(file))
            files.update(dict.fromkeys(paths))
        else:
            files[path] = None  # if it can't be read, read_sources says why
    return list(files)


def is_folder(path: Path) -> bool:
    """Is this a folder? A name that no file can have is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_review(path: Path) -> bool:
    """Is this record one that a review has written: in a folder of its name, with the page beside it? The review may be unfinished."""
    if path.stem != path.parent.name or not path.with_suffix(".html").is_file():
        return False
    return path.with_suffix(".json").is_file() or (path.parent / PARTIAL).is_file()


def read_sources(path: Path) -> list[GameSource]:
    """The games in a file. Raises sgf.SgfError for what is no file, can't be read or holds no game."""
    try:
        if not path.is_file():
            raise sgf.SgfError("there is no such file" if not path.exists() else "it is not an ordinary file")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise sgf.SgfError(f"the file is larger than {MAX_FILE_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except OSError as error:
        raise sgf.SgfError(f"the file cannot be read: {error.strerror}") from error
    except ValueError as error:  # a NUL in the path
        raise sgf.SgfError("this is not the name of a file") from error
    warnings: list[str] = []
    texts = split_games(decode(data, warnings))
    if not texts:
        sgf.parse(data)  # which knows best what is wrong
        raise sgf.SgfError("there is no game record in the file")
    return [GameSource(path, number, len(texts), text, tuple(warnings)) for number, text in enumerate(texts, 1)]


def read_record(source: GameSource, rules: Rules, komi: float) -> GameRecord:
    """Read a game, up to its first move that can't be played; `rules` and `komi` stand in where it names none.

    Raises sgf.SgfError as sgf.parse does, also when not even the first move can be played.
    """
    text = normalized(source.text)
    try:
        record, end = sgf.parse(text, None, rules, komi), None
    except sgf.SgfMoveError as error:
        if error.number == 1:
            raise
        record, end = sgf.parse(text, error.number, rules, komi), error.number - 1
        record.warnings.append(f"{error}; {CUT} {end}")
    size = record.game.size
    moves = [
        (COLORS[node.color_name], move_of(node.properties[node.color_name].values[0], size))
        for node in main_line(text).nodes
        if node.color_name
    ]
    return GameRecord(
        source,
        text,
        moves[:end],
        size,
        record.rules or rules,
        record.komi,
        record.players,
        record.result,
        [*source.warnings, *record.warnings],
        record.date,
    )
