"""Searches of some positions of records: the visits of each move, which teach more than the move played alone."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Searches:
    """N searched positions with K moves in all. A position is identified by the index in Records.moves of the move played from it."""

    positions: np.ndarray  # [N] int64, ascending
    starts: np.ndarray  # [N + 1] int64: the moves of position n are those from starts[n] to starts[n + 1] - 1
    moves: np.ndarray  # [K] uint16, as in Records.moves
    visits: np.ndarray  # [K] uint16
    chances: np.ndarray  # [N] float32: 0..1, win rate of the side to move

    def __len__(self) -> int:
        return len(self.positions)

    def between(self, first: int, last: int) -> "Searches":
        """The searches at the indices first .. last - 1, which are renumbered from 0."""
        begin, end = np.searchsorted(self.positions, (first, last))
        chosen = slice(self.starts[begin], self.starts[end])
        return Searches(
            self.positions[begin:end] - first,
            self.starts[begin : end + 1] - self.starts[begin],
            self.moves[chosen],
            self.visits[chosen],
            self.chances[begin:end],
        )

    def only(self, mask: np.ndarray) -> "Searches":
        """The searches at the indices where `mask`, booleans for all indices, is true; they are renumbered."""
        chosen = mask[self.positions]
        counts = np.diff(self.starts)
        each_move = np.repeat(chosen, counts)
        return Searches(
            (np.cumsum(mask) - 1)[self.positions[chosen]].astype(np.int64),
            np.concatenate(([0], np.cumsum(counts[chosen]))).astype(np.int64),
            self.moves[each_move],
            self.visits[each_move],
            self.chances[chosen],
        )
