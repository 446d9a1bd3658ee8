"""SPSA, simultaneous perturbation stochastic approximation (Spall 1992, 1998): chooses the values that play each other next.

All parameters are shares of their ranges, from 0 to 1. A pair of games is played between two points on opposite sides of a center, each
parameter moved by the same width up or down at random; the outcome moves the center towards the winner, in all parameters at once. The
pairs of one batch have the same center, so that they can be played at the same time; the outcomes count in the order of the pairs,
in whatever order they were played.

Unlike in Spall's paper the two points are also moved together, by a random part of the width: the steps stay right on average, and the
games show the curvature, which fit.py needs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shares = NDArray[np.float64]  # a share of the range for each parameter


@dataclass(frozen=True)
class Gains:
    """The distance of the points and the steps of the center, in shares of a range; Spall's names are in brackets."""

    width: float = 0.25  # of the first batch (c)
    step: float = 0.6  # (a)
    delay: float = 10.0  # batches; keeps the first steps short (A)
    width_decay: float = 0.101  # (gamma)
    step_decay: float = 0.602  # (alpha)

    def width_in(self, batch: int) -> float:
        """The distance of each point from the middle of both; batches count from 0."""
        return self.width * math.pow(batch + 1, -self.width_decay)

    def step_in(self, batch: int) -> float:
        """The factor of the slope."""
        return self.step * math.pow(batch + 1 + self.delay, -self.step_decay)


@dataclass(frozen=True)
class PointPair:
    """Two points that play each other."""

    plus: Shares
    minus: Shares
    signs: Shares  # 1 where `plus` has the larger value, -1 elsewhere


def point_pair(center: Shares, width: float, seed: int, number: int) -> PointPair:
    """The points of pair `number`, the same for the same arguments. Both are within the ranges."""
    dice = np.random.default_rng([seed, number])
    signs = dice.choice([-1.0, 1.0], len(center))
    middle = np.clip(center + width * dice.uniform(-1.0, 1.0, len(center)), width, 1.0 - width)
    return PointPair(middle + width * signs, middle - width * signs, signs)


def next_center(center: Shares, pairs: Sequence[PointPair], scores: Sequence[float | None], width: float, step: float) -> Shares:
    """The center after a batch.

    scores -- of the plus side in each pair, 0 to 1; None for a pair without a score
    """
    slopes = [(2.0 * score - 1.0) * pair.signs / (2.0 * width) for pair, score in zip(pairs, scores, strict=True) if score is not None]
    if not slopes:
        return center
    moved: Shares = np.clip(center + step * np.mean(slopes, axis=0), 0.0, 1.0)
    return moved
