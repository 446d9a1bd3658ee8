"""Leads that agree from move to move: a curve through what the searches found on which no move gains points for its player.

Searches of neighbouring positions are guesses with errors of their own, and their differences add the errors up. But the truth has a
shape: with the best move the lead stays as it is, with any other it falls for its player. The curve of that shape that lies nearest to the
guesses is found exactly, by dynamic programming over a grid of leads, with a small price for each point of change (the fused lasso of
Tibshirani et al. 2005, with signs). What a move lost is then the step of the curve: the losses of both players add up to the curve's way.
"""

from collections.abc import Sequence

import numpy as np

LEVELS = 400  # of the grid at most: 0.2 points apart in a game whose lead moves by 80


def agreeing(
    values: Sequence[float], weights: Sequence[float], signs: Sequence[int], most: Sequence[float], price: float, step: float
) -> list[float]:
    """The curve: one value for each of `values`, all for one player.

    values -- what was found before each move and after the last one
    weights -- how much each of them counts, above 0
    signs -- for each move +1 when that player made it, which can only lower the value, or -1 when the other one did
    most -- how much each move may change the value: 0.0 for the best one, infinity where nothing is known
    price -- of a change by 1, in squared units of the values at weight 1
    step -- the grid's least distance
    """
    found = np.asarray(values, np.float64)
    low, high = float(found.min()), float(found.max())
    step = max(step, (high - low) / (LEVELS - 1))
    grid = low + step * np.arange(round((high - low) / step) + 1)
    change = grid[:, None] - grid[None, :]  # [before, after]: how much the value falls
    cost = weights[0] * (grid - found[0]) ** 2
    came_from = np.zeros((len(found), len(grid)), np.int16)
    for i, sign in enumerate(signs):
        fall = sign * change
        is_possible = (fall >= -1e-9) & (fall <= most[i] + step / 2)
        total = np.where(is_possible, cost[:, None] + price * np.abs(change), np.inf)
        came_from[i + 1] = total.argmin(axis=0)
        cost = total.min(axis=0) + weights[i + 1] * (grid - found[i + 1]) ** 2
    level = int(cost.argmin())
    curve = [0.0] * len(found)
    for i in range(len(found) - 1, -1, -1):
        curve[i] = float(grid[level])
        level = int(came_from[i, level])
    return curve
