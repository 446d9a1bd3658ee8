"""Labels and their sources: positions with target outputs for networks of KataGo's form."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gtp_engine.learning.training.katago.positions import RecordLeaf, RecordPosition

HELD_OUT_OF = 10  # one game of so many is held out


@dataclass(frozen=True)
class Label:
    """A position with the target outputs, for the side to move."""

    position: RecordPosition
    policy: np.ndarray  # float32 [2, S * S + 1]: probabilities by the policy and by the optimistic policy
    win: float  # 0 to 1
    lead: float  # points; nan if unknown
    ownership: np.ndarray  # float32 [S * S], -1 to 1, 1: own; nan if unknown


class LabelSource(Protocol):
    """Labels of one kind. `name` is for people."""

    name: str

    def __len__(self) -> int:
        """The number of labels."""
        ...

    def draw(self, random: np.random.Generator, count: int, leaf: RecordLeaf) -> list[Label]:
        """At least `count` labels on boards of one size, none of a held-out game. Several threads may call it at once.

        `leaf` is overwritten. Raises TrainingError if there are none.
        """
        ...

    def held_out_labels(self, most: int, leaf: RecordLeaf) -> dict[int, list[Label]]:
        """Up to `most` labels of held-out games for each board, always the same ones. `leaf` is overwritten."""
        ...


def evenly(places: np.ndarray, most: int) -> list[int]:
    """Up to `most` of these places, evenly spaced."""
    chosen = np.unique(np.linspace(0, len(places) - 1, min(most, len(places))).round().astype(np.int64))
    return [int(place) for place in places[chosen]]
