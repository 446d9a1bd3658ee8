"""LevelEngine: the engine with its levels of play. At level 0 it is the Engine itself."""

from dataclasses import replace

import numpy as np

from gtp_engine.go.points import PASS, board_points
from gtp_engine.go.rules import CHINESE, Rules
from gtp_engine.player.engine import Engine
from gtp_engine.player.levels.table import ALL, Level, level_of
from gtp_engine.player.levels.view import moves_in_view
from gtp_engine.player.passing import may_be_over
from gtp_engine.search.arrays import Avoid
from gtp_engine.search.params import SearchParams
from gtp_engine.search.result import SearchResult
from gtp_engine.search.search import Limits, Progress

FULL_STRENGTH = 0  # the level that is none
GLANCE = 32  # simulations of the look at the whole board: enough to tell what is settled and whether the game is lost
KEPT = ("memory", "seed", "resign", "resign_threshold", "resign_moves", "resign_after")  # parameters that don't make a level stronger


class LevelEngine(Engine):
    """An Engine that can play at a level, as strong on a slow machine as on a fast one. Raises ValueError for a level that isn't there.

    It passes by the same verdict, and resigns by the same rule, as the Engine. With a seed it plays the same moves every time. Live
    analysis doesn't know of levels.
    """

    def __init__(self, params: SearchParams, rules: Rules = CHINESE, komi: float = 7.5, size: int = 19, level: int = FULL_STRENGTH) -> None:
        super().__init__(params, rules, komi, size)
        self.full_params = params
        self.level_number = FULL_STRENGTH
        self.set_level(level)

    def set_level(self, number: int) -> None:
        """Play at this level from the next move on, FULL_STRENGTH for none. Raises ValueError, changing nothing, for any other number."""
        level = None if number == FULL_STRENGTH else level_of(number)
        if number != self.level_number:
            super().set_params(self.full_params if level is None else level_params(self.full_params, level))
        self.level_number, self._level = number, level

    def set_params(self, params: SearchParams) -> None:
        """As Engine. What the level decides stays as the level has it, and comes into force when the level is left."""
        self.full_params = params
        super().set_params(params if self._level is None else level_params(params, self._level))

    def _run(self, color: int, limits: Limits, progress: Progress | None = None, avoid: Avoid | None = None) -> SearchResult:
        """Search among the moves that come to mind."""
        avoid = dict(avoid or {})
        if self._level is None or self._level.view == ALL:
            return super()._run(color, limits, progress, avoid)
        look = super()._run(color, Limits(simulations=GLANCE), None, avoid)
        random = np.random.default_rng((self._searcher.current_seed, len(self.game.moves)))
        seen = moves_in_view(self.game, look, self._level, random)
        if may_be_over(self.game, look) or not seen:
            seen.add(PASS)
        unseen = {(color, point): 1 for point in [*board_points(self.game.size), PASS] if point not in seen}
        result = super()._run(color, limits, progress, {**avoid, **unseen})
        self.last_result = sobered(result, look)
        return self.last_result


def level_params(params: SearchParams, level: Level) -> SearchParams:
    """What a level searches with. `params` decides about memory, seed and resignation; the rest, which makes strength, has its default.

    One thread, because several get less out of the same number of simulations; no pondering, which would add to it. Playouts and rules
    of thumb; the move model, which sees what strong players see, is for the highest levels.
    """
    kept = {name: getattr(params, name) for name in KEPT}
    return SearchParams(**kept, playouts=level.simulations, evaluator="playouts", model_bonus=level.model_bonus, threads=1, ponder=False)


def sobered(result: SearchResult, look: SearchResult) -> SearchResult:
    """`result` with the ownership of the look, and no move's win rate under the look's: both are too uncertain after few simulations."""
    candidates = [replace(each, win_rate=max(each.win_rate, look.win_rate)) for each in result.candidates]
    return replace(result, candidates=candidates, ownership=look.ownership)
