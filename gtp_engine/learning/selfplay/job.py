"""Games of self-play as jobs. A worker keeps its network open from game to game."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gtp_engine.base.jobs.job import Tell
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.selfplay.params import SelfplayParams
from gtp_engine.learning.selfplay.play import SelfPlayer

PLAY_SELF = "gtp_engine.learning.selfplay.job:SelfplayWorker"  # the function of these jobs


@dataclass(frozen=True)
class SelfplaySpec:
    """A game to play."""

    network: str  # the path of its file
    params: SelfplayParams
    generation: int
    number: int  # of the game in its generation
    opening: tuple[int, ...] = ()  # the first moves, from a record, see SelfPlayer.play


@dataclass(frozen=True)
class ReanalysisSpec:
    """Positions of a game to search again."""

    network: str
    params: SelfplayParams
    generation: int  # that needs the searches
    name: tuple[int, int]  # generation and number of the game
    komi: float
    rules: str  # their name
    moves: tuple[int, ...]  # places
    plies: frozenset[int]  # numbers of moves before which positions are searched


class SelfplayWorker:
    """Plays games, or searches positions of old ones again, with one thread."""

    def __init__(self, tell: Tell) -> None:
        self._players: dict[tuple[str, SelfplayParams], SelfPlayer] = {}  # the last one

    def __call__(self, spec: SelfplaySpec | ReanalysisSpec, seed: int) -> Any:
        """PlayedSelf.as_values of a game, or FullSearch.as_values of each position. Raises NetworkError if there is no such network."""
        player = self._player(spec.network, spec.params)
        if isinstance(spec, SelfplaySpec):
            return player.play((seed, spec.generation, spec.number), spec.opening).as_values()
        searches = player.search_again((seed, spec.generation, *spec.name), spec.komi, spec.rules, spec.moves, spec.plies)
        return [search.as_values() for search in searches]

    def _player(self, network: str, params: SelfplayParams) -> SelfPlayer:
        """The player with this network, opened at first use."""
        key = network, params
        if key not in self._players:
            path = Path(network)
            self._players.clear()
            self._players[key] = SelfPlayer(format_of(path).load(path, SearchParams(threads=1)), params)
        return self._players[key]

    def close(self) -> None:
        """Nothing needs to be ended."""
