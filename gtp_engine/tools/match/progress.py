"""A tournament's progress on stderr: in a terminal the ratings above a progress line, otherwise a line for each game."""

from gtp_engine.base.progress import ProgressLine
from gtp_engine.tools.match.record import PlayedGame
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tables import aligned, game_sentence, rating_table, sprt_sentence


class MatchProgress:
    """Reports a tournament on `progress`; None: no reports."""

    def __init__(self, progress: ProgressLine | None) -> None:
        self._progress = progress

    def began(self, standings: Standings) -> None:
        """The results file was read; `standings` has the games played so far."""
        if standings.records:
            self.note(f"{len(standings.records)} of {standings.planned} games are played already")
        self._show("", standings, is_news=False)

    def game_ended(self, record: PlayedGame, standings: Standings) -> None:
        """A game is over and in the results file. In a terminal only problems get a permanent line."""
        is_wrong = bool(record.fault or record.disagreement)
        if is_wrong:
            self.note(game_sentence(record))
        self._show(game_sentence(record), standings, is_news=not is_wrong)

    def note(self, text: str) -> None:
        """Write a sentence for people."""
        if self._progress is not None:
            self._progress.note(text)

    def _show(self, game: str, standings: Standings, is_news: bool) -> None:
        """Show the last game and the standings."""
        if self._progress is None:
            return
        done, total = len(standings.records), standings.planned
        text = f"{done}/{total} games" if not game else f"{done}/{total} {game}"
        if len(standings.names) == 2 and game:
            tally = standings.total(standings.names[0])
            text += f" [{standings.names[0]} {tally.wins}-{tally.draws}-{tally.losses}]"
        above = "\n\n".join(filter(None, [aligned(rating_table(standings)), sprt_sentence(standings)]))
        self._progress.show(text, done / total, above, is_news)
