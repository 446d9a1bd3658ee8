"""The tokens of KataGo's network files: text between white space, and blocks of weights, as bytes after a marker or as text."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

MARK = b"@BIN@"
LONGEST_TOKEN = 1000  # bytes

Number = TypeVar("Number", int, float)


class DamagedNetwork(Exception):
    """A damaged file; str() says what is wrong, without the path."""


class Tokens:
    """The tokens and numbers of a file, in order."""

    def __init__(self, content: bytes, is_binary: bool) -> None:
        self._content, self._is_binary = content, is_binary
        self._at = 0

    def _skip_space(self) -> None:
        """Go to the next byte that isn't white space."""
        content, at = self._content, self._at
        while at < len(content) and content[at] in b" \t\r\n":
            at += 1
        self._at = at

    def text(self) -> str:
        """The next token. Raises DamagedNetwork at the end."""
        self._skip_space()
        start = end = self._at
        content = self._content
        while end < len(content) and content[end] not in b" \t\r\n" and end - start <= LONGEST_TOKEN:
            end += 1
        if start == end:
            raise DamagedNetwork("the file ends too soon")
        self._at = end
        return content[start:end].decode("ascii", "replace")

    def _number(self, kind: Callable[[str], Number]) -> Number:
        """The next token as a number."""
        token = self.text()
        try:
            return kind(token)
        except ValueError as error:
            raise DamagedNetwork(f"expected a number, found {token[:20]!r}") from error

    def integer(self, least: int = 0, most: int = 1_000_000) -> int:
        """The next token as an integer between these."""
        value = self._number(int)
        if not least <= value <= most:
            raise DamagedNetwork(f"expected a number from {least} to {most}, found {value}")
        return value

    def real(self) -> float:
        """The next token as a finite number."""
        value = self._number(float)
        if not np.isfinite(value):
            raise DamagedNetwork(f"expected a number, found {value}")
        return value

    def zeros(self, count: int) -> None:
        """Check `count` reserved fields, which must be 0."""
        for _ in range(count):
            if self.integer(-1_000_000) != 0:
                raise DamagedNetwork("it uses options that this version doesn't know")

    def array(self, *shape: int) -> np.ndarray:
        """float32 of this shape: the next block of weights. Raises DamagedNetwork unless all of them are there and finite."""
        count = int(np.prod(shape, dtype=np.int64))
        values = self._bytes(count) if self._is_binary else self._words(count)
        if not np.isfinite(values).all():
            raise DamagedNetwork("some weights are infinite or no numbers")
        return values.reshape(shape)

    def _bytes(self, count: int) -> np.ndarray:
        """Numbers as bytes after a marker."""
        self._skip_space()
        start = self._at + len(MARK)
        if self._content[self._at : start] != MARK:
            raise DamagedNetwork("expected weights as bytes, found something else")
        if len(self._content) - start < 4 * count:
            raise DamagedNetwork("the file ends too soon")
        self._at = start + 4 * count
        return np.frombuffer(self._content, "<f4", count, start).astype(np.float32)

    def _words(self, count: int) -> np.ndarray:
        """Numbers as text."""
        if 2 * count > len(self._content) - self._at + 1:  # each has a digit and a space
            raise DamagedNetwork("the file ends too soon")
        return np.array([self._number(float) for _ in range(count)], np.float32)

    def is_at_end(self) -> bool:
        """True if only white space is left."""
        self._skip_space()
        return self._at == len(self._content)
