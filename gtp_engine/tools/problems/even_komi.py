"""The komi with which a framed problem is decided by its first move, found by searches.

A komi that only counts points can be so high or low that one side always wins, and then all moves are equally good. So searches find two
komis with which the game is about even, one with each side to play first. With the komi in the middle, the right move wins and a pass
loses, as far as the search sees.
"""

import math
from collections.abc import Callable

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, opponent
from gtp_engine.tools.problems.brought import Framed

MOST_STEPS = 6  # searches for one of the two komis
NEARLY_EVEN = 0.1  # difference from 0.5 that counts as even

Judge = Callable[[Game, int, float], tuple[float, float]]  # position, color to play, komi -> its win rate, 0..1, and its lead in points


def middle_komi(frame: Framed, judge: Judge) -> float:
    """Half a point beside the mean of the two komis with which the side that plays first has even chances."""
    game, mover = frame.game, frame.game.to_play
    first, second = (even_komi(game, color, frame.komi, judge) for color in (mover, opponent(mover)))
    return with_half((first + second) / 2)


def even_komi(game: Game, color: int, komi: float, judge: Judge) -> float:
    """The komi that is nearest to an even game with `color` to play, after at most MOST_STEPS searches, the first with `komi`."""
    low, high = -float(game.size**2), float(game.size**2)  # Black wins with the first, White with the second
    for _ in range(MOST_STEPS):
        win_rate, lead = judge(game, color, komi)
        black_wins, black_lead = (win_rate, lead) if color == BLACK else (1.0 - win_rate, -lead)
        if abs(black_wins - 0.5) <= NEARLY_EVEN:
            break
        if black_wins > 0.5:
            low = komi
        else:
            high = komi
        if high - low <= 1.0:
            break
        expected = with_half(komi + black_lead)
        komi = expected if low < expected < high else with_half((low + high) / 2)
    return komi


def with_half(komi: float) -> float:
    """The nearest komi that ends in a half point, so that no game is drawn."""
    return math.floor(komi) + 0.5


def judge_engine(size: int) -> Engine:
    """An engine that always finds the same komi for the same problem."""
    return Engine(SearchParams(evaluator="playouts", reading_share=0.0, threads=1, seed=1, memory=64), size=size)


def searched_komi(frame: Framed, engine: Engine, limits: Limits) -> float:
    """The komi with which the first move decides, by searches of the engine with these limits each.

    The engine may have judged other problems before: its random numbers are restarted.
    """
    engine.seed = engine.params.seed

    def judge(game: Game, color: int, komi: float) -> tuple[float, float]:
        """See Judge."""
        engine.state.set_game(game.copy())
        engine.state.komi = komi
        result = engine.examine(color, limits)
        return result.best.win_rate, result.score

    return middle_komi(frame, judge)
