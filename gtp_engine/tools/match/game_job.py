"""Games as jobs. A worker keeps its engines running from game to game."""

import platform
from dataclasses import dataclass

from gtp_engine.base.jobs.job import Tell
from gtp_engine.tools.match.client import EngineClient
from gtp_engine.tools.match.contestant import NO_START, REFUSAL, Contestant, Fault
from gtp_engine.tools.match.game import RefereedGame
from gtp_engine.tools.match.opening import Opening
from gtp_engine.tools.match.record import PlayedGame
from gtp_engine.tools.match.schedule import ScheduledGame
from gtp_engine.tools.match.tournament import Player, Tournament

PLAY = "gtp_engine.tools.match.game_job:GamePlayer"  # the function of these jobs
CANNOT_PLAY = (NO_START, REFUSAL)  # faults at the first start, which don't lose a game


@dataclass(frozen=True)
class GameSpec:
    """A game to play."""

    tournament: Tournament
    game: ScheduledGame
    opening: Opening


@dataclass(frozen=True)
class Rehearsal:
    """A trial start of a player."""

    tournament: Tournament
    player: Player


@dataclass(frozen=True)
class RehearsalReport:
    """The result of a rehearsal, or of a game whose player couldn't be started."""

    problem: str = ""  # a sentence; empty: it is ready
    is_fatal: bool = False  # the player can't be started or refuses its setup
    machine: str = ""  # the machine's name


class GamePlayer:
    """Plays games and rehearsals of one tournament. Keeps idle engines, its share of the tournament's `keep_engines`."""

    def __init__(self, tell: Tell) -> None:
        self._idle: list[Contestant] = []  # the least recently used first
        self._tried: set[Player] = set()  # players that were started here

    def __call__(self, data: GameSpec | Rehearsal, seed: int) -> tuple[PlayedGame, str] | RehearsalReport:
        """The record and the SGF text of a game, or a report. The engines' seed is in the order.

        Raises OSError if this process has no files or memory left for an engine.
        """
        if isinstance(data, Rehearsal):
            return self._rehearse(data.tournament, data.player) or RehearsalReport()
        players = [data.tournament.players[data.game.black], data.tournament.players[data.game.white]]
        if data.tournament.referee:
            players.append(referee_of(data.tournament))
        for player in dict.fromkeys(players):
            report = self._rehearse(data.tournament, player) if player not in self._tried else None
            if report is not None and report.is_fatal:
                return report
        return self._play(data, players)

    def close(self) -> None:
        """End all engines."""
        for contestant in self._idle:
            contestant.client.close()
        self._idle = []

    def _rehearse(self, tournament: Tournament, player: Player) -> RehearsalReport | None:
        """Start a player for the first time; None if it is ready."""
        self._tried.add(player)
        contestant = self._take(tournament, player)
        try:
            contestant.prepare()
        except Fault as fault:
            return RehearsalReport(str(fault), fault.kind in CANNOT_PLAY, platform.node())
        finally:
            self._give_back(contestant)
        return None

    def _play(self, spec: GameSpec, players: list[Player]) -> tuple[PlayedGame, str]:
        """One game."""
        taken = [self._take(spec.tournament, player) for player in players]
        try:
            referee = taken[2] if len(taken) > 2 else None
            return RefereedGame(spec.tournament, spec.game, spec.opening, taken[0], taken[1], referee).play()
        except BaseException:  # the driver stops: don't wait for thinking engines
            for contestant in taken:
                contestant.client.kill()
            raise
        finally:
            for contestant in taken:
                self._give_back(contestant)

    def _take(self, tournament: Tournament, player: Player) -> Contestant:
        """An engine of this player, perhaps not started yet."""
        for contestant in reversed(self._idle):
            if contestant.player == player:
                self._idle.remove(contestant)
                return contestant
        return Contestant(player, tournament, EngineClient(player.command))

    def _give_back(self, contestant: Contestant) -> None:
        """Return an engine. A failed one is ended, and so is the least recently used one if too many are idle."""
        if not contestant.is_ready:
            contestant.client.kill()
            contestant.client.close()
            return
        self._idle.append(contestant)
        if len(self._idle) > idle_engines(contestant.tournament):
            self._idle.pop(0).client.close()


def idle_engines(tournament: Tournament) -> int:
    """The number of engines that one worker keeps between games: its share, but at least those of one game."""
    of_one_game = 3 if tournament.referee else 2
    return max(tournament.keep_engines // tournament.jobs, min(tournament.keep_engines, of_one_game))


def referee_of(tournament: Tournament) -> Player:
    """The referee as a player."""
    return Player("referee", tournament.referee, tournament.referee_setup)
