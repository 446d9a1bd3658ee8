"""Estimates the best values from all games, with error bars.

The model: strength is a quadratic function of the parameters, including products of two, and the win rate is the logistic function of the
difference of two strengths. By a weak prior the start is best, and strength falls by about PRIOR_FALL at the end of a range. The fit is
penalized maximum likelihood by Newton's method; the best values are the maximum of the function within the ranges. The error bars are from
a bootstrap over pairs of games that also draws the prior's center: without games they are as wide as the prior.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gtp_engine.tools.tuning.spsa import Shares

PRIOR_FALL = 1.0  # logits, 174 Elo, from one end of a range to the other
PRIOR_SIGMA = 3.0  # logits, of each coefficient
REPLICATES = 400
GAMES = 2.0  # of a pair
NEWTON_STEPS = 25
SMALL = 1e-9  # the step at which Newton's method ends
SWEEPS = 200  # through the parameters, to find the maximum
TAILS = (2.5, 97.5)  # percent: a 95 % interval

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Optimum:
    """The best point, and its 95 % interval for each parameter by itself."""

    best: Shares
    low: Shares
    high: Shares


def best_point(pairs: Sequence[tuple[Shares, Shares, float]], start: Shares, seed: int) -> Optimum:
    """Fit the model to pairs of games: the points of the two sides, and the score of the first one, from 0 to 1.

    seed -- of the bootstrap
    """
    count = len(pairs)
    rows = np.array([terms(one - start) - terms(other - start) for one, other, _ in pairs]).reshape(count, terms(start).size)
    outcomes = np.array([score for _, _, score in pairs])
    prior = np.zeros(rows.shape[1])
    prior[len(start) : 2 * len(start)] = -PRIOR_FALL
    dice = np.random.default_rng(seed)
    optima = []
    for _ in range(REPLICATES):
        weights = GAMES * np.bincount(dice.integers(max(count, 1), size=count), minlength=count).astype(np.float64)
        optima.append(highest(coefficients(rows, outcomes, weights, prior + PRIOR_SIGMA * dice.standard_normal(len(prior))), start))
    best = highest(coefficients(rows, outcomes, np.full(count, GAMES), prior), start)
    low, high = np.percentile(optima, TAILS, axis=0)
    return Optimum(best, np.minimum(low, best), np.maximum(high, best))


def terms(shift: Shares) -> Numbers:
    """The terms of the quadratic function at a distance from the start: linear ones, squares, products."""
    rows, columns = np.triu_indices(len(shift), 1)
    return np.concatenate([shift, shift**2, shift[rows] * shift[columns]])


def coefficients(rows: Numbers, outcomes: Numbers, weights: Numbers, prior: Numbers) -> Numbers:
    """The function's coefficients, in logits: a logistic regression without a constant, with a normal prior around `prior`."""

    def loss(values: Numbers) -> float:
        margins = rows @ values
        return float(weights @ (np.logaddexp(0.0, margins) - outcomes * margins) + np.sum((values - prior) ** 2) / (2.0 * PRIOR_SIGMA**2))

    values, lowest = np.zeros(len(prior)), loss(np.zeros(len(prior)))
    for _ in range(NEWTON_STEPS):
        chances = 0.5 + 0.5 * np.tanh(0.5 * (rows @ values))
        gradient = rows.T @ (weights * (outcomes - chances)) - (values - prior) / PRIOR_SIGMA**2
        bend = (rows.T * (weights * chances * (1.0 - chances))) @ rows + np.eye(len(values)) / PRIOR_SIGMA**2
        change = np.linalg.solve(bend, gradient)
        while loss(values + change) > lowest and np.abs(change).max() > SMALL:  # too far: Newton's method may step over the minimum
            change = change / 2.0
        values = values + change
        lowest = loss(values)
        if np.abs(change).max() < SMALL:
            break
    return values


def highest(values: Numbers, start: Shares) -> Shares:
    """The maximum of the function within the ranges, by coordinate ascent from the start."""
    count = len(start)
    slopes, squares = values[:count], values[count : 2 * count]
    products = np.zeros((count, count))
    products[np.triu_indices(count, 1)] = values[2 * count :]
    products += products.T
    shift, low, high = np.zeros(count), -start, 1.0 - start
    for _ in range(SWEEPS):
        before = shift.copy()
        for place in range(count):
            slope = slopes[place] + products[place] @ shift
            ends = [low[place], high[place]]
            if squares[place] < 0:
                ends = [float(np.clip(-slope / (2.0 * squares[place]), *ends))]
            shift[place] = max(ends, key=lambda end: slope * end + squares[place] * end**2)
        if np.abs(shift - before).max() < SMALL:
            break
    return np.clip(start + shift, 0.0, 1.0)
