"""A mistake on the board, beside the move that was missed: what the finders of reasons look at."""

from collections.abc import Sequence
from dataclasses import dataclass

from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS
from gtp_engine.tools.review.area_reasons import Expected
from gtp_engine.tools.review.model import MoveReview


@dataclass(frozen=True)
class MissedMove:
    """A mistake on the board, and the move that was missed."""

    color: int
    point: int
    better: int
    before: Game
    after: Game  # the move
    best: Game  # the better move instead
    later: Sequence[tuple[int, int]]  # the game's moves after it
    expected: Expected | None = None  # who gets what, after the better move and after this one


def has_better_move(move: MoveReview) -> bool:
    """Is there something to explain?"""
    return move.is_mistake and move.point != PASS and move.best is not None and move.best.point not in (PASS, move.point)


def missed_move_of(game: Game, move: MoveReview, later: Sequence[tuple[int, int]], owners: Expected | None) -> MissedMove | None:
    """The boards of a mistake, and what is expected around it; None where a move can't be played."""
    assert move.best is not None
    if not (game.is_legal(move.color, move.point) and game.is_legal(move.color, move.best.point)):
        return None
    before, after, best = game.copy(), game.copy(), game.copy()
    after.play(move.color, move.point)
    best.play(move.color, move.best.point)
    return MissedMove(move.color, move.point, move.best.point, before, after, best, later, owners)
