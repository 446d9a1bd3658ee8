"""Task 1: minimax."""

from gtp_engine.textbook.game import Position


def best_value(position: Position) -> float:
    """What the player to move can reach against every defence, by playing every game to its end.

    For a finished game: `position.utility(position.next_player)`. Otherwise the greatest value among the legal moves, and a move is worth
    to this player the opposite of what the position after it is worth to the other one.
    """
    raise NotImplementedError
