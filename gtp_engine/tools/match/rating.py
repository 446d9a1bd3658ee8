"""Ratings of many players from all their games: the Bradley-Terry model in Elo, draws as half wins, with intervals.

The ratings maximize the likelihood, which has a single maximum, by Newton's method. A weak prior, one drawn game of each player against the
field's mean, keeps the rating of a player finite who has won or lost all games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gtp_engine.base.wilson import SIGMAS_95
from gtp_engine.tools.match.elo import ELO_PER_LOGIT, Tally

PRIOR_GAMES = 1.0  # drawn games of each player against the mean, by default
MAX_STEPS = 100  # of Newton's method; ten are usual
PRECISION = 1e-9  # logits
LONGEST_STEP = 2.0  # logits a step: far from the maximum Newton's method would overshoot

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """One player's rating."""

    name: str
    elo: float  # relative to the anchors, or without these to the mean of all
    sigma: float  # standard deviation, Elo; 0 for an anchor
    is_anchor: bool

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, Elo."""
        return self.elo - SIGMAS_95 * self.sigma, self.elo + SIGMAS_95 * self.sigma


@dataclass(frozen=True)
class Ratings:
    """All players' ratings, in the given order."""

    players: tuple[Rating, ...]
    covariance: Vector  # [player, player], Elo squared

    def of(self, name: str) -> Rating:
        """A player's rating. Raises KeyError."""
        return self.players[self._place(name)]

    def difference(self, name: str, other: str) -> tuple[float, float]:
        """(Elo by which `name` is stronger than `other`, standard deviation), including the covariance."""
        i, j = self._place(name), self._place(other)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        return self.players[i].elo - self.players[j].elo, float(np.sqrt(max(variance, 0.0)))

    def _place(self, name: str) -> int:
        for place, rating in enumerate(self.players):
            if rating.name == name:
                return place
        raise KeyError(name)


def rate(
    names: Sequence[str],
    tallies: Mapping[tuple[str, str], Tally],
    anchors: Mapping[str, float] | None = None,
    prior_games: float = PRIOR_GAMES,
) -> Ratings:
    """Ratings from the tally of each pairing, (first, second) -> Tally of the first; each pairing in one order only.

    anchors -- fixed Elo by name; without any, the mean is 0. Players without games get the prior's mean.
    prior_games -- more than 0; use fewer if most players meet only similar ones, or the prior pulls the ends of the field together
    """
    anchors = anchors or {}
    index = {name: place for place, name in enumerate(names)}
    games = np.zeros((len(names), len(names)))
    points = np.zeros(len(names))
    for (one, other), tally in tallies.items():
        i, j = index[one], index[other]
        games[i, j] += tally.games
        games[j, i] += tally.games
        points[i] += tally.wins + tally.draws / 2
        points[j] += tally.losses + tally.draws / 2
    fixed = np.array([name in anchors for name in names], dtype=bool)
    start = np.array([anchors.get(name, 0.0) for name in names]) / ELO_PER_LOGIT
    strengths, covariance = _most_likely(games, points, start, fixed, prior_games)
    elo, sigma = strengths * ELO_PER_LOGIT, np.sqrt(np.diag(covariance)) * ELO_PER_LOGIT
    players = tuple(Rating(name, float(elo[i]), float(sigma[i]), bool(fixed[i])) for name, i in index.items())
    return Ratings(players, covariance * ELO_PER_LOGIT**2)


def _most_likely(games: Vector, points: Vector, start: Vector, fixed: npt.NDArray[np.bool_], prior_games: float) -> tuple[Vector, Vector]:
    """Strengths in logits and their covariance; those in `fixed` stay as they start."""
    center = float(start[fixed].mean()) if fixed.any() else 0.0
    strengths = np.where(fixed, start, center)
    free = np.flatnonzero(~fixed)
    for _ in range(MAX_STEPS):
        gradient, hessian = _derivatives(games, points, strengths, center, prior_games)
        step = np.zeros(len(points))
        if len(free):
            step[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        strengths = strengths + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        if np.abs(step).max(initial=0.0) < PRECISION:
            break
    covariance = np.zeros_like(games)
    _, hessian = _derivatives(games, points, strengths, center, prior_games)
    if len(free):
        covariance[np.ix_(free, free)] = np.linalg.inv(hessian[np.ix_(free, free)])
    if not fixed.any():
        strengths, covariance = _relative_to_mean(strengths, covariance)
    return strengths, covariance


def _derivatives(games: Vector, points: Vector, strengths: Vector, center: float, prior_games: float) -> tuple[Vector, Vector]:
    """The gradient of the log-likelihood, and minus its matrix of second derivatives, which is positive definite."""
    chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))  # [i, j]: that i beats j
    prior = 1 / (1 + np.exp(center - strengths))
    gradient = points - (games * chance).sum(axis=1) + prior_games * (0.5 - prior)
    weight = games * chance * (1 - chance)
    hessian = np.diag(weight.sum(axis=1) + prior_games * prior * (1 - prior)) - weight
    return gradient, hessian


def _relative_to_mean(strengths: Vector, covariance: Vector) -> tuple[Vector, Vector]:
    """The strengths with a mean of 0, and the covariance of their differences to it, because only differences have a meaning."""
    count = len(strengths)
    centering = np.eye(count) - np.full((count, count), 1 / count)
    return strengths - strengths.mean(), centering @ covariance @ centering.T
