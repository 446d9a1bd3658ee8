"""PlayerEngine: the engine with one of the textbook's players in place of its search, for `gtp-engine gtp --player`.

Everything else is the engine's own: rules, clocks, passing when the game is over, resignation by win rate, scores, records.
"""

import random
import time
from dataclasses import replace

import numpy as np

from gtp_engine.go.points import POINTS, from_vertex, to_vertex
from gtp_engine.go.rules import CHINESE, Rules
from gtp_engine.player.engine import REGRESSION_SEED, Engine
from gtp_engine.player.passing import is_mostly_empty
from gtp_engine.player.verdict import SIGN
from gtp_engine.search.arrays import Avoid
from gtp_engine.search.params import SearchParams
from gtp_engine.search.result import Candidate, SearchResult
from gtp_engine.search.search import Limits, Progress
from gtp_engine.textbook.go_game import stone_difference
from gtp_engine.textbook.go_rollouts import SensibleGo, light_go_rollout
from gtp_engine.textbook.players import Choice, Player, ShouldStop, Table, make_player

NO_IDEA = 0.5  # the win rate of a player who has none
NODE_BYTES = 32_000  # of memory for a node of the textbook's tree of Go, measured


class PlayerEngine(Engine):
    """An Engine whose moves are those of the player called `name`. Raises ValueError for a name that is none of the textbook's.

    With a seed and `playouts` the same moves every time; otherwise the time decides how far it looks. Live analysis is still that of our
    own search.
    """

    def __init__(
        self, params: SearchParams, rules: Rules = CHINESE, komi: float = 7.5, size: int = 19, name: str = "textbook-mcts"
    ) -> None:
        super().__init__(without_pondering(params), rules, komi, size)
        self.name = name
        self.player = self._new_player(self.seed)

    def _new_player(self, seed: int) -> Player:
        most = self.params.memory * 2**20 // NODE_BYTES
        rounds = min(self.params.playouts or most, most)
        table = Table(SensibleGo.start(self.game.size, self.komi), stone_difference, light_go_rollout, is_small=False)
        return make_player(self.name, table, random.Random(seed), rounds)

    @property
    def seed(self) -> int:
        """What the random numbers started from."""
        return self._search.current_seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._search.seed(seed)
        self.player = self._new_player(seed)

    def set_params(self, params: SearchParams) -> None:
        """As Engine; the player starts anew, from its seed, and never ponders."""
        super().set_params(without_pondering(params))
        self.player = self._new_player(self.seed)

    def clear_search(self) -> None:
        """As Engine; the player forgets its tree too, and starts anew from its seed."""
        super().clear_search()
        self.player = self._new_player(self.seed)

    def reg_genmove(self, color: int) -> int:
        """As Engine, with a player fresh from the regression seed."""
        player = self.player
        self.player = self._new_player(self.params.seed or REGRESSION_SEED)
        try:
            return super().reg_genmove(color)
        finally:
            self.player = player

    def _run(self, color: int, limits: Limits, progress: Progress | None = None, avoid: Avoid | None = None) -> SearchResult:
        """Ask the player instead of our search. A move that is to be avoided at any depth is barred for this move."""
        started = time.monotonic()
        position = SensibleGo.from_game(self.game, color, self.white_points())
        barred = [to_vertex(point) for avoided, point in (avoid or {}) if avoided == color]
        choice = self.player(position.without(barred) if barred else position, self._stopper(limits, started))
        self.last_result = self._result(color, choice, time.monotonic() - started)
        return self.last_result

    def _stopper(self, limits: Limits, started: float) -> ShouldStop:
        """Is the time up, or has somebody interrupted?"""
        seconds = limits.seconds
        return lambda: self._interrupted.is_set() or (seconds is not None and time.monotonic() - started >= seconds)

    def _result(self, color: int, choice: Choice, seconds: float) -> SearchResult:
        """The choice as a search's result. Who owns what is our verdict's business: the players have no idea when a game is over."""
        point = from_vertex(choice.move, self.game.size)
        win_rate = NO_IDEA if choice.win_rate is None else choice.win_rate
        ownership, score = np.zeros(POINTS), 0.0
        if not is_mostly_empty(self.game):
            verdict = self.verdict()
            ownership, score = SIGN[color] * verdict.ownership, SIGN[color] * (verdict.count.score - self.white_points())
        candidate = Candidate(point, choice.visits, win_rate, score, [point], [choice.visits], 1.0, win_rate)
        return SearchResult([candidate], choice.visits, choice.visits, seconds, win_rate, score, ownership)


def without_pondering(params: SearchParams) -> SearchParams:
    """The players have no use for the opponent's time."""
    return replace(params, ponder=False)
