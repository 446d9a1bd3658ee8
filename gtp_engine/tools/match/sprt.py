"""The sequential probability ratio test: games are played until they decide between two Elo differences.

Generalized for scores of more than two kinds, as in M. Van den Bergh, "Normalized Elo and the GSPRT": each hypothesis stands for the most
likely distribution of scores with its mean. The scores are those of pairs of games with the same opening, because the two games of a pair
depend on each other; 0, 1/4, 1/2, 3/4 or 1 for each pair.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gtp_engine.tools.match.elo import expected_score
from gtp_engine.tools.match.tournament import Sprt

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
PRIOR = 0.05  # pairs added to the count of each score, so that there is a distribution with the mean
CAUTION = 0.85  # share of alpha and beta to use: estimating the variance costs the rest (with 1.0, 5.1 % errors for 5 % were measured)
MAX_STEPS = 100  # of Newton's method; six are usual
PRECISION = 1e-10

CONTINUE, ACCEPT_H0, ACCEPT_H1 = "continue", "H0", "H1"


@dataclass(frozen=True)
class SprtState:
    """The state of a test."""

    llr: float  # log-likelihood ratio of H1 to H0
    lower: float  # at or below this, H0 is accepted
    upper: float  # at or above this, H1 is accepted
    pairs: int

    @property
    def decision(self) -> str:
        """CONTINUE, ACCEPT_H0 or ACCEPT_H1."""
        return ACCEPT_H0 if self.llr <= self.lower else ACCEPT_H1 if self.llr >= self.upper else CONTINUE


def bounds(sprt: Sprt) -> tuple[float, float]:
    """Wald's bounds of the log-likelihood ratio, for error rates within alpha and beta."""
    alpha, beta = CAUTION * sprt.alpha, CAUTION * sprt.beta
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def sprt_state(sprt: Sprt, pair_scores: Iterable[float]) -> SprtState:
    """The state after pairs with these mean scores of the first player (multiples of 1/4)."""
    counts = [0] * len(PAIR_SCORES)
    for score in pair_scores:
        counts[round(4 * score)] += 1
    return SprtState(log_likelihood_ratio(counts, expected_score(sprt.elo0), expected_score(sprt.elo1)), *bounds(sprt), sum(counts))


def log_likelihood_ratio(counts: Sequence[float], mean0: float, mean1: float) -> float:
    """log P(counts | mean1) / P(counts | mean0), each with its most likely distribution over PAIR_SCORES; 0 without pairs."""
    if not any(counts):
        return 0.0
    weights = [count + PRIOR for count in counts]
    return sum(weight * (log1 - log0) for weight, log0, log1 in zip(weights, _logs(weights, mean0), _logs(weights, mean1), strict=True))


def _logs(weights: Sequence[float], mean: float) -> list[float]:
    """Logarithms of the most likely probabilities with this mean: p = w / (W (1 + t (a - mean))), with t such that the mean is right.

    t is the root of a decreasing function, by Newton's method with bisection where that leaves the interval.
    """
    distances = [score - mean for score in PAIR_SCORES]
    low, high, t = -1 / distances[-1], -1 / distances[0], 0.0
    for _ in range(MAX_STEPS):
        terms = [distance / (1 + t * distance) for distance in distances]
        excess = sum(weight * term for weight, term in zip(weights, terms, strict=True))
        slope = sum(weight * term * term for weight, term in zip(weights, terms, strict=True))
        low, high = (t, high) if excess > 0 else (low, t)
        previous, t = t, t + excess / slope
        if not low < t < high:
            t = (low + high) / 2
        if abs(t - previous) < PRECISION:
            break
    total = sum(weights)
    return [math.log(weight / total / (1 + t * distance)) for weight, distance in zip(weights, distances, strict=True)]
