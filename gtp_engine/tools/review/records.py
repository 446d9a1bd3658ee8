"""Game records to review: the games in the files, their moves, and the positions before each move."""

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

MAX_FILE_BYTES = 100_000_000  # enough for a collection of some ten thousand games
CUT = "reviewed up to move"
PARTIAL = "answers.part"  # file of the answers so far, in a game's folder until its review is written
COLORS = {"B": BLACK, "W": WHITE}


@dataclass(frozen=True)
class GameSource:
    """One game in a file, not parsed yet."""

    path: Path
    number: int  # 1 for the first game of the file
    of: int  # number of games in the file
    text: str
    warnings: tuple[str, ...] = ()  # about the file, such as a guessed charset

    @property
    def title(self) -> str:
        """The game's name for the user."""
        return f"{self.path}" if self.of == 1 else f"{self.path}, game {self.number}"

    @property
    def stem(self) -> str:
        """The name of its output, without a suffix."""
        return self.path.stem if self.of == 1 else f"{self.path.stem}-game{self.number}"

    def digest(self) -> str:
        """Return a digest of the text."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class GameRecord:
    """A game that can be replayed."""

    source: GameSource
    text: str = field(repr=False)  # the source's text after `normalized`
    moves: list[tuple[int, int]]  # (color, point or PASS) of the main line
    size: int
    rules: Rules
    komi: float
    players: dict[int, str]
    result: str
    warnings: list[str]
    date: str = ""  # as the record states it

    def positions(self) -> Iterator[Game]:
        """Yield the game before each move and after the last one. The same object may be yielded again, some moves later.

        Set-up stones in mid-game start a new Game, whose `moves` are the moves since then.
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
        """Return the game before move `number`, or after the last move if there are fewer."""
        return self._read(number)

    def _read(self, number: int) -> Game:
        game = sgf.parse(self.text, number, self.rules, self.komi).game
        game.rules = self.rules
        return game


def find_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files that `paths` name, each once. A folder stands for all *.sgf files below it, except those of reviews."""
    files: dict[Path, None] = {}
    for path in paths:
        if is_folder(path):
            paths = sorted(file for file in path.rglob("*") if file.suffix.lower() == ".sgf" and not is_review(file))
            files.update(dict.fromkeys(paths))
        else:
            files[path] = None  # read_sources reports a file that can't be read
    return list(files)


def is_folder(path: Path) -> bool:
    """Is this a folder? An impossible file name is not."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_review(path: Path) -> bool:
    """Did a review write this record? It is then in a folder of its name, beside its page. The review may be unfinished."""
    if path.stem != path.parent.name or not path.with_suffix(".html").is_file():
        return False
    return path.with_suffix(".json").is_file() or (path.parent / PARTIAL).is_file()


def read_sources(path: Path) -> list[GameSource]:
    """Return the games in a file. Raises sgf.SgfError if the path is no file, can't be read or holds no game."""
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
        sgf.parse(data)  # raises with the best explanation
        raise sgf.SgfError("there is no game record in the file")
    return [GameSource(path, number, len(texts), text, tuple(warnings)) for number, text in enumerate(texts, 1)]


def read_record(source: GameSource, rules: Rules, komi: float) -> GameRecord:
    """Read a game, up to its first illegal move. `rules` and `komi` are the defaults for a record that names none.

    Raises sgf.SgfError as sgf.parse does, and when the first move is illegal.
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
