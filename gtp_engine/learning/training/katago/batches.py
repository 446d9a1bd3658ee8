"""Batches of labels: positions of one size, turned at random, children of one position always together."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from gtp_engine.engine.network.features import SYMMETRIES
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.labels import Labels
from gtp_engine.learning.training.katago.positions import KataInputs


@dataclass(frozen=True)
class LabelBatch:
    """B positions on boards of one size, and what a network should say of them; float32."""

    planes: np.ndarray  # [B, PLANES, S, S]
    numbers: np.ndarray  # [B, GLOBALS]
    policy: np.ndarray  # [B, 2, S * S + 1]
    win: np.ndarray  # [B]
    lead: np.ndarray  # [B]
    ownership: np.ndarray  # [B, S * S]

    def __len__(self) -> int:
        return len(self.win)


class LabelMixture:
    """Draws batches of about `batch_size` labels, each from one of the `sources`, in proportion to `shares`, or alike when there are none.

    Batch number `step` of `seed` is always the same. Held-out labels are never drawn. Raises TrainingError when a source has no others.
    """

    def __init__(self, sources: Sequence[Labels], shares: Sequence[float], batch_size: int, seed: int) -> None:
        self._sources, self._batch_size, self._seed = sources, batch_size, seed
        self._shares = np.array(shares or [1.0] * len(sources), np.float64)
        self._shares /= self._shares.sum()
        self._groups = [groups_by_size(labels) for labels in sources]
        self._of_thread = threading.local()

    def batch(self, step: int) -> LabelBatch:
        """Batch number `step`. Threads may call it at once. Raises TrainingError for a label with illegal moves."""
        random = np.random.default_rng((self._seed, step))
        source = int(random.choice(len(self._sources), p=self._shares))
        by_size = self._groups[source]
        counts = np.array([sum(last - first for first, last in groups) for groups in by_size.values()], np.float64)
        groups = list(by_size.values())[int(random.choice(len(counts), p=counts / counts.sum()))]
        chosen: list[int] = []
        while len(chosen) < self._batch_size:
            first, last = groups[int(random.integers(len(groups)))]
            chosen.extend(range(first, last))
        return encode(self._sources[source], chosen, int(random.integers(SYMMETRIES)), self._inputs())

    def _inputs(self) -> KataInputs:
        """Those of this thread."""
        inputs: KataInputs | None = getattr(self._of_thread, "inputs", None)
        if inputs is None:
            inputs = self._of_thread.inputs = KataInputs()
        return inputs


def groups_by_size(labels: Labels) -> dict[int, list[tuple[int, int]]]:
    """By board, the first label of each group that is learned from, and the one after its last."""
    starts = labels.groups
    found: dict[int, list[tuple[int, int]]] = {}
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if not labels.held_out[first]:
            found.setdefault(int(labels.arrays["sizes"][first]), []).append((first, last))
    if not found:
        raise TrainingError(f"{labels.name} has labels of held-out games only: make more of them")
    return found


def encode(labels: Labels, chosen: Sequence[int], symmetry: int, inputs: KataInputs) -> LabelBatch:
    """These labels, all on boards of one size, turned by `symmetry`."""
    items = [labels[i] for i in chosen]
    planes, numbers = inputs.batch([item.position for item in items])
    size = items[0].position.size
    at = turned_places(size, symmetry)
    with_pass = np.append(at, size * size)
    return LabelBatch(
        planes.reshape(len(items), -1, size * size)[:, :, at].reshape(planes.shape),
        numbers,
        np.stack([item.policy for item in items])[:, :, with_pass],
        np.array([item.win for item in items], np.float32),
        np.array([item.lead for item in items], np.float32),
        np.stack([item.ownership for item in items])[:, at],
    )


@cache
def turned_places(size: int, symmetry: int) -> np.ndarray:
    """[S * S]: for each place of the turned board the place that it was: bit 0 mirrors rows, bit 1 columns, then bit 2 swaps the two."""
    board = np.arange(size * size).reshape(size, size)
    board = board[::-1] if symmetry & 1 else board
    board = board[:, ::-1] if symmetry & 2 else board
    return np.ascontiguousarray(board.T if symmetry & 4 else board).ravel()
