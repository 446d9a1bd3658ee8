"""From visits to a move: the order by a lower confidence bound, and the draw by visits for self-play."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from gtp_engine.search.search import Candidate

ENOUGH_VISITS = 0.15  # of the most visited move's: with fewer, a bound is not trusted


def by_lower_bound(candidates: list["Candidate"]) -> list["Candidate"]:
    """The candidates, most visits first, with the one moved to the front whose win rate is surely highest among the well visited."""
    trusted = [candidate for candidate in candidates if candidate.visits >= ENOUGH_VISITS * candidates[0].visits]
    if not trusted:
        return candidates
    best = max(trusted, key=lambda candidate: candidate.lower_bound)
    return [best, *(candidate for candidate in candidates if candidate is not best)]


def drawn_by_visits(candidates: list["Candidate"], temperature: float, random: "np.random.Generator") -> list["Candidate"]:
    """The candidates with one moved to the front that is drawn with probability proportional to visits ** (1 / temperature)."""
    most = max(candidate.visits for candidate in candidates)
    weights = [(candidate.visits / most) ** (1.0 / temperature) for candidate in candidates]
    total = sum(weights)
    drawn = candidates[int(random.choice(len(candidates), p=[weight / total for weight in weights]))]
    return [drawn, *(candidate for candidate in candidates if candidate is not drawn)]
