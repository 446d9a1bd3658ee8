"""Plays a tournament: what is not yet in the results file, several games at once, each written down as it ends."""

import threading
from collections.abc import Iterator
from pathlib import Path

from gtp_engine.match.contestant import NO_START, REFUSAL, Fault
from gtp_engine.match.game import RefereedGame
from gtp_engine.match.observer import Observer, Silence
from gtp_engine.match.opening import Book, open_book
from gtp_engine.match.pool import EnginePool
from gtp_engine.match.record import PlayedGame
from gtp_engine.match.report import REPORT_FILE, report_html
from gtp_engine.match.results import ResultsFile, write_text
from gtp_engine.match.schedule import ScheduledGame, schedule
from gtp_engine.match.sprt import CONTINUE
from gtp_engine.match.standings import Standings
from gtp_engine.match.tournament import Player, Tournament, TournamentError

GAMES_FOLDER = "games"  # of SGF files
WAKE = 0.2  # seconds between two looks of the waiting thread for Ctrl-C


def run_tournament(tournament: Tournament, output: Path, observer: Observer | None = None) -> Standings:
    """Play what is missing of the tournament into the folder `output`; the standings at the end.

    The folder gets results.jsonl, games/*.sgf and report.html. The same call again goes on where the last one ended, however it
    ended. With a sequential test it stops when the test has decided. Raises TournamentError (bad settings, an engine that can't be
    started or refuses its setup), ResultsError (the folder holds another tournament or can't be written); KeyboardInterrupt after
    Ctrl-C, which gives up the games that are being played. All engines have ended when it returns or raises.
    """
    tournament.check()
    book = open_book(tournament)
    results = ResultsFile(output, tournament, book.from_files)
    try:
        runner = Runner(tournament, output, book, results, observer or Silence())
        return runner.run()
    finally:
        results.close()


class Runner:
    """One run of a tournament."""

    def __init__(self, tournament: Tournament, output: Path, book: Book, results: ResultsFile, observer: Observer) -> None:
        self.tournament = tournament
        self.output = output
        self.book = book
        self.results = results
        self.observer = observer
        self.pool = EnginePool(tournament)
        self.referee = Player("referee", tournament.referee, tournament.referee_setup) if tournament.referee else None
        self.lock = threading.Lock()  # of everything below and of the observer
        self.waiting: Iterator[ScheduledGame] = iter(())
        self.no_more = threading.Event()  # begin no more games
        self.given_up = threading.Event()  # and forget those that are being played
        self.error: BaseException | None = None  # of a worker

    def run(self) -> Standings:
        """Play; see run_tournament."""
        standings = self.standings()
        self.observer.began(standings)
        done = {record.number for record in self.results.records}
        missing = [game for game in schedule(self.tournament) if game.number not in done]
        self.waiting = iter(missing)
        try:
            if missing and not is_decided(standings):
                self._rehearse({self.tournament.players[index] for game in missing for index in (game.black, game.white)})
                self._run_workers(min(self.tournament.jobs, len(missing)))
        finally:
            self.pool.close()
            if self.results.records:
                write_text(self.output / REPORT_FILE, report_html(self.standings(), GAMES_FOLDER))
        return self.standings()

    def standings(self) -> Standings:
        """As of now."""
        return Standings(self.tournament, self.results.records)

    def _rehearse(self, players: set[Player]) -> None:
        """Start an engine of each player, so that a wrong command or setup is told before any game. Raises TournamentError."""
        for player in [player for player in (*self.tournament.players, self.referee) if player in players or player is self.referee]:
            if player is None:
                continue
            contestant = self.pool.take(player)
            try:
                contestant.prepare()
            except Fault as fault:
                if fault.kind in (NO_START, REFUSAL):
                    raise TournamentError(str(fault)) from fault
                self.observer.note(f"{fault}; it will lose its games unless it does better")
            finally:
                self.pool.give_back(contestant)

    def _run_workers(self, count: int) -> None:
        """Play with so many threads until there is nothing left to do. Raises what a worker raised."""
        workers = [threading.Thread(target=self._work, name=f"games {number}", daemon=True) for number in range(count)]
        for worker in workers:
            worker.start()
        try:
            self._wait_for(workers)
        except BaseException:
            self.no_more.set()
            self.given_up.set()
            self._wait_for(workers)
            raise
        if self.error is not None:
            raise self.error

    def _wait_for(self, workers: list[threading.Thread]) -> None:
        """Until all have ended; ends their engines, once the games are given up, and those that they start meanwhile."""
        while any(worker.is_alive() for worker in workers):
            if self.given_up.is_set():
                self.pool.kill_taken()
            for worker in workers:
                worker.join(WAKE / len(workers))

    def _work(self) -> None:
        """One game after the other."""
        try:
            while (game := self._next_game()) is not None:
                record, text = self._play(game)
                if self.given_up.is_set():
                    return
                self._keep(record, text)
        except BaseException as error:
            with self.lock:
                self.error = self.error or error
            self.no_more.set()

    def _next_game(self) -> ScheduledGame | None:
        with self.lock:
            game = None if self.no_more.is_set() else next(self.waiting, None)
            if game is not None:
                self.observer.game_began(game)
            return game

    def _play(self, game: ScheduledGame) -> tuple[PlayedGame, str]:
        """One game with engines from the pool."""
        players = self.tournament.players
        black, white = self.pool.take(players[game.black]), self.pool.take(players[game.white])
        referee = self.pool.take(self.referee) if self.referee is not None else None
        try:
            opening = self.book.opening(game.pair)
            return RefereedGame(self.tournament, game, opening, black, white, referee).play()
        finally:
            for contestant in filter(None, (black, white, referee)):
                self.pool.give_back(contestant)

    def _keep(self, record: PlayedGame, text: str) -> None:
        """Write a finished game down: the SGF file first, so that every game in the results has one."""
        write_text(self.output / GAMES_FOLDER / record.sgf, text)
        self.results.append(record)
        with self.lock:
            standings = self.standings()
            if is_decided(standings):
                self.no_more.set()
            self.observer.game_ended(record, standings)


def is_decided(standings: Standings) -> bool:
    """Has the sequential test, if there is one, come to its end?"""
    return standings.sprt is not None and standings.sprt.decision != CONTINUE
