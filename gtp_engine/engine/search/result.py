"""The result of a search: its candidates, and the choice among them, by a lower confidence bound or by a random draw for self-play."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from gtp_engine.base.wilson import wilson_interval

ENOUGH_VISITS = 0.15  # share of the most visited move's visits: with fewer, a bound is not trusted


@dataclass(frozen=True)
class Candidate:
    """The search's result for one move at the root, from the side of the player to move."""

    point: int  # a point or PASS
    visits: int
    win_rate: float  # 0..1
    score: float  # mean lead at the end, komi included
    variation: list[int]  # the expected moves, this one first
    variation_visits: list[int] = field(default_factory=list)  # of each move of the variation
    prior: float = 0.0  # 0..1: its prior probability
    lower_bound: float = 0.0  # of the win rate, see lower_bound
    ownership: np.ndarray | None = field(default=None, repr=False, compare=False)  # SearchResult's, after this move; None: no playouts

    def for_opponent(self) -> "Candidate":
        """The candidate from the side of the opponent; its lower bound becomes an upper one."""
        ownership = None if self.ownership is None else -self.ownership
        return replace(self, win_rate=1.0 - self.win_rate, score=-self.score, lower_bound=1.0 - self.lower_bound, ownership=ownership)


@dataclass(frozen=True)
class SearchResult:
    """The result of a search, from the side of the player to move."""

    candidates: list[Candidate]  # only visited moves, most visits first; under PUCT the best lower bound comes before all others
    simulations: int  # in the tree under the root
    new_simulations: int  # run by this search
    seconds: float
    win_rate: float  # of the root
    score: float  # mean lead at the end, komi included
    ownership: np.ndarray = field(repr=False)  # [P] -1..1, 1: surely owned by the player to move; zeros without playouts
    unvisited: list[tuple[int, float]] = field(default_factory=list)  # (point, prior) of moves without visits, best first

    @property
    def best(self) -> Candidate:
        """The best move according to the search."""
        return self.candidates[0]

    def for_opponent(self) -> "SearchResult":
        """The result from the side of the opponent."""
        candidates = [candidate.for_opponent() for candidate in self.candidates]
        return replace(self, candidates=candidates, win_rate=1.0 - self.win_rate, score=-self.score, ownership=-self.ownership)


def lower_bound(win_rate: float, visits: int) -> float:
    """The lower end of the 95 % interval of a win rate from `visits` simulations."""
    return wilson_interval(win_rate, visits)[0]


def by_lower_bound(candidates: list[Candidate], bonus: Callable[[Candidate], float]) -> list[Candidate]:
    """The candidates, most visits first, but the best of the well visited ones is moved to the front: the one with the highest sum of its
    lower bound and its `bonus`.
    """
    trusted = [candidate for candidate in candidates if candidate.visits >= ENOUGH_VISITS * candidates[0].visits]
    if not trusted:
        return candidates
    best = max(trusted, key=lambda candidate: candidate.lower_bound + bonus(candidate))
    return [best, *(candidate for candidate in candidates if candidate is not best)]


def drawn_by_visits(candidates: list[Candidate], temperature: float, random: np.random.Generator) -> list[Candidate]:
    """The candidates with a random one moved to the front, drawn with probability proportional to visits ** (1 / temperature)."""
    most = max(candidate.visits for candidate in candidates)
    weights = [(candidate.visits / most) ** (1.0 / temperature) for candidate in candidates]
    total = sum(weights)
    drawn = candidates[int(random.choice(len(candidates), p=[weight / total for weight in weights]))]
    return [drawn, *(candidate for candidate in candidates if candidate is not drawn)]
