"""Resignation: giving up a lost game, and only a lost one. Plain Python."""

from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.search.params import SearchParams


class Resignation:
    """Remembers, for each color, how many of its searches in a row found the game lost."""

    def __init__(self) -> None:
        self._hopeless = {BLACK: 0, WHITE: 0}

    def clear(self) -> None:
        """A new game, or moves taken back."""
        self._hopeless = {BLACK: 0, WHITE: 0}

    def should_resign(self, params: SearchParams, color: int, win_rate: float, move_count: int, size: int) -> bool:
        """Note one search of `color` with the best move's win rate, 0..1, and say whether to give up now.

        `move_count` is that of the game so far, handicap stones not included.
        """
        self._hopeless[color] = self._hopeless[color] + 1 if win_rate < params.resign_threshold else 0
        is_early = move_count < params.resign_after * size * size
        return params.resign and not is_early and self._hopeless[color] >= params.resign_moves
