"""What networks predict without a search, as fields of rootInfo under KataGo's names."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gtp_engine.engine.network.details import Details, mean_details
from gtp_engine.engine.network.look import Look

DIGITS = 6  # after the decimal point

Policy = dict[int, float]  # the probability of each legal move, a point or PASS


@dataclass(frozen=True)
class HumanLook:
    """The moves of people, and their fields of rootInfo."""

    policy: Policy
    root: dict[str, Any]


def raw_fields(looks: Sequence[Look], is_turned: bool) -> dict[str, Any]:
    """The mean of evaluations of one position. `is_turned`: for the opponent of the player to move."""
    win_rate, lead = sum(look.win_rate for look in looks) / len(looks), sum(look.lead for look in looks) / len(looks)
    fields = {"rawWinrate": turned_rate(win_rate, is_turned), "rawLead": turned(lead, is_turned)}
    details = [look.details for look in looks if look.details is not None]
    if not details:
        return rounded_all(fields | {"rawScoreSelfplay": fields["rawLead"], "rawNoResultProb": 0.0})
    mean = mean_details(details)
    fields |= {"rawScoreSelfplay": turned(mean.score, is_turned), "rawNoResultProb": mean.no_result}
    # a search adds up no deviations, so that of the network stands for that of the search, too
    fields |= {"scoreStdev": mean.score_deviation, "rawScoreSelfplayStdev": mean.score_deviation, "rawVarTimeLeft": mean.time_left}
    return rounded_all(fields | errors(mean, "rawSt"))


def human_look(look: Look, is_turned: bool) -> HumanLook:
    """A human network's evaluation."""
    details = look.details
    score = look.lead if details is None else details.score
    fields = {"humanWinrate": turned_rate(look.win_rate, is_turned), "humanScoreMean": turned(score, is_turned)}
    if details is not None:
        fields |= {"humanScoreStdev": details.score_deviation} | errors(details, "humanSt")
    return HumanLook(look.policy, rounded_all(fields))


def errors(details: Details, prefix: str) -> dict[str, float]:
    """The expected errors in the next moves; that of the win rate is half of that of the win minus the loss."""
    return {f"{prefix}WrError": 0.5 * details.win_error, f"{prefix}ScoreError": details.score_error}


def turned_rate(win_rate: float, is_turned: bool) -> float:
    """A win rate, or that of the opponent."""
    return 1.0 - win_rate if is_turned else win_rate


def turned(points: float, is_turned: bool) -> float:
    """Points, or those of the opponent."""
    return -points if is_turned else points


def rounded(value: float) -> float:
    """A rounded number; nan becomes 0."""
    return round(value, DIGITS) if math.isfinite(value) else 0.0


def rounded_all(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with rounded numbers."""
    return {name: rounded(value) if isinstance(value, float) else value for name, value in fields.items()}
