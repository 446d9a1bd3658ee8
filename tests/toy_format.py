"""A network format of the tests' own, added without touching the package: a text file with the weight of the center.

Its network wants moves near the middle and thinks that who has more stones there wins. It tells who owns which point, too: whoever has the
stone on it.
"""

from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.form import Format, NetworkSummary, OpenNetwork
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, board_points, row_and_column

PASS_LOGIT = -20.0
VOTES = 10  # weight of what it says of owners


class ToyBatch:
    """Boards [B, S, S] of 1 for own stones, -1 for the opponent's, and the answer."""

    def __init__(self, size: int, leaves: int, weight: float) -> None:
        distances = np.abs(np.arange(size) - (size - 1) / 2)
        self.nearness = weight * (size - distances[:, None] - distances[None, :])
        self.boards = np.zeros((leaves, size, size))
        self.wins = np.zeros(leaves)

    def run(self) -> None:
        """Compute the answer."""
        lead = (self.boards * self.nearness).sum(axis=(1, 2))
        self.wins = 1.0 / (1.0 + np.exp(-lead))


class ToyBackend:
    """Makes batches; notes how many leaves they were about."""

    def __init__(self, weight: float, leaves: int = 1) -> None:
        self.weight, self.leaves = weight, leaves
        self.sizes: list[int] = []

    def new_batch(self, size: int, leaves: int = 1) -> ToyBatch:
        """See AnyBackend."""
        self.sizes.append(leaves)
        return ToyBatch(size, leaves, self.weight)


class ToyFeatures:
    """Stones, and nothing else."""

    def encode(self, leaf: np.ndarray, batch: Any, row: int) -> None:
        """See Features."""
        position = leaf[0]["position"]
        size = int(position["board_size"])
        for point in board_points(size):
            color, (line, column) = int(position["color"][point]), row_and_column(point)
            own = 0 if color not in (1, 2) else (1 if color == position["to_play"] else -1)
            batch.boards[row, size - line, column - 1] = own

    def decode(self, leaf: np.ndarray, batch: Any, row: int, answer: np.ndarray) -> None:
        """See Features."""
        size = len(batch.nearness)
        answer["policy"][0, : size * size] = batch.nearness.ravel()
        answer["policy"][0, size * size] = PASS_LOGIT
        answer["win"] = batch.wins[row]
        answer["lead"] = batch.boards[row].sum()
        colors = leaf[0]["position"]["color"].astype(np.int32)
        answer["votes"] = VOTES
        answer["owners"] = VOTES * ((colors == BLACK).astype(np.int32) - (colors == 3 - BLACK))


def load(path: Path, params: SearchParams) -> OpenNetwork:
    """Read the weight. Raises NetworkError."""
    try:
        weight = float(path.read_text())
    except (OSError, ValueError) as error:
        raise NetworkError(f"{path}: expected a number") from error
    return OpenNetwork(ToyFeatures(), ToyBackend(weight))


def summarize(path: Path) -> NetworkSummary:
    """See Format."""
    return NetworkSummary("", 1, 0, 0)


TOY = Format("toy", lambda path: path.suffix == ".toy", load, summarize)
