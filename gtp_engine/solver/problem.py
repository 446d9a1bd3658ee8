"""Where questions come from: SGF files and drawn boards, with the targets and the region marked in them."""

import os
import re
import stat
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from gtp_engine import sgf
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, MAX_SIZE, MIN_SIZE, WHITE, point_at
from gtp_engine.go.rules import JAPANESE
from gtp_engine.sgf.text import Properties, read_nodes
from gtp_engine.sgf.values import plain, plain_text, point_of

MARKS = ("TR", "SQ", "CR", "SL", "MA")  # SGF's marks, all alike here
STONES = {"X": BLACK, "#": BLACK, "O": WHITE, "@": WHITE}  # in a drawn board
TARGETS = "#@"
EMPTY_SIGNS = ".,+*"
REGION_SIGN = "*"
COORDINATES = re.compile(r"^\s*\d{1,2}\s+|\s+\d{1,2}\s*$")  # at both ends of a row
COLUMNS = re.compile(r"[A-HJ-T\s]*")  # a line of column letters
FIRST_COLUMNS = ["A", "B"]


class ProblemError(ValueError):
    """What cannot be read as a position; str() is one sentence for the user."""


@dataclass
class Problem:
    """A position with a question about it."""

    name: str
    game: Game
    targets: set[int]  # points of marked stones; empty where none is marked
    marked: set[int]  # marked empty points: the only ones to play on; empty where the region is to be found
    comment: str = ""  # of the record's first node
    is_record: bool = False  # from an SGF file


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """All of an ordinary file. Raises ProblemError."""
    try:
        is_ordinary = stat.S_ISREG(os.stat(path).st_mode)
        data = Path(path).read_bytes() if is_ordinary else b""
    except OSError as error:
        raise ProblemError(f"the file cannot be read: {error.strerror}") from error
    except ValueError as error:  # a NUL in the path
        raise ProblemError("this is not the name of a file") from error
    if not is_ordinary:
        raise ProblemError("it is not an ordinary file; for a pipe, name - and redirect it")
    return data


def read_problems(data: bytes, name: str) -> list[Problem]:
    """The problems in a file's contents: one in a game record, or one for each drawn board. Raises ProblemError."""
    if looks_like_sgf(data):
        return [parse_sgf(data, name)]
    blocks = [block for block in re.split(r"\n\s*\n", data.decode("utf-8", "replace").replace("\r", "")) if block.strip()]
    if not blocks:
        raise ProblemError("there is nothing in it")
    return [read_diagram(block, name if len(blocks) == 1 else f"{name}:{i}") for i, block in enumerate(blocks, 1)]


def looks_like_sgf(data: bytes) -> bool:
    """Is this a game record rather than a diagram?"""
    return re.match(rb"[^#@XO.]{0,100}\(", data) is not None


def parse_sgf(data: bytes, name: str) -> Problem:
    """The position of a record where stones are marked, or the one set up before its first move. Raises ProblemError.

    Marked stones are targets, marked empty points are the region.
    """
    try:
        nodes = read_nodes(data, [])
        marks_at = next((i for i, node in enumerate(nodes) if set(MARKS) & node.keys()), None)
        moves_before = sum("B" in node or "W" in node for node in nodes[: (marks_at or 0) + 1])
        game = sgf.parse(data, moves_before + 1, JAPANESE).game
    except sgf.SgfError as error:
        raise ProblemError(str(error)) from error
    targets, marked = split_marks(game, points_of(nodes[marks_at], game.size) if marks_at is not None else set())
    return Problem(name, game, targets, marked, comment_of(nodes[0]), is_record=True)


def comment_of(root: Properties) -> str:
    """The comment of a record's first node, lines kept."""
    return plain("\n".join(root.get("C", [])))


def points_of(node: Properties, size: int) -> set[int]:
    """Every marked point; marks that are no points are left out."""
    return {point_of(plain_text(value).lower(), size) for name in MARKS for value in node.get(name, [])} - {0}


def split_marks(game: Game, points: Collection[int]) -> tuple[set[int], set[int]]:
    """(targets, region): the marked stones and the marked empty points."""
    stones = {point for point in points if game.color_at(point) != EMPTY}
    return stones, set(points) - stones


def read_diagram(text: str, name: str, to_play: int = BLACK) -> Problem:
    """A drawn board: `X` and `#` black, `O` and `@` white, `.` empty; `#` and `@` are targets, `*` is an empty point of the region.

    One line for each row, the top one first; spaces and coordinates at the edges mean nothing. Raises ProblemError.
    """
    lines = [COORDINATES.sub("", line) for line in text.splitlines() if line.strip() and not is_column_line(line)]
    rows = ["".join(line.split()) for line in lines]
    size = len(rows)
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
    """Is this `A B C D ...`, as programs write it above and below a board?"""
    return COLUMNS.fullmatch(line) is not None and line.split()[:2] == FIRST_COLUMNS
