"""Set-up stones as moves of records, in which colors alternate from Black on: stones of both in turn, and passes where one has fewer."""

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from gtp_engine.go.places import place_of
from gtp_engine.go.points import BLACK, PASS, WHITE


def set_up_moves(stones: Sequence[tuple[int, int]], size: int, to_play: int) -> np.ndarray:
    """uint16: places and passes after which these stones, (color, point) each, are on the board with `to_play` to move.

    No move captures anything if every chain of `stones` has a liberty. For no stones with Black to move it is empty.
    """
    blacks, whites = ([point for own, point in stones if own == color] for color in (BLACK, WHITE))
    points = [point for pair in zip_longest(blacks, whites, fillvalue=PASS) for point in pair]
    if to_play == WHITE:
        points = points[:-1] if points and points[-1] == PASS else [*points, PASS]
    return np.array([place_of(point, size) for point in points], np.uint16)
