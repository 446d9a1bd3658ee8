"""Progress of work on stderr: a redrawn line in a terminal, and occasional plain lines in a log or a pipe."""

import math
import os
import sys
import time
from types import TracebackType
from typing import Any

from gtp_engine.base.files import visible

EVERY = 30.0  # seconds between plain lines
FIRST = 3.0  # seconds until the first one, to say early if the work takes hours
BAR_WIDTH = 24  # characters
REFRESHES = 4.0  # a second


def tell(subcommand: str, text: str) -> None:
    """Print one line for people."""
    print(f"gtp-engine {subcommand}: {visible(text)}", file=sys.stderr, flush=True)


class ProgressLine:
    """The progress of a subcommand. A context manager: the redrawn line disappears at the end.

    subcommand -- each plain line begins with it
    every -- seconds between plain lines; math.inf for none
    """

    def __init__(self, subcommand: str, every: float = EVERY) -> None:
        self._subcommand, self._every = subcommand, every
        self._is_terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + (min(every, FIRST) if every < math.inf else every)  # when a plain line is due
        self._began, self._first = 0.0, math.inf  # time and share from which the pace is measured
        self._share = math.inf  # the last one
        self._live: Any = None  # rich.live.Live, once there is a line

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def show(self, text: str, share: float | None = None, above: str = "", is_news: bool = False) -> None:
        """Replace the line; `text` is followed by the time left.

        share -- of the work that is done, 0 to 1; None: unchanged. A smaller share than before begins another piece of work
        above -- additional lines for a terminal
        is_news -- write a plain line at once; others wait until they are due, except the last one (share 1)
        """
        left = math.inf if share is None else self._seconds_left(share)
        line = f"{text}, {duration(left)} left" if 0.0 < left < math.inf else text
        if self._is_terminal:
            self._redraw(line, above)
        elif is_news or self._is_due(share, left):
            self._next = time.monotonic() + self._every
            tell(self._subcommand, line)

    def count(self, done: int, total: int, noun: str, title: str = "") -> None:
        """Show `title: 3 of 10 games, 12 an hour, 35 min left`."""
        share = done / total
        self._seconds_left(share)
        gained, seconds = total * (share - self._first), time.monotonic() - self._began
        pace = f", {rate(gained / seconds)}" if gained > 0 and seconds > 0 else ""
        self.show(f"{title}{': ' if title else ''}{done:,} of {total:,} {noun}{pace}", share)

    def _is_due(self, share: float | None, left: float) -> bool:
        """True if a plain line is due: not before the time left is known, and always when the work is done."""
        if share is not None and (share >= 1.0 or left == math.inf):
            return share >= 1.0 and self._every < math.inf
        return time.monotonic() >= self._next

    def note(self, text: str) -> None:
        """Write a permanent line."""
        if self._live is None:
            tell(self._subcommand, text)
        else:
            self._live.console.print(f"gtp-engine {self._subcommand}: {visible(text)}", markup=False, highlight=False, soft_wrap=True)

    def _seconds_left(self, share: float) -> float:
        """The time left at the pace so far of this piece of work; infinite at the beginning."""
        now = time.monotonic()
        if share < self._share:
            self._began, self._first = now, share
        self._share = share
        gained = share - self._first
        return (now - self._began) * (1.0 - share) / gained if gained > 0 else math.inf

    def _redraw(self, line: str, above: str) -> None:
        """Redraw the line, after a bar, in the terminal."""
        from rich.console import Console, Group
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        if self._live is None:
            console = Console(stderr=True)
            is_same = sys.stdout.isatty()  # printed text appears above the line
            self._live = Live(console=console, transient=True, refresh_per_second=REFRESHES, redirect_stdout=is_same)
            self._live.start()
        row = Table.grid(padding=(0, 1))
        bar = ProgressBar(1.0, self._share, width=BAR_WIDTH, pulse=self._share == math.inf)
        row.add_row(bar, Text(visible(line), no_wrap=True, overflow="ellipsis"))
        self._live.update(Group(Text(above, no_wrap=True), row) if above else row)


def duration(seconds: float) -> str:
    """A rounded duration: `45 s`, `12 min`, `3 h 20 min`, `5 days`."""
    minutes = round(seconds / 60.0)
    if seconds < 90.0:
        return f"{math.ceil(seconds)} s"
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes < 48 * 60 else f"{round(minutes / 1440.0)} days"


def rate(per_second: float) -> str:
    """A speed in the unit that makes it at least 1, if possible: `820 a second`, `12 a minute`, `3.1 an hour`."""
    number, unit = per_second, "a second"
    for factor, name in ((60.0, "a minute"), (60.0, "an hour")):
        if number < 1.0:
            number, unit = number * factor, name
    return f"{number:,.{0 if number >= 9.95 else 1}f} {unit}"
