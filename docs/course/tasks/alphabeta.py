"""Task 2: alpha-beta."""

from gtp_engine.textbook.game import Position


def search(position: Position, alpha: float, beta: float) -> float:
    """The value for the player to move, as in task 1, if it lies between `alpha` and `beta`.

    If it is `alpha` or less, any number from the value to `alpha`; if it is `beta` or more, any number from `beta` to the value. So the
    moves that are left may be skipped as soon as one is worth `beta` or more. Call `apply_move` for no move that is skipped.
    """
    raise NotImplementedError
