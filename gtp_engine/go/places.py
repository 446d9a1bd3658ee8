"""The place of a move in a policy and in a compact record. Plain Python."""

from functools import cache

from gtp_engine.go.points import PASS, point_at, row_and_column


def place_of(point: int, size: int) -> int:
    """The place of a move in a policy: row 0 at the top, the pass last. puct.policy_index is the same in compiled code."""
    if point == PASS:
        return size * size
    row, column = row_and_column(point)
    return (size - row) * size + column - 1


def point_of(place: int, size: int) -> int:
    """The inverse: the point, or PASS, at this place."""
    return PASS if place == size * size else point_at(size - place // size, place % size + 1)


@cache
def points_by_place(size: int) -> tuple[int, ...]:
    """Every point of the board in the order of places, row by row from the top left."""
    return tuple(point_of(place, size) for place in range(size * size))
