"""The engine's search as a judge of framed problems, for finding their komi."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gtp_engine.engine.player.engine import Engine
    from gtp_engine.engine.search.search import Limits
    from gtp_engine.tools.problems.brought import Framed


def judge_engine(size: int) -> "Engine":
    """An engine that finds the same komi for the same problem every time."""
    from gtp_engine.engine.player.engine import Engine
    from gtp_engine.engine.search.params import SearchParams

    return Engine(SearchParams(evaluator="playouts", reading_share=0.0, threads=1, seed=1, memory=64), size=size)


def searched_komi(found: "Framed", engine: "Engine", limits: "Limits") -> float:
    """The komi with which the first move decides, by searches of the engine with these limits each.

    The engine may have judged other problems before: its random numbers begin anew.
    """
    from gtp_engine.go.game import Game
    from gtp_engine.tools.problems.even_komi import middle_komi

    engine.seed = engine.params.seed

    def judge(game: Game, color: int, komi: float) -> tuple[float, float]:
        """See even_komi.Judge."""
        engine.state.set_game(game.copy())
        engine.state.komi = komi
        result = engine.examine(color, limits)
        return result.best.win_rate, result.score

    return middle_komi(found, judge)
