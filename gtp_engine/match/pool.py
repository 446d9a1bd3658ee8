"""Running engines, kept between games: whoever plays next takes an idle one of the right player, or starts another."""

import threading
from concurrent.futures import ThreadPoolExecutor

from gtp_engine.match.client import EngineClient
from gtp_engine.match.contestant import Contestant
from gtp_engine.match.tournament import Player, Tournament

CLOSERS = 8  # engines that are asked to quit at once


class EnginePool:
    """All engines of a tournament. Every method may be called from any thread."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self._lock = threading.Lock()
        self._idle: list[Contestant] = []  # the least recently used first
        self._taken: list[Contestant] = []

    def take(self, player: Player) -> Contestant:
        """An engine of that player for the caller alone, perhaps not started yet; doesn't wait and doesn't talk to it."""
        with self._lock:
            for contestant in reversed(self._idle):
                if contestant.player is player:
                    self._idle.remove(contestant)
                    break
            else:
                contestant = Contestant(player, self.tournament, EngineClient(player.command))
            self._taken.append(contestant)
        return contestant

    def give_back(self, contestant: Contestant) -> None:
        """It is free for another game; one that failed is ended, and so is the least recently used one when too many are idle."""
        surplus: list[Contestant] = []
        with self._lock:
            self._taken.remove(contestant)
            if contestant.is_ready:
                self._idle.append(contestant)
                if len(self._idle) > self.tournament.keep_engines:
                    surplus.append(self._idle.pop(0))
            else:
                contestant.client.kill()
                surplus.append(contestant)
        for each in surplus:
            each.client.close()

    def kill_taken(self) -> None:
        """End the engines that are playing: whoever waits for their answers gets a Fault."""
        with self._lock:
            for contestant in self._taken:
                contestant.client.kill()

    def close(self) -> None:
        """End all engines, politely and together. Nobody may use the pool any more."""
        with self._lock:
            everybody = self._idle + self._taken
            self._idle, self._taken = [], []
        with ThreadPoolExecutor(CLOSERS) as executor:
            list(executor.map(lambda contestant: contestant.client.close(), everybody))
