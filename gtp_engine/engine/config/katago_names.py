"""KataGo's names of parameters with our settings, for its clients: analysis queries, and `kata-set-param` over GTP.

Values are converted in both directions; comments describe different scales. Parameters without a counterpart are in NEUTRAL, with the value
that has no effect.
"""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gtp_engine.engine.config.values import SWITCH

MOST_VISITS = 2**50  # KataGo's value for no limit
LONGEST = 86_400.0  # seconds, for the same


@dataclass(frozen=True)
class KataGoName:
    """A parameter with KataGo's name."""

    setting: str  # ours
    kind: type[int] | type[float] | type[bool]
    low: float
    high: float
    to_ours: Callable[[Any], Any] = lambda value: value
    from_ours: Callable[[Any], Any] = lambda value: value

    def read(self, name: str, value: Any) -> Any:
        """Our value for a number, switch or text of KataGo's. Raises ValueError."""
        return self.to_ours(read_switch(name, value) if self.kind is bool else read_number(name, value, self))


def read_switch(name: str, value: Any) -> bool:
    """True or false. Raises ValueError."""
    switch = value if isinstance(value, bool) else SWITCH.get(str(value).lower())
    if switch is None:
        raise ValueError(f"{name} must be true or false")
    return switch


def read_number(name: str, value: Any, entry: KataGoName) -> float:
    """A number within the bounds, which may be a string. Raises ValueError."""
    try:
        number = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not entry.low <= number <= entry.high or (entry.kind is int and int(number) != number):
        kind = "a whole number" if entry.kind is int else "a number"
        raise ValueError(f"{name} must be {kind} from {entry.low:g} to {entry.high:g}")
    return entry.kind(number)


def visits_to_ours(visits: int) -> int:
    """Our number of visits; 0 means no limit, and so do numbers above a billion."""
    return visits if visits < 1_000_000_000 else 0


def twice_ours(setting: str, most: float) -> KataGoName:
    """A name for a part of a value that ranges from -1 to 1 in KataGo and from 0 to 1 here."""
    return KataGoName(setting, float, 0.0, most, lambda value: value / 2, lambda value: 2 * value)


VISITS = KataGoName("playouts", int, 1, MOST_VISITS, visits_to_ours, lambda visits: visits or MOST_VISITS)
NOISE = KataGoName("root_noise", float, 0.0, 1.0)  # KataGo distributes its noise differently; 0 is none in both
TEMPERATURE = KataGoName("root_temperature", float, 0.01, 100.0)

# If several names mean the same setting, the last one in a query or file wins.
KATAGO_NAMES: dict[str, KataGoName] = {
    "maxVisits": VISITS,
    "maxTime": KataGoName("seconds", float, 0.001, 1e20, lambda value: min(value, LONGEST)),
    "numSearchThreads": KataGoName("threads", int, 1, 256),
    "wideRootNoise": NOISE,
    "analysisWideRootNoise": NOISE,
    "rootPolicyTemperature": TEMPERATURE,
    "rootPolicyTemperatureEarly": TEMPERATURE,
    "fpuReductionMax": twice_ours("untried_reduction", 2.0),
    "rootFpuReductionMax": twice_ours("root_untried_reduction", 2.0),
    "cpuctExploration": twice_ours("puct_exploration", 10.0),
    "dynamicScoreUtilityFactor": twice_ours("lead_weight", 1.0),
    "cpuctUtilityStdevScale": KataGoName("puct_spread", float, 0.0, 1.0),
    "chosenMoveTemperature": KataGoName("temperature", float, 0.0, 10.0),
    "allowResignation": KataGoName("resign", bool, 0, 1),
    "resignThreshold": KataGoName("resign_threshold", float, -1.0, 0.0, lambda value: (1 + value) / 2, lambda value: 2 * value - 1),
    "resignConsecTurns": KataGoName("resign_moves", int, 1, 100),
    "ponderingEnabled": KataGoName("ponder", bool, 0, 1),
}

# How closely the people of humanSLProfile are imitated over GTP: settings of Imitation.
IMITATION_NAMES: dict[str, KataGoName] = {
    "humanSLChosenMoveProp": KataGoName("share", float, 0.0, 1.0),
    "humanSLChosenMoveIgnorePass": KataGoName("passes", bool, 0, 1, operator.not_, operator.not_),
    "humanSLChosenMovePiklLambda": KataGoName("tolerance", float, 0.001, 1e9),
}

# Parameters of searches by a human network's policy, which don't exist here: alone, no value of theirs has an effect.
DEPENDENT = {name: KataGoName("", float, 0.0, 1000.0) for name in ("humanSLCpuctExploration", "humanSLCpuctPermanent")}

# Parameters of KataGo's without a counterpart. Clients send them anyway; this value has no effect.
NEUTRAL: dict[str, Any] = {
    "playoutDoublingAdvantage": 0.0,
    "ignorePreRootHistory": False,
    "analysisIgnorePreRootHistory": False,
    "antiMirror": False,
    "genmoveAntiMirror": False,
    "winLossUtilityFactor": 1.0,
    "rootSymmetryPruning": False,
    "useNoisePruning": False,
    "conservativePass": True,
    **{f"humanSL{who}ExploreProbWeight{kind}": 0.0 for who in ("Root", "Pla", "Opp") for kind in ("less", "ful")},
}


def is_neutral(name: str, value: Any) -> bool:
    """True if this value of a parameter in NEUTRAL has no effect."""
    neutral = NEUTRAL[name]
    try:
        if isinstance(neutral, bool):
            return read_switch(name, value) == neutral
        return bool(type(neutral)(value) == neutral)
    except (TypeError, ValueError):
        return False
