"""The moments that decided a game: the mistakes that lowered the win rate most."""

from collections.abc import Sequence

from gtp_engine.tools.review.model import MoveReview

MOST_MOMENTS = 3
LEAST_CHANCES = 0.05  # win rate: a mistake that costs less is not decisive


def moments(moves: Sequence[MoveReview]) -> list[MoveReview]:
    """Return the mistakes that lowered the win rate most, at most MOST_MOMENTS, in the order of the game."""
    mistakes = [move for move in moves if move.is_mistake and chances_lost(move) >= LEAST_CHANCES]
    worst = sorted(mistakes, key=lambda move: (-chances_lost(move), move.number))[:MOST_MOMENTS]
    return sorted(worst, key=lambda move: move.number)


def chances_lost(move: MoveReview) -> float:
    """Return the amount by which the move lowered its player's win rate, 0..1."""
    return max(move.win_rate_before - move.win_rate_after, 0.0)
