"""Games of self-play as jobs: a worker keeps the network that it has opened, for one game after the other."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gtp_engine.jobs.job import Tell
from gtp_engine.network.formats import format_of
from gtp_engine.search.params import SearchParams
from gtp_engine.selfplay.params import SelfplayParams
from gtp_engine.selfplay.play import SelfPlayer

PLAY_SELF = "gtp_engine.selfplay.job:SelfplayWorker"  # the function of these jobs


@dataclass(frozen=True)
class SelfplayOrder:
    """A game to be played."""

    network: str  # path of the file
    params: SelfplayParams
    generation: int
    number: int  # of the game in its generation
    opening: tuple[int, ...] = ()  # moves of a record to begin with, see SelfPlayer.play


class SelfplayWorker:
    """Plays games, one thread each."""

    def __init__(self, tell: Tell) -> None:
        self._players: dict[tuple[str, SelfplayParams], SelfPlayer] = {}  # the last one

    def __call__(self, order: SelfplayOrder, seed: int) -> dict[str, Any]:
        """PlayedSelf.as_values of a game. Raises NetworkError when the network can't be opened."""
        key = order.network, order.params
        if key not in self._players:
            path = Path(order.network)
            self._players.clear()
            self._players[key] = SelfPlayer(format_of(path).load(path, SearchParams(threads=1)), order.params)
        return self._players[key].play((seed, order.generation, order.number), order.opening).as_values()

    def close(self) -> None:
        """Nothing has to be ended."""
