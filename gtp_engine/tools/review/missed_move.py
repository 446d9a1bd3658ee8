"""The boards of a mistake and of the better move, which the finders of reasons compare."""

from collections.abc import Sequence
from dataclasses import dataclass

from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS
from gtp_engine.tools.review.area_reasons import Expected
from gtp_engine.tools.review.model import MoveReview


@dataclass(frozen=True)
class MissedMove:
    """A mistake and the better move, with their boards."""

    color: int
    point: int
    better: int
    before: Game
    after: Game  # after the played move
    best: Game  # after the better move
    later: Sequence[tuple[int, int]]  # the game's moves after the mistake
    expected: Expected | None = None  # the results of the searches after both moves; None without two long searches


def has_better_move(move: MoveReview) -> bool:
    """Is the move a mistake with another, better move on the board?"""
    return move.is_mistake and move.point != PASS and move.best is not None and move.best.point not in (PASS, move.point)


def missed_move_of(game: Game, move: MoveReview, later: Sequence[tuple[int, int]], owners: Expected | None) -> MissedMove | None:
    """Return the boards of a mistake; None if one of the two moves is illegal in `game`."""
    assert move.best is not None
    if not (game.is_legal(move.color, move.point) and game.is_legal(move.color, move.best.point)):
        return None
    before, after, best = game.copy(), game.copy(), game.copy()
    after.play(move.color, move.point)
    best.play(move.color, move.best.point)
    return MissedMove(move.color, move.point, move.best.point, before, after, best, later, owners)
