"""Networks made by hand: a test says what they answer to what they see, so that it knows what the search must make of it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gtp_engine.network.session import Question

NEVER = -40.0  # a logit: practically no probability


@dataclass
class HandMade:
    """A backend whose answers are functions of the planes [PLANES, S, S] that it is shown."""

    points: Callable[[np.ndarray], np.ndarray] = lambda planes: np.zeros(planes.shape[1:])  # logits [S, S]
    passing: float = NEVER  # the pass's logit
    value: Callable[[np.ndarray], float] = lambda planes: 0.0  # logit that the side to move wins
    score: Callable[[np.ndarray], float] = lambda planes: 0.0  # its lead
    asked: int = 0

    def new_question(self, size: int) -> Question:
        """See Backend."""
        return HandMadeQuestion(size, self)


class HandMadeQuestion(Question):
    """Asks a HandMade network."""

    def __init__(self, size: int, network: HandMade) -> None:
        super().__init__(size)
        self._network = network

    def ask(self) -> None:
        """See Question."""
        planes = self.planes[0]
        self._network.asked += 1
        self.policy[0, :-1] = self._network.points(planes).ravel()
        self.policy[0, -1] = self._network.passing
        self.value[0] = self._network.value(planes)
        self.score[0] = self._network.score(planes)
