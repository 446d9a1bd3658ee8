"""Plays a tournament: the games that aren't in the results file yet, several at once, each stored as it ends."""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gtp_engine.base.jobs.job import JobDescription, JobResult, JobRunner
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.progress import ProgressLine
from gtp_engine.tools.match.game_job import PLAY, GameSpec, Rehearsal, RehearsalReport, referee_of
from gtp_engine.tools.match.opening import Book, open_book
from gtp_engine.tools.match.progress import MatchProgress
from gtp_engine.tools.match.record import PlayedGame
from gtp_engine.tools.match.report import REPORT_FILE, report_html
from gtp_engine.tools.match.results import ResultsFile, write_text
from gtp_engine.tools.match.schedule import ScheduledGame, schedule
from gtp_engine.tools.match.sprt import CONTINUE
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tournament import Player, Tournament, TournamentError

GAMES_FOLDER = "games"  # of SGF files


def run_tournament(tournament: Tournament, output: Path, progress: ProgressLine | None = None, ray: str = "") -> Standings:
    """Play the missing games of the tournament in the folder `output`; returns the standings at the end.

    The folder gets results.jsonl, games/*.sgf and report.html. The same call continues an interrupted tournament. With a sequential test it
    stops when the test has decided. `ray`: play on a cluster, see JobPlace. Raises TournamentError (bad settings, an engine that can't be
    started or refuses its setup), PlaceError (no cluster), StoreError (the folder holds another tournament or can't be written);
    KeyboardInterrupt after Ctrl-C, which discards the games in progress. All engines have ended when it returns or raises.
    """
    tournament.check()
    book = open_book(tournament)
    results = ResultsFile(output, tournament, book.from_files)
    try:
        runner = Runner(tournament, output, book, results, MatchProgress(progress), JobPlace(tournament.jobs, ray))
        return runner.run()
    finally:
        results.close()


class Runner:
    """One run of a tournament."""

    def __init__(
        self, tournament: Tournament, output: Path, book: Book, results: ResultsFile, progress: MatchProgress, place: JobPlace
    ) -> None:
        self.tournament = tournament
        self.output = output
        self.book = book
        self.results = results
        self.progress = progress
        self.is_over = False  # begin no more games for now
        self.place = place

    def run(self) -> Standings:
        """See run_tournament."""
        standings = self.standings()
        self.progress.began(standings)
        done = {record.number for record in self.results.records}
        missing = [game for game in schedule(self.tournament) if game.number not in done]
        try:
            if missing and not is_decided(standings):
                with replace(self.place, jobs=min(self.place.jobs, len(missing))).runner(0) as runner:
                    self._rehearse(runner, {self.tournament.players[index] for game in missing for index in (game.black, game.white)})
                    self._play(runner, missing)
        finally:
            if self.results.records:
                write_text(self.output / REPORT_FILE, report_html(self.standings(), GAMES_FOLDER))
        return self.standings()

    def standings(self) -> Standings:
        """The current standings."""
        return Standings(self.tournament, self.results.records)

    def _rehearse(self, runner: JobRunner, players: set[Player]) -> None:
        """Start an engine of each player, to report a wrong command or setup before any game. Raises TournamentError."""
        rehearsed = [player for player in self.tournament.players if player in players]
        if self.tournament.referee:
            rehearsed.append(referee_of(self.tournament))
        jobs = [JobDescription(f"start {player.name}", PLAY, Rehearsal(self.tournament, player)) for player in rehearsed]
        reports = {result.key: value_of(result) for result in runner.results(jobs)}
        for job in jobs:
            report = reports[job.key]
            if report.is_fatal:
                raise TournamentError(self._where(report))
            if report.problem:
                self.progress.note(f"{report.problem}; it will lose its games unless it does better")

    def _play(self, runner: JobRunner, games: list[ScheduledGame]) -> None:
        """Play these games and store each as it ends.

        A sequential test may decide during games and be undecided again after them; then the other games follow.
        """
        waiting = deque(games)
        while waiting and not self.is_over:
            for result in runner.results(self._jobs(waiting)):
                value = value_of(result)
                if isinstance(value, RehearsalReport):  # of a worker that has not started this player before
                    raise TournamentError(self._where(value))
                self._keep(*value)

    def _jobs(self, waiting: deque[ScheduledGame]) -> Iterator[JobDescription]:
        """A job for each game, taken from `waiting`, until the test has decided."""
        while waiting and not self.is_over:
            game = waiting.popleft()
            spec = GameSpec(self.tournament, game, self.book.opening(game.pair))
            yield JobDescription(str(game.number), PLAY, spec, game.seed)

    def _where(self, report: RehearsalReport) -> str:
        """The report's sentence, with the machine's name if there are several."""
        return f"on {report.machine}: {report.problem}" if self.place.ray else report.problem

    def _keep(self, record: PlayedGame, text: str) -> None:
        """Store a finished game: the SGF file first, so that every game in the results has one."""
        write_text(self.output / GAMES_FOLDER / record.sgf, text)
        self.results.append(record)
        standings = self.standings()
        self.is_over = is_decided(standings)
        self.progress.game_ended(record, standings)


def value_of(result: JobResult) -> Any:
    """The job's value. Raises TournamentError if it has none."""
    if result.error:
        name = f"game {result.key}" if result.key.isdecimal() else result.key
        raise TournamentError(f"{name} could not be played: {result.error}")
    return result.value


def is_decided(standings: Standings) -> bool:
    """True if there is a sequential test and it has decided."""
    return standings.sprt is not None and standings.sprt.decision != CONTINUE
