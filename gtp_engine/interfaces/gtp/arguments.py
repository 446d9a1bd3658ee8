"""Words of a GTP line -> the values that a command's parameters are declared with.

A command says what it takes by its type hints: `Color`, `Vertex`, `Move`, `int`, `int | None`, `float`, `str`; a default makes
a parameter optional, `*vertices: Vertex` takes the words that are left, `Rest` all of them as they are written. Words that don't fit are a
syntax error.
"""

import inspect
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NewType

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.points import from_color_name, from_vertex

Color = NewType("Color", int)  # BLACK or WHITE
Vertex = NewType("Vertex", int)  # a point of the board in use, or PASS

Rest = NewType("Rest", str)  # all arguments with the spaces between them, as a path may have some

# Python's int() and float() take more than GTP: `1_000`, other scripts' digits, `nan`, and numbers of any length.
INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
FLOAT = re.compile(r"[+-]?([0-9]{1,400}(\.[0-9]{0,400})?|\.[0-9]{1,400})([eE][+-]?[0-9]{1,4})?")


class Move(NamedTuple):
    """Two words: a color and a vertex."""

    color: Color
    vertex: Vertex


class Words:
    """The arguments of a line, taken from left to right.

    board_size -- called only when a vertex must be read, so that commands without one need no board
    rest -- the words as they stand in the line
    """

    def __init__(self, words: Sequence[str], board_size: Callable[[], int], rest: str = "") -> None:
        self.words = words
        self.rest = rest
        self.taken = 0
        self.board_size = board_size

    def are_left(self) -> bool:
        """Is there a word that was not taken?"""
        return self.taken < len(self.words)

    def peek(self) -> str:
        """The next word, which stays; GtpError when there is none."""
        if not self.are_left():
            raise GtpError("syntax error")
        return self.words[self.taken]

    def take(self) -> str:
        """The next word; GtpError when there is none."""
        word = self.peek()
        self.taken += 1
        return word


def read_integer(words: Words) -> int:
    """A decimal number, also a negative one: clients send them for times."""
    word = words.take()
    if not INTEGER.fullmatch(word):
        raise GtpError("syntax error")
    return int(word)


def read_float(words: Words) -> float:
    """A finite decimal number."""
    word = words.take()
    value = float(word) if FLOAT.fullmatch(word) else math.inf
    if not math.isfinite(value):
        raise GtpError("syntax error")
    return value


def read_color(words: Words) -> Color:
    """`b`, `black`, `w` or `white`, in either case."""
    try:
        return Color(from_color_name(words.take()))
    except ValueError as error:
        raise GtpError("syntax error") from error


def is_color(word: str) -> bool:
    """Is this the name of a color?"""
    try:
        from_color_name(word)
    except ValueError:
        return False
    return True


def read_vertex(words: Words) -> Vertex:
    """A point of the board in use or `pass`, in either case."""
    word = words.take()
    try:
        return Vertex(from_vertex(word, words.board_size()))
    except ValueError as error:
        raise GtpError("syntax error") from error


def read_move(words: Words) -> Move:
    """A color and a vertex."""
    return Move(read_color(words), read_vertex(words))


def read_rest(words: Words) -> Rest:
    """All arguments as they are written, for a command that takes nothing else; GtpError when there are none."""
    words.peek()
    words.taken = len(words.words)
    return Rest(words.rest)


READERS: dict[Any, Callable[[Words], Any]] = {
    str: Words.take,
    int: read_integer,
    int | None: read_integer,
    float: read_float,
    Color: read_color,
    Vertex: read_vertex,
    Move: read_move,
    Rest: read_rest,
}


def read_arguments(method: Callable[..., Any], words: Words) -> list[Any]:
    """The values to call `method` with; GtpError("syntax error") when the words don't fit its parameters.

    A method without parameters ignores its words: clients append some to `protocol_version` and `showboard`.
    """
    parameters = inspect.signature(method).parameters.values()
    values: list[Any] = []
    for parameter in parameters:
        read = READERS[parameter.annotation]
        if parameter.kind is parameter.VAR_POSITIONAL:
            while words.are_left():
                values.append(read(words))
        elif words.are_left() or parameter.default is parameter.empty:
            values.append(read(words))
    if parameters and words.are_left():
        raise GtpError("syntax error")
    return values
