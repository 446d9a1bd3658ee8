"""Task 2: alpha-beta."""

from gtp_engine.textbook.game import Position


def search(position: Position, alpha: float, beta: float) -> float:
    """The value for the player to move, as in task 1, if it lies between `alpha` and `beta`.

    If it is `alpha` or less, any number from the value to `alpha`; if it is `beta` or more, any number from `beta` to the value. So you may
    skip the remaining moves as soon as one is worth `beta` or more. Don't call `apply_move` for a move that you skip.
    """
    raise NotImplementedError
