"""Results of an analysis: win rate, lead, candidates, ownership, for the page and the file."""

import json
import math
import re
from dataclasses import asdict, dataclass, field
from typing import Any

from gtp_engine.engine.search.result_fields import ownership_text
from gtp_engine.go.points import from_vertex
from gtp_engine.tools.review.html_page import candidate_data
from gtp_engine.tools.review.model import Evaluation

MOST_CANDIDATES = 12
LONGEST_VARIATION = 12  # moves: further ones have few visits
OWNERSHIP = re.compile(r"[A-Za-z0-9+/]*")
NUMBERS = ("winRate", "lead", "prior")


@dataclass(frozen=True)
class Findings:
    """`win_rate` and `lead` are Black's; candidates are from the side of the player to move."""

    win_rate: float  # 0..1
    lead: float  # points, komi included
    visits: int
    candidates: list[dict[str, Any]] = field(default_factory=list)  # see candidate_data
    ownership: str = ""  # see ownership_text; empty if unknown

    def as_dict(self) -> dict[str, Any]:
        """For the page and the file."""
        values = asdict(self)
        return {"winRate": values.pop("win_rate"), **values}


def findings_of(evaluation: Evaluation, size: int) -> Findings:
    """The results of a search on a board of this size."""
    candidates = [candidate_data(candidate, LONGEST_VARIATION) for candidate in evaluation.candidates[:MOST_CANDIDATES]]
    win_rate, lead = round(evaluation.win_rate, 3), round(evaluation.lead, 1)
    return Findings(win_rate, lead, evaluation.simulations, candidates, ownership_text(evaluation.ownership, size))


def as_value(findings: Findings) -> str:
    """One line for a game record."""
    return json.dumps(findings.as_dict(), separators=(",", ":"))


def from_value(value: str, size: int) -> Findings | None:
    """The inverse of as_value; None for anything else, because a record may come from anywhere."""
    try:
        data = json.loads(value)
        candidates = [read_candidate(candidate, size) for candidate in data["candidates"][:MOST_CANDIDATES]]
        ownership = data["ownership"]
        if not OWNERSHIP.fullmatch(ownership) or len(ownership) not in (0, size * size):
            return None
        win_rate = number(data["winRate"])
        if not 0.0 <= win_rate <= 1.0:
            return None
        return Findings(win_rate, number(data["lead"]), int(data["visits"]), candidates, ownership)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError):
        return None


def read_candidate(data: Any, size: int) -> dict[str, Any]:
    """A candidate in the form of candidate_data, with all fields checked. Raises ValueError and the errors of wrong types."""
    variation = data["variation"].split()[:LONGEST_VARIATION]
    for vertex in (data["vertex"], *variation):
        from_vertex(vertex, size)
    names = {name: number(data[name]) for name in NUMBERS}
    return {"vertex": data["vertex"], "visits": int(data["visits"]), "variation": " ".join(variation), **names}


def number(value: Any) -> float:
    """A finite number. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("not a number")
    return float(value)
