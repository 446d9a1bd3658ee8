"""The values of SGF properties: texts with their escapes, and points as two letters."""

import re

from gtp_engine.go.points import MAX_SIZE, PASS, point_at, row_and_column

APPLICATION = "gtp_engine"  # how we call ourselves in AP
MAX_TEXT = 500  # characters of a name or a result; comments are not read here
PASSES = {"", "tt"}  # the second is FF[3]'s, and never a point on our boards
LETTERS = "abcdefghijklmnopqrstuvwxyz"[:MAX_SIZE]
ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


def escaped(text: str) -> str:
    """Text as it stands in a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def plain(value: str) -> str:
    """The text of a value: the inverse of `escaped`, without escaped line breaks."""
    return ESCAPED.sub(lambda match: "" if match[1].isspace() and match[1] not in " \t" else match[1], value)


def plain_text(value: str) -> str:
    """The text of a value on one line, without control characters, at most MAX_TEXT characters."""
    text = plain(value[: 4 * MAX_TEXT])[:MAX_TEXT]
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def letters_of(point: int, size: int) -> str:
    """A point as two letters, column from the left and row from the top; nothing for PASS."""
    if point == PASS:
        return ""
    row, column = row_and_column(point)
    return LETTERS[column - 1] + LETTERS[size - row]


def move_of(value: str, size: int) -> int:
    """The point of a move's value, or PASS; 0 when it names none."""
    letters = plain_text(value).lower()
    return PASS if letters in PASSES else point_of(letters, size)


def point_of(letters: str, size: int) -> int:
    """The point of two small letters, or 0 when they name none on this board."""
    if len(letters) != 2:
        return 0
    column, down = (ord(letter) - ord("a") + 1 for letter in letters)
    if not (1 <= column <= size and 1 <= down <= size):
        return 0
    return point_at(size + 1 - down, column)
