"""KataGo's names of parameters, and which settings of ours they are. For its clients: analysis queries, and `kata-set-param` over GTP.

A value of KataGo's is turned into ours and back. Where its scale is another one the comment says which. What we have no part for is in
NEUTRAL, with the value that asks for nothing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gtp_engine.engine.config.values import SWITCH

MOST_VISITS = 2**50  # KataGo's word for no limit
LONGEST = 86_400.0  # seconds, for the same


@dataclass(frozen=True)
class KataGoName:
    """A parameter under KataGo's name."""

    setting: str  # ours
    kind: type[int] | type[float] | type[bool]
    low: float
    high: float
    to_ours: Callable[[Any], Any] = lambda value: value
    from_ours: Callable[[Any], Any] = lambda value: value

    def read(self, name: str, value: Any) -> Any:
        """The value of our setting for a number, switch or text of KataGo's. Raises ValueError."""
        return self.to_ours(read_switch(name, value) if self.kind is bool else read_number(name, value, self))


def read_switch(name: str, value: Any) -> bool:
    """True or false. Raises ValueError."""
    switch = value if isinstance(value, bool) else SWITCH.get(str(value).lower())
    if switch is None:
        raise ValueError(f"{name} must be true or false")
    return switch


def read_number(name: str, value: Any, entry: KataGoName) -> float:
    """A number within the bounds; a text that spells one will do. Raises ValueError."""
    try:
        number = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not entry.low <= number <= entry.high or (entry.kind is int and int(number) != number):
        kind = "a whole number" if entry.kind is int else "a number"
        raise ValueError(f"{name} must be {kind} from {entry.low:g} to {entry.high:g}")
    return entry.kind(number)


def visits_to_ours(visits: int) -> int:
    """Our 0 is no limit, and there is none above a billion."""
    return visits if visits < 1_000_000_000 else 0


def visits_from_ours(visits: int) -> int:
    """See visits_to_ours."""
    return visits or MOST_VISITS


def twice_ours(setting: str, most: float) -> KataGoName:
    """A part of a value, which is from -1 to 1 in KataGo and from 0 to 1 here."""
    return KataGoName(setting, float, 0.0, most, lambda value: value / 2, lambda value: 2 * value)


VISITS = KataGoName("playouts", int, 1, MOST_VISITS, visits_to_ours, visits_from_ours)
NOISE = KataGoName("root_noise", float, 0.0, 1.0)  # KataGo spreads its noise in another way; 0 is none in both
TEMPERATURE = KataGoName("root_temperature", float, 0.01, 100.0)

# Where several names mean the same setting, the one that a query or a file has last wins.
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
    "cpuctUtilityStdevScale": KataGoName("puct_spread", float, 0.0, 1.0),
    "chosenMoveTemperature": KataGoName("temperature", float, 0.0, 10.0),
    "allowResignation": KataGoName("resign", bool, 0, 1),
    "resignThreshold": KataGoName("resign_threshold", float, -1.0, 0.0, lambda value: (1 + value) / 2, lambda value: 2 * value - 1),
    "resignConsecTurns": KataGoName("resign_moves", int, 1, 100),
    "ponderingEnabled": KataGoName("ponder", bool, 0, 1),
}

# Parameters of KataGo's that we have no part for. Clients send them all the same; this value asks for nothing.
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
}


def is_neutral(name: str, value: Any) -> bool:
    """Does this value of a parameter in NEUTRAL ask for nothing?"""
    neutral = NEUTRAL[name]
    try:
        if isinstance(neutral, bool):
            return read_switch(name, value) == neutral
        return bool(type(neutral)(value) == neutral)
    except (TypeError, ValueError):
        return False
