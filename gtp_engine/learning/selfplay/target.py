"""The policy target and the move to play, from the visits of a full search."""

import numpy as np

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import PASS

LEAST_VISITS = 2  # a move with fewer after pruning was only visited because it was forced
LEAST_TEMPERATURE = 0.01  # below this, the most visited move is played


def pruned_visits(candidates: list[Candidate], forced: float, exploration: float) -> np.ndarray:
    """[C] int64: the visits of each candidate without those that are only due to noise and forced playouts (Wu 2019).

    `forced`: k of sqrt(k * prior * N); `exploration`: c of PUCT. Each move except the most visited one loses up to that many visits, as
    long as PUCT would still prefer the most visited one. `candidates` aren't empty.
    """
    visits = np.array([candidate.visits for candidate in candidates], np.int64)
    if forced <= 0.0:
        return visits
    values = np.array([candidate.win_rate for candidate in candidates])
    priors = np.array([candidate.prior for candidate in candidates])
    total, best = int(visits.sum()), int(visits.argmax())
    scale = exploration * np.sqrt(total) * priors
    highest = values[best] + scale[best] / (1 + visits[best])
    gap = highest - values
    needed = np.where(gap > 0.0, np.ceil(scale / np.maximum(gap, 1e-9) - 1.0), visits)  # with so many, PUCT would not visit it again
    takeable = np.floor(np.sqrt(forced * priors * total))
    pruned = np.maximum(np.minimum(visits, needed), visits - takeable).astype(np.int64)
    pruned[pruned < LEAST_VISITS] = 0
    pruned[best] = visits[best]
    return pruned


def drawn_move(points: list[int], visits: np.ndarray, temperature: float, random: np.random.Generator) -> int:
    """A random point, drawn with probability proportional to visits ** (1 / temperature); a pass only if it has most visits."""
    best = int(visits.argmax())
    if points[best] == PASS or temperature < LEAST_TEMPERATURE:
        return points[best]
    weights = (visits / visits[best]) ** (1.0 / temperature)
    weights[[point == PASS for point in points]] = 0.0
    return points[int(random.choice(len(points), p=weights / weights.sum()))]
