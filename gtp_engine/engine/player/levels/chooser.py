"""Playing at a level: the engine held back. At level 0 it is the engine itself."""

from dataclasses import replace

import numpy as np

from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.levels.table import ALL, Level, level_of
from gtp_engine.engine.player.levels.view import moves_in_view
from gtp_engine.engine.player.move_chooser import FULL_STRENGTH, MoveChooser
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.passing import may_be_over
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits, Progress
from gtp_engine.go.points import PASS, board_points

GLANCE = 32  # simulations of the look at the whole board: enough to tell what is settled and whether the game is lost
KEPT = ("memory", "seed", "resign", "resign_threshold", "resign_moves", "resign_after")  # parameters that don't make a level stronger


def chooser_at(level: int) -> MoveChooser:
    """The chooser of this level, FULL_STRENGTH for none. Raises ValueError for an invalid number."""
    return MoveChooser() if level == FULL_STRENGTH else LevelChooser(level)


class LevelChooser(MoveChooser):
    """Plays at a level, as strong on a slow machine as on a fast one. Raises ValueError for a level that isn't there.

    Passing and resigning are the engine's own. With a seed it plays the same moves every time. Live analysis doesn't know of levels.
    """

    def __init__(self, level: int) -> None:
        self.level = level
        self._level = level_of(level)

    def search_params(self, params: SearchParams) -> SearchParams:
        """These parameters, except for those that the level sets."""
        return level_params(params, self._level)

    def choose(self, turn: Turn, limits: Limits, progress: Progress | None, search: OwnSearch) -> SearchResult:
        """Search among the moves that come to mind."""
        if self._level.view == ALL:
            return search.run(turn, limits, progress)
        game, color = turn.game, turn.color
        look = search.run(turn, Limits(simulations=GLANCE))
        in_view = moves_in_view(game, look, self._level, np.random.default_rng((search.seed, len(game.moves))))
        if may_be_over(game, look) or not in_view:
            in_view.add(PASS)
        unseen = {(color, point): 1 for point in [*board_points(game.size), PASS] if point not in in_view}
        return sobered(search.run(replace(turn, avoid={**(turn.avoid or {}), **unseen}), limits, progress), look)


def level_params(params: SearchParams, level: Level) -> SearchParams:
    """The parameters of a level's search. Memory, seed and resignation are those of `params`; all others, which affect strength, are the
    defaults.

    One thread, because several get less out of the same number of simulations; no pondering and no reading, which would add to it.
    Playouts and rules of thumb; the move model, which sees what strong players see, is for the highest levels.
    """
    users = {name: getattr(params, name) for name in KEPT}
    chosen = SearchParams(**users, playouts=level.simulations, model_bonus=level.model_bonus)
    return replace(chosen, evaluator="playouts", reading_share=0.0, threads=1, ponder=False)


def sobered(result: SearchResult, look: SearchResult) -> SearchResult:
    """`result` with the ownership of the look, and no move's win rate under the look's: both are too uncertain after few simulations."""
    candidates = [replace(candidate, win_rate=max(candidate.win_rate, look.win_rate)) for candidate in result.candidates]
    return replace(result, candidates=candidates, ownership=look.ownership)
