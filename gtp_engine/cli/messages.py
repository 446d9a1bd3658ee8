"""What a subcommand tells on stderr: lines, and one that is written over again."""

import sys
import time

from gtp_engine.base.files import visible


def tell(subcommand: str, text: str) -> None:
    """One line for people."""
    print(f"gtp-engine {subcommand}: {visible(text)}", file=sys.stderr, flush=True)


class ProgressLine:
    """How far a subcommand is: in a terminal a line that is written over again, elsewhere a line now and then.

    subcommand -- what the line begins with
    seconds -- how long no further line comes where stderr is no terminal, the last one excepted; infinite: no line at all
    """

    def __init__(self, subcommand: str, seconds: float) -> None:
        self._subcommand = subcommand
        self._seconds = seconds
        self._is_terminal = sys.stderr.isatty()
        self._next = time.monotonic() + seconds

    def show(self, text: str, is_last: bool = False) -> None:
        """Tell this instead of what was told before; after the last text nothing is written over any more."""
        if self._is_terminal:
            print(f"\r\x1b[Kgtp-engine {self._subcommand}: {visible(text)}", end="\n" if is_last else "", file=sys.stderr, flush=True)
        elif time.monotonic() >= self._next or (is_last and self._seconds < float("inf")):
            self._next = time.monotonic() + self._seconds
            tell(self._subcommand, text)

    def clear(self) -> None:
        """Take the line away, so that another may be written there."""
        if self._is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
