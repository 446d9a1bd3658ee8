"""How long a run learns, how fast, and how far it is."""

import math
from dataclasses import dataclass

SMOOTHING = 0.02  # weight of the last batch in the figures shown


@dataclass(frozen=True)
class Schedule:
    """How long, and how fast the network learns when."""

    seconds: float = 0.0  # of training; 0: as many positions as `positions` says
    positions: int = 0
    warm_up: float = 0.02  # share of the whole, from 0 up to the highest rate
    hold: float = 0.0  # share until which the highest rate is held; then a cosine goes down to `last`
    last: float = 0.01  # rate at the end, relative to the highest
    highest: float = 1.0  # rate, relative to the optimizer's own: a lower one disturbs less of what a network already knows

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
    """How far a run is, and how well it does."""

    step: int = 0
    positions: int = 0
    seconds: float = 0.0
    policy_loss: float = math.nan  # smoothed
    value_loss: float = math.nan
    earlier: int = 0  # positions that the network it began with had learned from

    def note(self, count: int, seconds: float, policy_loss: float, value_loss: float) -> None:
        """One more step of `count` positions in `seconds`."""
        self.step += 1
        self.positions += count
        self.seconds += seconds
        first = math.isnan(self.policy_loss)
        self.policy_loss = policy_loss if first else self.policy_loss + SMOOTHING * (policy_loss - self.policy_loss)
        self.value_loss = value_loss if first else self.value_loss + SMOOTHING * (value_loss - self.value_loss)
