"""Show the progress of a batch of reviews on stderr."""

from pathlib import Path

from gtp_engine.base.progress import ProgressLine
from gtp_engine.tools.review.batch import FAILED, KEPT, ReviewOutcome

MANY_GAMES = 100  # from which the number of games is shown at once, because the first review may take long


class ReviewProgress:
    """Shows on `progress` which game is being reviewed and which part of the work is done."""

    def __init__(self, progress: ProgressLine) -> None:
        self._progress = progress
        self._games = self._ended = self._due = self._reviewed = (
            0  # all games and the ended ones; of both, those that were not reviewed before
        )
        self._title = ""

    def begin(self, games: int) -> None:
        """The work begins, with this number of games."""
        self._games = self._due = games
        self._progress.show(f"{games} game{'s' * (games != 1)}", is_news=games >= MANY_GAMES)

    def begin_game(self, title: str, positions: int) -> None:
        """The review of a game begins."""
        self._title = title

    def position_done(self, done: int, most: int) -> None:
        """So many simulations of the game are done, of the most that its review will need."""
        self._show(f"{self._ended + 1}/{self._games} {self._title}: {done / most:.0%}", done / most)

    def first_look(self, page: Path) -> None:
        """The page shows the results of the first pass over a game."""
        self._progress.note(f"a first look is in {page}")

    def end_game(self, outcome: ReviewOutcome) -> None:
        """A game has its outcome."""
        self._ended += 1
        if outcome.status == KEPT:
            self._due -= 1
        else:
            self._reviewed += 1
        if outcome.status != FAILED:  # failures are shown with the results
            status = "is already reviewed" if outcome.status == KEPT else "reviewed"
            self._show(f"{self._ended}/{self._games} {outcome.title}: {status}", is_news=True)

    def _show(self, text: str, of_game: float = 0.0, is_news: bool = False) -> None:
        """Show the line. `of_game`: the part of the current game that is done."""
        self._progress.show(text, (self._reviewed + of_game) / self._due if self._due else None, is_news=is_news)
