"""Networks made by hand: a test says what they answer to what they see, so that it knows what the search must make of it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.formats.own import OwnFeatures
from gtp_engine.engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.engine.network.session import NetworkBatch
from gtp_engine.engine.search.params import SearchParams

NEVER = -40.0  # a logit: practically no probability


@dataclass
class HandMade:
    """A backend whose answers are functions of the planes [PLANES, S, S] that it is shown."""

    points: Callable[[np.ndarray], np.ndarray] = lambda planes: np.zeros(planes.shape[1:])  # logits [S, S]
    passing: float = NEVER  # the pass's logit
    value: Callable[[np.ndarray], float] = lambda planes: 0.0  # logit that the side to move wins
    score: Callable[[np.ndarray], float] = lambda planes: 0.0  # its lead
    leaves: int = 1  # that it wants in a batch
    asked: int = 0
    largest: int = 0  # leaves in one batch so far, at most

    def new_batch(self, size: int, leaves: int = 1) -> NetworkBatch:
        """See Backend."""
        return HandMadeBatch(size, leaves, self)

    def network(self) -> OpenNetwork:
        """With the features of our own networks."""
        return OpenNetwork(OwnFeatures(), self)

    def evaluator(self, params: SearchParams, playout_share: float = 0.0) -> NetworkEvaluator:
        """For a search."""
        return NetworkEvaluator(self.network(), params, playout_share)


class HandMadeBatch(NetworkBatch):
    """Asks a HandMade network."""

    def __init__(self, size: int, leaves: int, network: HandMade) -> None:
        super().__init__(size, leaves)
        self._network = network

    def run(self) -> None:
        """See NetworkBatch."""
        self._network.asked += len(self.planes)
        self._network.largest = max(self._network.largest, len(self.planes))
        for i, planes in enumerate(self.planes):
            self.policy[i, :-1] = self._network.points(planes).ravel()
            self.policy[i, -1] = self._network.passing
            self.value[i] = self._network.value(planes)
            self.score[i] = self._network.score(planes)
