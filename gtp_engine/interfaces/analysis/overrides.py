"""Parameters under KataGo's names, from a query's `overrideSettings` or a file: those that are supported, and the others."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gtp_engine.engine.config.katago_names import DEPENDENT, IMITATION_NAMES, KATAGO_NAMES, NEUTRAL, is_neutral
from gtp_engine.engine.network.human_profile import HumanProfile, read_profile
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.interfaces.analysis.protocol import Refusal

FIELD = "overrideSettings"
SIDE_TO_MOVE = 0
PERSPECTIVES = {"black": BLACK, "b": BLACK, "white": WHITE, "w": WHITE, "sidetomove": SIDE_TO_MOVE}
LONGEST_VARIATION = 1000  # moves
SYMMETRIES = 8
HUMAN = "humanSLProfile"
CHOSEN_SHARE = "humanSLChosenMoveProp"  # of people's moves among those that KataGo plays; an analysis plays none


@dataclass
class Overrides:
    """The parameters that were read. `settings` are those of SearchParams by name; None means not given."""

    settings: dict[str, Any] = field(default_factory=dict)
    perspective: int | None = None  # BLACK, WHITE or SIDE_TO_MOVE: the side of win rate and lead
    variation_length: int | None = None  # moves after the first
    symmetries: int | None = None  # the number of symmetries for the network's policy
    players: HumanProfile | None = None  # whose moves are reported, too
    names_players: bool = False  # whether players were given; an empty name stands for nobody
    unsupported: list[str] = field(default_factory=list)  # parameters that only KataGo has
    unknown: list[str] = field(default_factory=list)  # unknown parameters


def read_overrides(values: Mapping[str, Any]) -> Overrides:
    """Sort the parameters. Raises Refusal, for the field overrideSettings, for an invalid value of a known one."""
    overrides = Overrides()
    for name, value in values.items():
        try:
            read_one(overrides, name, value)
        except ValueError as error:
            raise Refusal(str(error), FIELD) from error
    return overrides


def read_one(overrides: Overrides, name: str, value: Any) -> None:
    """Add one parameter to `overrides`. Raises ValueError."""
    if name in KATAGO_NAMES:
        entry = KATAGO_NAMES[name]
        overrides.settings[entry.setting] = entry.read(name, value)
    elif name == "reportAnalysisWinratesAs":
        overrides.perspective = read_perspective(value)
    elif name == "analysisPVLen":
        overrides.variation_length = read_count(name, value, LONGEST_VARIATION)
    elif name == "rootNumSymmetriesToSample":
        overrides.symmetries = read_count(name, value, SYMMETRIES)
    elif name == HUMAN:
        overrides.players, overrides.names_players = read_profile(str(value)) if value else None, True
    elif name in DEPENDENT:
        DEPENDENT[name].read(name, value)
    elif name in IMITATION_NAMES:
        IMITATION_NAMES[name].read(name, value)
        if name == CHOSEN_SHARE and float(value) > 0.0:  # the others matter only with this one
            overrides.unsupported.append(name)
    elif name not in NEUTRAL:
        overrides.unknown.append(name)
    elif not is_neutral(name, value):
        overrides.unsupported.append(name)


def read_perspective(value: Any) -> int:
    """The side whose numbers are requested. Raises ValueError."""
    perspective = PERSPECTIVES.get(str(value).lower())
    if perspective is None:
        raise ValueError("reportAnalysisWinratesAs must be BLACK, WHITE or SIDETOMOVE")
    return perspective


def read_count(name: str, value: Any, most: int) -> int:
    """An integer from 1 to `most`, which may be a string. Raises ValueError."""
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise ValueError(f"{name} must be a whole number from 1 to {most}")
    return int(text)
