"""Task 1: minimax."""

from gtp_engine.textbook.game import Position


def best_value(position: Position) -> float:
    """What the player to move can reach against every defence, by playing every game to its end.

    For a finished game: `position.utility(position.next_player)`. Otherwise the greatest value of a legal move. A move is worth minus the
    value of the position after it, which is that of the other player.
    """
    raise NotImplementedError
