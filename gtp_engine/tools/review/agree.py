"""Fit a consistent curve to the leads that the searches found, and compute how much each move lost.

Each search has an error of its own, and the difference of two searches adds both errors. The true lead has a known shape: it stays the
same after the best move, and it falls for the player after any other move. It falls by no more than two searches of the same position
show. The curve may leave this shape at a price for each point. The engine changed its mind there, and no move is charged.
Dynamic programming over a grid of leads finds the exact optimum (the fused lasso of Tibshirani et al. 2005, with signs and two prices).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEVELS = 400  # most levels of the grid: they are 0.2 points apart in a game whose lead moves by 80


@dataclass(frozen=True)
class Prices:
    """Prices of a change of the curve by 1, in squared units of the values at weight 1."""

    loss: float  # for a change that a move's loss explains
    drift: float  # for a change that no move explains


@dataclass(frozen=True)
class Agreement:
    """The fitted curve, and the losses of the moves along it."""

    values: list[float]  # one for each value that was found, all from the same player's side
    losses: list[float]  # each move's loss for its player, at least 0.0; the remaining change is drift


def agreeing(
    values: Sequence[float], weights: Sequence[float], signs: Sequence[int], max_losses: Sequence[float], prices: Prices, step: float
) -> Agreement:
    """Return the curve that is nearest to `values` after the prices are paid.

    values -- the values found before each move and after the last one
    weights -- the weight of each value, above 0
    signs -- +1 for a move of the player whose values these are, which can only lower the value; -1 for a move of the opponent
    max_losses -- the largest loss that each move may have: 0.0 for the best move, infinity where the loss is unknown
    step -- the smallest distance between two levels of the grid
    """
    targets, limits = np.asarray(values, np.float64), np.asarray(max_losses, np.float64)
    low, high = float(targets.min()), float(targets.max())
    step = max(step, (high - low) / (LEVELS - 1))
    grid = low + step * np.arange(round((high - low) / step) + 1)
    change = grid[:, None] - grid[None, :]  # [before, after]: how much the value falls
    cost = weights[0] * (grid - targets[0]) ** 2
    came_from = np.zeros((len(targets), len(grid)), np.int16)
    for i, sign in enumerate(signs):
        loss = np.clip(sign * change, 0.0, limits[i])
        total = cost[:, None] + prices.loss * loss + prices.drift * np.abs(sign * change - loss)
        came_from[i + 1] = total.argmin(axis=0)
        cost = total.min(axis=0) + weights[i + 1] * (grid - targets[i + 1]) ** 2
    level = int(cost.argmin())
    curve = np.zeros(len(targets))
    for i in range(len(targets) - 1, -1, -1):
        curve[i] = grid[level]
        level = int(came_from[i, level])
    losses = np.clip(np.asarray(signs) * (curve[:-1] - curve[1:]), 0.0, limits)
    return Agreement(curve.tolist(), losses.tolist())
