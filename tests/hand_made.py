"""Networks made by hand: a test says what they answer to what they see, so that it knows what the search must make of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.katago.model import GLOBALS, PLANES, Header
from gtp_engine.engine.network.katago.opening import KataFeatures
from gtp_engine.engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.engine.search.params import SearchParams

NEVER = -40.0  # a logit: practically no probability


@dataclass
class HandMade:
    """A backend whose answers are functions of the planes [PLANES, S, S] that it is shown, see engine/network/katago/inputs.py."""

    points: Callable[[np.ndarray], np.ndarray] = lambda planes: np.zeros(planes.shape[1:])  # logits [S, S]
    passing: float = NEVER  # the pass's logit
    value: Callable[[np.ndarray], float] = lambda planes: 0.0  # logit that the side to move wins
    score: Callable[[np.ndarray], float] = lambda planes: 0.0  # its lead
    owners: Callable[[np.ndarray], np.ndarray] = lambda planes: np.zeros(planes.shape[1:])  # [S, S] 1: own, -1: the opponent's
    leaves: int = 1  # that it wants in a batch
    asked: int = 0
    largest: int = 0  # leaves in one batch so far, at most

    def new_batch(self, size: int, leaves: int = 1) -> "HandMadeBatch":
        """See AnyBackend."""
        return HandMadeBatch(size, leaves, self)

    def network(self) -> OpenNetwork:
        """With the features of KataGo's networks."""
        return OpenNetwork(KataFeatures(HEADER), self)

    def evaluator(self, params: SearchParams, playout_share: float = 0.0) -> NetworkEvaluator:
        """For a search."""
        return NetworkEvaluator(self.network(), params, playout_share)


HEADER = Header("made by hand", 8)


class HandMadeBatch:
    """Asks a HandMade network. The arrays are those of KataBatch."""

    def __init__(self, size: int, leaves: int, network: HandMade) -> None:
        self.planes, self.globals = np.zeros((leaves, PLANES, size, size), np.float32), np.zeros((leaves, GLOBALS), np.float32)
        self.policy = np.zeros((leaves, 1, size * size + 1), np.float32)
        self.value, self.score = np.zeros((leaves, 3), np.float32), np.zeros((leaves, 4), np.float32)
        self.ownership = np.zeros((leaves, size * size), np.float32)
        self._network = network

    def tell_ranks(self, ranks: Sequence[int]) -> None:
        """See KataBatch: people of all ranks play alike."""

    def repeat_first(self) -> None:
        """See KataBatch."""
        self.planes[1:] = self.planes[0]

    def run(self) -> None:
        """See AnyBatch."""
        self._network.asked += len(self.planes)
        self._network.largest = max(self._network.largest, len(self.planes))
        for i, planes in enumerate(self.planes):
            self.policy[i, 0, :-1] = self._network.points(planes).ravel()
            self.policy[i, 0, -1] = self._network.passing
            self.value[i] = self._network.value(planes), 0.0, NEVER
            self.score[i, 2] = self._network.score(planes) / HEADER.scales.lead
            self.ownership[i] = self._network.owners(planes).ravel()
