"""The parts of a network format: features, which encode a leaf and decode an answer, and a backend, which computes the network."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gtp_engine.engine.network.details import Details
from gtp_engine.engine.search.params import SearchParams


class AnyBatch(Protocol):
    """The arrays of a batch of leaves and of its answers. Their form is up to the features and the backend."""

    def run(self) -> None:
        """Compute the answers. Called by several threads, each with its own batches."""
        ...


class AnyBackend(Protocol):
    """Computes one network."""

    leaves: int  # in a batch: 1 on processors, where larger batches are hardly faster; many on graphics cards

    def new_batch(self, size: int, leaves: int = 1) -> Any:
        """An AnyBatch for so many leaves on a board of `size` lines."""
        ...


class Features(Protocol):
    """Encodes leaves as a network's input and decodes its output as answers. Called by several threads."""

    def encode(self, leaf: np.ndarray, batch: Any, row: int) -> None:
        """Write `leaf`, [1] LEAF, into row `row` of the batch; chooses the leaf's `symmetry` if it may be turned."""
        ...

    def decode(self, leaf: np.ndarray, batch: Any, row: int, answer: np.ndarray) -> None:
        """Fill `answer`, [1] ANSWER, for the encoded leaf from row `row` of the batch."""
        ...


@dataclass(frozen=True)
class OpenNetwork:
    """An open network, ready to run."""

    features: Features
    backend: AnyBackend
    optimistic: Callable[[float], Features] | None = None  # features with this share of the optimistic policy, if any
    details: Callable[[np.ndarray, Any, int], Details] | None = None  # for leaf, batch and row as in Features.decode, if any

    def decoding_with(self, optimism: float | None) -> Features:
        """The features that use this share of the optimistic policy. With None, or without such a policy, those of the search."""
        return self.features if optimism is None or self.optimistic is None else self.optimistic(optimism)


@dataclass(frozen=True)
class NetworkSummary:
    """What a network's file says about the network."""

    name: str  # of the network, inside the file; "" if it has none
    version: int  # of the file's format
    blocks: int
    channels: int
    knows_players: bool = False  # True: it predicts people's moves by rank, so it can play like people of a rank


@dataclass(frozen=True)
class Format:
    """A kind of network file."""

    name: str
    recognizes: Callable[[Path], bool]  # by the file's name, without opening it
    load: Callable[[Path, SearchParams], OpenNetwork]  # raises NetworkError, which says what is wrong and what was expected
    summarize: Callable[[Path], NetworkSummary]  # reads only the beginning; raises NetworkError
    supports_int8: bool = False  # True: `load` supports --precision int8
