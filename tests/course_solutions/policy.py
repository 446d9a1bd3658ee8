"""Task 6, solved with the textbook's means."""

from gtp_engine.textbook.game import Move
from gtp_engine.textbook.go_game import GoPosition, capturing_moves


def policy(position: GoPosition) -> dict[Move, float]:
    """See the task."""
    moves = position.legal_moves()
    good = [move for move in moves if move != "pass" and not position.fills_own_eye(move)] or ["pass"]
    captures = set(capturing_moves(position))
    weights = dict.fromkeys(moves, 0.0) | {move: 20.0 if move in captures else 1.0 for move in good}
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}
