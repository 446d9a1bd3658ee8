"""Problems from SGF files and drawn boards, in which the targets and the region may be marked."""

import errno
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gtp_engine import sgf
from gtp_engine.base.files import read_file
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, MAX_SIZE, MIN_SIZE, WHITE, point_at
from gtp_engine.go.rules import JAPANESE
from gtp_engine.sgf.charsets import decode
from gtp_engine.sgf.nodes import split_games
from gtp_engine.sgf.text import Properties, read_nodes
from gtp_engine.sgf.values import plain, plain_text, point_of

LARGEST_FILE = 100_000_000  # bytes
MARKS = ("TR", "SQ", "CR", "SL", "MA")  # SGF's marks, which all mean the same here
STONES = {"X": BLACK, "#": BLACK, "O": WHITE, "@": WHITE}  # in a drawn board
TARGETS = "#@"
EMPTY_SIGNS = ".,+*"
REGION_SIGN = "*"
COORDINATES = re.compile(r"^\s*\d{1,2}\s+|\s+\d{1,2}\s*$")  # at both ends of a row
COLUMNS = re.compile(r"[A-HJ-T\s]*")  # a line of column letters
FIRST_COLUMNS = ["A", "B"]


class ProblemError(ValueError):
    """Input that can't be read as a position; str() is one sentence for the user."""


@dataclass
class Problem:
    """A position with a question about it."""

    name: str
    game: Game
    targets: set[int]  # points of marked stones; empty if none is marked
    marked: set[int]  # marked empty points, the only ones to play on; empty if the region must be found
    comment: str = ""  # on the record's first node
    record: str = ""  # the text of its game record; empty for a drawn board


Reader = Callable[[bytes, str, Callable[[str], None]], Iterator[Problem]]  # see read_problems


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The contents of a regular file of at most LARGEST_FILE bytes. Raises ProblemError."""
    try:
        return read_file(Path(path), LARGEST_FILE)
    except OSError as error:
        if Path(path).is_dir():
            raise ProblemError("it is a folder without SGF files") from error
        advice = "; for a pipe, name - and redirect it" if error.errno == errno.EINVAL else ""
        raise ProblemError(f"the file cannot be read: {error.strerror}{advice}") from error
    except ValueError as error:  # a NUL in the path
        raise ProblemError("this is not the name of a file") from error


def read_problems(data: bytes, path: str, refuse: Callable[[str], None]) -> Iterator[Problem]:
    """The problems in a file's contents, one for each game record or each drawn board. Several are numbered.

    refuse -- called with a sentence for each problem that can't be read, and with what is wrong if the file has no problem
    """
    if looks_like_sgf(data):
        yield from read_records(data, path, refuse)
        return
    blocks = [block for block in re.split(r"\n\s*\n", data.decode("utf-8", "replace").replace("\r", "")) if block.strip()]
    yield from read_each(read_diagram, blocks or [""], path, refuse)


def read_records(data: bytes, path: str, refuse: Callable[[str], None]) -> Iterator[Problem]:
    """Like read_problems, for an SGF file."""
    text = decode(data, [])
    games = split_games(text)
    yield from read_each(parse_sgf, games if len(games) > 1 else [text], path, refuse)


def problems_in(path: str, refuse: Callable[[str], None], read: Reader = read_problems) -> Iterator[Problem]:
    """The problems in a file, see read_problems; `refuse` is also called if the file itself can't be read.

    read -- read_records if drawn boards are not accepted
    """
    try:
        yield from read(read_bytes(path), path, refuse)
    except ProblemError as error:
        refuse(f"{path}: {error}")


def read_each(read: Callable[[str, str], Problem], texts: Sequence[str], path: str, refuse: Callable[[str], None]) -> Iterator[Problem]:
    """The problems that `read` makes of (text, name) pairs. The other arguments are those of read_problems."""
    for number, text in enumerate(texts, 1):
        behind = f":{number}" if len(texts) > 1 else ""
        try:
            yield read(text, Path(path).name + behind)
        except ProblemError as error:
            refuse(f"{path}{behind}: {error}")


def looks_like_sgf(data: bytes) -> bool:
    """True if this is a game record rather than a diagram."""
    return re.match(rb"[^#@XO.]{0,100}\(", data) is not None


def parse_sgf(data: bytes | str, name: str) -> Problem:
    """The problem in the first record of a file or text: the position where stones are marked, or the one before the first move.

    Raises ProblemError. Marked stones are targets, marked empty points are the region.
    """
    text = data if isinstance(data, str) else decode(data, [])
    try:
        nodes = read_nodes(text, [])
        marks_at = next((i for i, node in enumerate(nodes) if set(MARKS) & node.keys()), None)
        moves_before = sum("B" in node or "W" in node for node in nodes[: (marks_at or 0) + 1])
        game = sgf.parse(text, moves_before + 1, JAPANESE).game
    except sgf.SgfError as error:
        raise ProblemError(str(error)) from error
    targets, marked = split_marks(game, points_of(nodes[marks_at], game.size) if marks_at is not None else set())
    return Problem(name, game, targets, marked, comment_of(nodes[0]), text)


def comment_of(root: Properties) -> str:
    """The comment of a record's first node, with its lines."""
    return plain("\n".join(root.get("C", [])))


def points_of(node: Properties, size: int) -> set[int]:
    """All marked points; invalid marks are left out."""
    return {point_of(plain_text(value).lower(), size) for name in MARKS for value in node.get(name, [])} - {0}


def split_marks(game: Game, points: Collection[int]) -> tuple[set[int], set[int]]:
    """(targets, region): the marked stones and the marked empty points."""
    stones = {point for point in points if game.color_at(point) != EMPTY}
    return stones, set(points) - stones


def read_diagram(text: str, name: str, to_play: int = BLACK) -> Problem:
    """The problem on a drawn board: `X` `#` black, `O` `@` white, `.` empty; `#` `@` are targets, `*` is an empty point of the region.

    There is one line for each row, from the top. Spaces and coordinates at the edges are ignored. Raises ProblemError.
    """
    lines = [COORDINATES.sub("", line) for line in text.splitlines() if line.strip() and not is_column_line(line)]
    rows = ["".join(line.split()) for line in lines]
    size = len(rows)
    if not rows:
        raise ProblemError("there is nothing in it")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ProblemError(f"the diagram has {size} rows; a board has {MIN_SIZE} to {MAX_SIZE}")
    signs = {}
    for down, row in enumerate(rows):
        if len(row) != size:
            raise ProblemError(f"row {down + 1} of the diagram has {len(row)} points, and there are {size} rows; the board must be square")
        for across, sign in enumerate(row):
            if sign not in STONES and sign not in EMPTY_SIGNS:
                raise ProblemError(f"{sign!r} in row {down + 1} means nothing; use X O for stones, # @ for target stones, . and *")
            signs[point_at(size - down, across + 1)] = sign
    game = Game(size, JAPANESE)
    try:
        game.set_up([(STONES[sign], point) for point, sign in signs.items() if sign in STONES], to_play)
    except ValueError as error:
        raise ProblemError(f"the position is not possible: {error}") from error
    targets = {point for point, sign in signs.items() if sign in TARGETS}
    return Problem(name, game, targets, {point for point, sign in signs.items() if sign == REGION_SIGN})


def is_column_line(line: str) -> bool:
    """True if this is a line like `A B C D`, as programs print above and below a board."""
    return COLUMNS.fullmatch(line) is not None and line.split()[:2] == FIRST_COLUMNS
