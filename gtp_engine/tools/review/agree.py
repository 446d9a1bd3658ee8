"""Leads that agree from move to move: a curve near what the searches found, and how much of its way the moves lost.

Searches of neighboring positions have errors of their own, and their differences add the errors up. The truth has a shape: with the best
move the lead stays as it is, with any other it falls for its player, by no more than two searches of the same position show. The curve may
leave that shape where the searches insist, at a price for each point: there the engine changed its mind, and no move lost anything. It is
found exactly, by dynamic programming over a grid of leads (the fused lasso of Tibshirani et al. 2005, with signs and two prices).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEVELS = 400  # of the grid at most: 0.2 points apart in a game whose lead moves by 80


@dataclass(frozen=True)
class Prices:
    """Of a change of the curve by 1, in squared units of the values at weight 1."""

    loss: float  # by a move that may have lost as much
    drift: float  # that no move explains


@dataclass(frozen=True)
class Agreement:
    """Values that agree."""

    values: list[float]  # one for each that was found, all for one player
    losses: list[float]  # for each move, what it lost for its player: at least 0.0; the rest of a change is drift


def agreeing(
    values: Sequence[float], weights: Sequence[float], signs: Sequence[int], most: Sequence[float], prices: Prices, step: float
) -> Agreement:
    """The curve nearest to `values`.

    values -- what was found before each move and after the last one
    weights -- how much each of them counts, above 0
    signs -- for each move +1 when that player made it, which can only lower the value, or -1 when the other one did
    most -- how much each move may have lost: 0.0 for the best one, infinity where nothing is known
    step -- the grid's least distance
    """
    found, limits = np.asarray(values, np.float64), np.asarray(most, np.float64)
    low, high = float(found.min()), float(found.max())
    step = max(step, (high - low) / (LEVELS - 1))
    grid = low + step * np.arange(round((high - low) / step) + 1)
    change = grid[:, None] - grid[None, :]  # [before, after]: how much the value falls
    cost = weights[0] * (grid - found[0]) ** 2
    came_from = np.zeros((len(found), len(grid)), np.int16)
    for i, sign in enumerate(signs):
        loss = np.clip(sign * change, 0.0, limits[i])
        total = cost[:, None] + prices.loss * loss + prices.drift * np.abs(sign * change - loss)
        came_from[i + 1] = total.argmin(axis=0)
        cost = total.min(axis=0) + weights[i + 1] * (grid - found[i + 1]) ** 2
    level = int(cost.argmin())
    curve = np.zeros(len(found))
    for i in range(len(found) - 1, -1, -1):
        curve[i] = grid[level]
        level = int(came_from[i, level])
    losses = np.clip(np.asarray(signs) * (curve[:-1] - curve[1:]), 0.0, limits)
    return Agreement(curve.tolist(), losses.tolist())
