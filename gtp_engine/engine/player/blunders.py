"""Warns of blunders: compares a person's move with a short search, and searches after the move if that search didn't visit it."""

from dataclasses import dataclass
from threading import Event

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.points import PASS

LIMITS = Limits(seconds=1.0, early_stop=False)  # of each search
LOSS = 5.0  # points: less is nothing to stop the game for
WIN_RATE_LOSS = 0.15  # and less than this, too: five points matter little where the game is won anyhow
TRUSTED_VISITS = 30  # of the played move in the search before it


@dataclass(frozen=True)
class Blunder:
    """A move that loses much."""

    loss: float  # points
    better: int  # the best move: a point or PASS


def find_blunder(engine: Engine, point: int, cancelled: Event | None = None) -> Blunder | None:
    """The loss of a move on `point` (legal, or PASS) by the player to move, if it is large. Plays nothing.

    Setting `cancelled` ends the searches.
    """
    color = engine.game.to_play
    before = engine.examine(color, LIMITS, cancelled=cancelled)
    best = before.best
    if point == best.point or (point == PASS and before.win_rate > 0.5):
        return None
    win_rate, score = estimate(engine, before, point, cancelled)
    if best.score - score < LOSS or best.win_rate - win_rate < WIN_RATE_LOSS:
        return None
    return Blunder(best.score - score, best.point)


def estimate(engine: Engine, before: SearchResult, point: int, cancelled: Event | None) -> tuple[float, float]:
    """(win rate, lead) of the player to move after a move on `point`."""
    for candidate in before.candidates:
        if candidate.point == point and candidate.visits >= TRUSTED_VISITS:
            return candidate.win_rate, candidate.score
    color = engine.game.to_play
    engine.state.play(color, point)
    try:
        after = engine.examine(engine.game.to_play, LIMITS, cancelled=cancelled).best
    finally:
        engine.state.undo(1)
    return 1.0 - after.win_rate, -after.score
