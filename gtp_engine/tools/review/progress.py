"""How far a batch of reviews is, told on stderr: bars on a terminal, else a line for each game. Both are a batch.Watcher."""

import sys
import time
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from gtp_engine.base.files import visible
from gtp_engine.tools.review.batch import FAILED, KEPT, ReviewOutcome

LINE_SECONDS = 30.0  # between two lines about the same game, where there are no bars
FIRST_LINE_SECONDS = 3.0  # until the first one, which tells how long a record of thousands of moves takes
MANY_GAMES = 100  # are told at once: the first one may be long in coming
TITLE_LENGTH = 40  # characters


class Lines:
    """A line now and then, for logs."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.games = self.game = self.first = 0
        self.title = ""
        self.started = self.said = 0.0

    def begin(self, games: int) -> None:
        """See Watcher."""
        self.games = games
        if games >= MANY_GAMES:
            self.say(f"{games} games")

    def begin_game(self, title: str, positions: int) -> None:
        """See Watcher."""
        self.title, self.first = title, 0
        self.said = time.monotonic() + FIRST_LINE_SECONDS - LINE_SECONDS

    def position_done(self, done: int, most: int) -> None:
        """See Watcher."""
        now = time.monotonic()
        if not self.first or done <= self.first:  # the first search of a game may have to load the kernels: it isn't counted
            self.first, self.started = done, now
        elif now - self.said >= LINE_SECONDS:
            self.said = now
            left = (now - self.started) * (most - done) / (done - self.first)
            self.say(f"{self.title}: {done / most:.0%} done, the rest takes {duration(left)} at most")

    def first_look(self, page: Path) -> None:
        """See Watcher."""
        self.say(f"{self.title}: a first look is in {page}")

    def end_game(self, outcome: ReviewOutcome) -> None:
        """See Watcher."""
        self.game += 1
        if outcome.status != FAILED:  # which is told with the results
            status = "is already reviewed" if outcome.status == KEPT else "reviewed"
            self.say(f"{self.game}/{self.games} {outcome.title}: {status}")

    def say(self, text: str) -> None:
        """One line."""
        print(f"gtp-engine review: {visible(text)}", file=self.stream, flush=True)

    def close(self) -> None:
        """Nothing is left to do."""


class Bars:
    """A bar for the games and one for the positions of the game under way."""

    def __init__(self, stream: TextIO) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        self.progress = Progress(*columns, console=Console(file=stream), transient=True)
        self.games = self.progress.add_task("games", total=None)
        self.positions = self.progress.add_task("", total=None, visible=False)

    def begin(self, games: int) -> None:
        """See Watcher."""
        self.progress.update(self.games, total=games, description=f"{games} game{'' if games == 1 else 's'}")
        self.progress.start()

    def begin_game(self, title: str, positions: int) -> None:
        """See Watcher."""
        title = visible(title)
        short = title if len(title) <= TITLE_LENGTH else f"...{title[-TITLE_LENGTH:]}"
        self.progress.reset(self.positions, total=positions, description=short.replace("[", r"\["), visible=True)

    def position_done(self, done: int, most: int) -> None:
        """See Watcher."""
        self.progress.update(self.positions, completed=done, total=most)

    def first_look(self, page: Path) -> None:
        """See Watcher."""
        self.progress.console.print(f"a first look is in {visible(page)}", markup=False, highlight=False)

    def end_game(self, outcome: ReviewOutcome) -> None:
        """See Watcher."""
        self.progress.advance(self.games)

    def close(self) -> None:
        """Take the bars off the screen."""
        self.progress.stop()


def duration(seconds: float) -> str:
    """A time to come, for people: no more exact than it is known."""
    if seconds < 90.0:
        return f"about {max(round(seconds / 10.0), 1) * 10} seconds"
    return f"about {round(seconds / 60.0)} minutes" if seconds < 5400.0 else f"about {seconds / 3600.0:.1f} hours"


def watcher_for(stream: TextIO = sys.stderr) -> Lines | Bars:
    """Bars on a terminal, lines elsewhere."""
    return Bars(stream) if stream.isatty() else Lines(stream)
