"""What a network's format is made of: features, which see a leaf and read an answer, and a backend, which computes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gtp_engine.engine.search.params import SearchParams


class AnyBatch(Protocol):
    """The arrays of a batch of leaves, and of its answers. What they are is between the features and the backend."""

    def run(self) -> None:
        """Compute the answers. Called by several threads, each with batches of its own."""
        ...


class AnyBackend(Protocol):
    """Computes one network."""

    leaves: int  # that it wants at once: 1 on processors, where a batch is hardly faster; many on graphics cards

    def new_batch(self, size: int, leaves: int = 1) -> Any:
        """An AnyBatch of so many leaves on a board of `size` lines."""
        ...


class Features(Protocol):
    """How leaves become a network's input, and its output answers. Called by several threads."""

    def encode(self, leaf: np.ndarray, batch: Any, row: int) -> None:
        """Write `leaf`, [1] LEAF, into row `row` of the batch; chooses the leaf's `symmetry` where it may turn."""
        ...

    def decode(self, leaf: np.ndarray, batch: Any, row: int, answer: np.ndarray) -> None:
        """Fill `answer`, [1] ANSWER, about the leaf, as it was encoded, from row `row` of the batch."""
        ...


@dataclass(frozen=True)
class OpenNetwork:
    """A network that is open and ready."""

    features: Features
    backend: AnyBackend
    optimistic: Callable[[float], Features] | None = None  # features that read this share of an optimistic policy, 0..1, if there is one

    def decoding_with(self, optimism: float | None) -> Features:
        """What reads an answer with this share of an optimistic policy; None, or without one: as the search does."""
        return self.features if optimism is None or self.optimistic is None else self.optimistic(optimism)


@dataclass(frozen=True)
class NetworkSummary:
    """What a network's file says of itself."""

    name: str  # that the network has inside the file; "" when it has none
    version: int  # of the file's format
    blocks: int
    channels: int
    knows_players: bool = False  # True: it predicts the moves of people by rank, and plays like people of that rank


@dataclass(frozen=True)
class Format:
    """A kind of network file."""

    name: str
    recognizes: Callable[[Path], bool]  # by the file's name, without opening it
    load: Callable[[Path, SearchParams], OpenNetwork]  # raises NetworkError, which says what is wrong and expected
    summarize: Callable[[Path], NetworkSummary]  # without reading all of it; raises NetworkError
    supports_int8: bool = False  # True: `load` knows --precision int8
