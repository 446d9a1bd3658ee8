"""A tournament as it goes on, on stderr: a table and a progress bar in a terminal, a line for each game elsewhere."""

import contextlib
import sys
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from gtp_engine.tools.match.record import PlayedGame
from gtp_engine.tools.match.schedule import ScheduledGame
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tables import game_sentence, rating_table, sprt_sentence

REFRESH = 4.0  # times a second


class PlainLines:
    """A line on stderr for each game. An Observer."""

    def began(self, standings: Standings) -> None:
        """See Observer."""
        if standings.records:
            self.note(f"{len(standings.records)} of {standings.planned} games are played already")

    def game_began(self, game: ScheduledGame) -> None:
        """See Observer. Says nothing: two lines a game would hide the results."""

    def game_ended(self, record: PlayedGame, standings: Standings) -> None:
        """See Observer."""
        text = f"{len(standings.records)}/{standings.planned} {game_sentence(record)}"
        if len(standings.names) == 2:
            name = standings.names[0]
            tally = standings.total(name)
            text += f" [{name} {tally.wins}-{tally.draws}-{tally.losses}]"
        self.note(text)

    def note(self, text: str) -> None:
        """See Observer. Nobody reads any more: that is no reason to end the match."""
        with contextlib.suppress(OSError):
            print(text, file=sys.stderr, flush=True)


class LiveTable:
    """The ratings and a bar, kept in place at the bottom of a terminal. An Observer, and a `with` block."""

    def __init__(self, console: Console) -> None:
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
        self.progress = Progress(*columns, console=console)
        self.task: TaskID | None = None
        self.console = console
        self.live = Live(self.progress, console=console, refresh_per_second=REFRESH)

    def __enter__(self) -> "LiveTable":
        self.live.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.live.__exit__(kind, error, trace)

    def began(self, standings: Standings) -> None:
        """See Observer."""
        self.task = self.progress.add_task("", total=standings.planned)
        self._show(standings)

    def game_began(self, game: ScheduledGame) -> None:
        """See Observer."""

    def game_ended(self, record: PlayedGame, standings: Standings) -> None:
        """See Observer. Only what went wrong gets a line of its own."""
        if record.fault or record.disagreement:
            self.note(game_sentence(record))
        self._show(standings)

    def note(self, text: str) -> None:
        """See Observer."""
        self.console.print(Text(text))

    def _show(self, standings: Standings) -> None:
        head, *rows = rating_table(standings)
        table = Table()
        for name in head:
            table.add_column(name, justify="left" if name == head[0] else "right")
        for row in rows:
            table.add_row(*map(Text, row))
        assert self.task is not None
        self.progress.update(self.task, completed=len(standings.records))
        sentence = sprt_sentence(standings)
        self.live.update(Group(table, *([Text(sentence)] if sentence else []), self.progress))
