"""The length of a run, its learning rate, and its progress."""

import math
from dataclasses import dataclass

SMOOTHING = 0.02  # weight of the last batch in the figures shown


@dataclass(frozen=True)
class Schedule:
    """The length of a run, and the learning rate over time."""

    seconds: float = 0.0  # of training; 0: `positions` limits the run
    positions: int = 0
    warm_up: float = 0.02  # share of the run in which the rate rises from 0 to the highest
    hold: float = 0.0  # share of the run until which the highest rate is held; then it falls to `last` like a cosine
    last: float = 0.01  # rate at the end, relative to the highest
    highest: float = 1.0  # rate, relative to the optimizer's own: a lower one changes a trained network less

    def progress(self, seconds: float, positions: int) -> float:
        """0 at the start, 1 or more at the end."""
        return seconds / self.seconds if self.seconds else positions / self.positions

    def rate(self, progress: float) -> float:
        """The learning rate relative to the optimizer's."""
        if progress < self.warm_up:
            return self.highest * max(progress / self.warm_up, 0.01)
        down = min(max(progress - self.hold, 0.0) / (1.0 - self.hold), 1.0)
        return self.highest * (self.last + (1.0 - self.last) * 0.5 * (1.0 + math.cos(math.pi * down)))


@dataclass
class TrainingProgress:
    """The progress of a run, and its losses."""

    step: int = 0
    positions: int = 0
    seconds: float = 0.0
    policy_loss: float = math.nan  # smoothed
    value_loss: float = math.nan
    earlier: int = 0  # positions learned by the first network before this run

    def note(self, count: int, seconds: float, policy_loss: float, value_loss: float) -> None:
        """Add a step of `count` positions in `seconds`."""
        self.step += 1
        self.positions += count
        self.seconds += seconds
        first = math.isnan(self.policy_loss)
        self.policy_loss = policy_loss if first else self.policy_loss + SMOOTHING * (policy_loss - self.policy_loss)
        self.value_loss = value_loss if first else self.value_loss + SMOOTHING * (value_loss - self.value_loss)
