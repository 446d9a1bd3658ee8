"""The fields of a search's result by KataGo's names, from which GTP's lines and the JSON of the analysis engine are written.

These fields have the same number here: `visits`, `edgeVisits` and `weight` (a position is reached by one path only, and all visits have the
same weight); `scoreLead`, `scoreMean` and `scoreSelfplay` (the mean of the points at the end). `utility` is the win rate from -1 to 1.
"""

import math
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from gtp_engine.go.places import points_by_place
from gtp_engine.go.points import to_vertex

if TYPE_CHECKING:
    import numpy as np

    from gtp_engine.engine.search.result import Candidate, SearchResult

Fields = dict[str, Any]
OWNERSHIP_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"  # of ownership_text, as base/pages/board.js reads it
OWNERSHIP_STEPS = 62  # from -1 to 1


def move_fields(candidate: "Candidate", order: int) -> Fields:
    """The fields of one move; `order` is its place among the candidates, 0 for the best."""
    fields: Fields = {"move": to_vertex(candidate.point), "order": order, "prior": candidate.prior}
    fields |= numbers(candidate.visits, candidate.win_rate, candidate.score, candidate.lower_bound)
    fields |= {"edgeVisits": candidate.visits, "edgeWeight": float(candidate.visits), "playSelectionValue": float(candidate.visits)}
    return fields | {"pv": [to_vertex(point) for point in candidate.variation]}


def root_fields(result: "SearchResult") -> Fields:
    """The fields of the root; its `lcb` is that of the best move."""
    bound = result.candidates[0].lower_bound if result.candidates else result.win_rate
    return numbers(result.simulations, result.win_rate, result.score, bound)


def numbers(visits: int, win_rate: float, lead: float, lower_bound: float) -> Fields:
    """The fields of both a move and the root."""
    fields = {"visits": visits, "winrate": win_rate, "lcb": lower_bound, "utility": 2 * win_rate - 1, "utilityLcb": 2 * lower_bound - 1}
    return fields | {"weight": float(visits)} | dict.fromkeys(("scoreLead", "scoreMean", "scoreSelfplay"), lead)


def ownership_fields(ownership: "np.ndarray", size: int, name: str, flags: Collection[str]) -> dict[str, list[float]]:
    """`NAME` and `NAMEStdev`, those that are in `flags`: a number for each point, row by row from the top left.

    A point is owned or not, so the deviation follows from the mean.
    """
    deviation = f"{name}Stdev"
    values = ownership_values(ownership, size) if name in flags or deviation in flags else []
    fields = {name: values, deviation: [math.sqrt(max(1.0 - value * value, 0.0)) for value in values]}
    return {key: listed for key, listed in fields.items() if key in flags}


def ownership_text(ownership: "np.ndarray", size: int) -> str:
    """One digit for each point, row by row from the top left: A for -1, the middle digit for 0."""
    values = (min(max(value, -1.0), 1.0) for value in ownership_values(ownership, size))
    return "".join(OWNERSHIP_DIGITS[round((value + 1.0) / 2.0 * OWNERSHIP_STEPS)] for value in values)


def ownership_values(ownership: "np.ndarray", size: int) -> list[float]:
    """The numbers of `ownership` [P] row by row from the top left."""
    values: list[float] = ownership[list(points_by_place(size))].tolist()
    return values
