"""Batches of labels: positions on boards of one size, turned at random."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from gtp_engine.engine.network.symmetry import SYMMETRIES
from gtp_engine.learning.training.katago.positions import KataInputs
from gtp_engine.learning.training.katago.source import Label, LabelSource


@dataclass(frozen=True)
class LabelBatch:
    """B positions on boards of one size with a network's target outputs; float32."""

    planes: np.ndarray  # [B, PLANES, S, S]
    numbers: np.ndarray  # [B, GLOBALS]
    players: np.ndarray  # [B, METADATA], for human networks
    policy: np.ndarray  # [B, 2, S * S + 1]
    win: np.ndarray  # [B]
    lead: np.ndarray  # [B], nan if unknown
    ownership: np.ndarray  # [B, S * S], nan if unknown

    def __len__(self) -> int:
        return len(self.win)


class LabelMixture:
    """Draws batches of about `batch_size` labels, each from one of the `sources`, in proportion to `shares`; without shares all equally.

    Batch number `step` of `seed` is always the same. Held-out labels are never drawn.
    """

    def __init__(self, sources: Sequence[LabelSource], shares: Sequence[float], batch_size: int, seed: int) -> None:
        self._sources, self._batch_size, self._seed = sources, batch_size, seed
        self._shares = np.array(shares or [1.0] * len(sources), np.float64)
        self._shares /= self._shares.sum()
        self._of_thread = threading.local()

    def batch(self, step: int) -> LabelBatch:
        """Batch number `step`. Several threads may call it at once. Raises TrainingError for illegal moves or only held-out games."""
        random, inputs = np.random.default_rng((self._seed, step)), self._inputs()
        source = self._sources[int(random.choice(len(self._sources), p=self._shares))]
        labels = source.draw(random, self._batch_size, inputs.leaf)
        return encode(labels, int(random.integers(SYMMETRIES)), inputs)

    def _inputs(self) -> KataInputs:
        """The inputs of the calling thread."""
        inputs: KataInputs | None = getattr(self._of_thread, "inputs", None)
        if inputs is None:
            inputs = self._of_thread.inputs = KataInputs()
        return inputs


def encode(labels: Sequence[Label], symmetry: int, inputs: KataInputs) -> LabelBatch:
    """The batch of these labels, all on boards of one size, turned by `symmetry`."""
    planes, numbers, players = inputs.batch([label.position for label in labels])
    size = labels[0].position.size
    at = turned_places(size, symmetry)
    with_pass = np.append(at, size * size)
    return LabelBatch(
        planes.reshape(len(labels), -1, size * size)[:, :, at].reshape(planes.shape),
        numbers,
        players,
        np.stack([label.policy for label in labels])[:, :, with_pass],
        np.array([label.win for label in labels], np.float32),
        np.array([label.lead for label in labels], np.float32),
        np.stack([label.ownership for label in labels])[:, at],
    )


@cache
def turned_places(size: int, symmetry: int) -> np.ndarray:
    """[S * S]: for each place of the turned board its place before: bit 0 mirrors rows, bit 1 columns, then bit 2 swaps the two."""
    board = np.arange(size * size).reshape(size, size)
    board = board[::-1] if symmetry & 1 else board
    board = board[:, ::-1] if symmetry & 2 else board
    return np.ascontiguousarray(board.T if symmetry & 4 else board).ravel()
