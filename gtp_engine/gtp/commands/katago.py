"""Commands of KataGo's that its clients send: parameters under its names, and what the network says by itself."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gtp_engine.config.katago_names import KATAGO_NAMES, NEUTRAL, is_neutral
from gtp_engine.config.values import read_value, suggestion
from gtp_engine.go.points import PASS, WHITE, point_at
from gtp_engine.gtp.arguments import INTEGER, Words, is_color, read_color, read_float
from gtp_engine.gtp.commands.base import EngineCommands
from gtp_engine.gtp.commands.parameters import PARAMETERS
from gtp_engine.gtp.dispatcher import named
from gtp_engine.gtp.protocol import GtpError

if TYPE_CHECKING:
    from gtp_engine.network.look import Look
    from gtp_engine.search.params import SearchParams

SYMMETRIES = 8
ALL = "all"


class KatagoCommands(EngineCommands):
    """Parameters have KataGo's names where it has one for them, and ours; docs/analysis.md says what they are here."""

    @named("kata-list-params")
    def cmd_list_params(self) -> str:
        """The names of all parameters that kata-get-param and kata-set-param take."""
        return " ".join([*KATAGO_NAMES, *PARAMETERS])

    @named("kata-get-param")
    def cmd_get_param(self, name: str) -> str:
        """The value of the parameter NAME."""
        return value_text(value_of(self.engine.params, name))

    @named("kata-set-param")
    def cmd_set_param(self, name: str, *value: str) -> None:
        """Set the parameter NAME to VALUE; the search forgets its tree."""
        self.set_all({name: " ".join(value)})

    @named("kata-get-params")
    def cmd_get_params(self) -> str:
        """The values of all parameters as one JSON object."""
        params = self.engine.params
        return json.dumps({name: value_of(params, name) for name in [*KATAGO_NAMES, *PARAMETERS]})

    @named("kata-set-params")
    def cmd_set_params(self, *words: str) -> None:
        """Set all parameters that a JSON object names, or none when one can't be set."""
        try:
            values = json.loads(" ".join(words))
        except (ValueError, RecursionError) as error:
            raise GtpError("syntax error") from error
        if not isinstance(values, dict):
            raise GtpError("syntax error")
        self.set_all(values)

    @named("kata-get-models")
    def cmd_get_models(self) -> str:
        """The networks in use as one JSON list."""
        return json.dumps(self.engine.models())

    @named("kata-raw-nn")
    def cmd_raw_nn(self, *words: str) -> str:
        """What the network says without a search: [COLOR] SYMMETRY [OPTIMISM], SYMMETRY being 0 to 7 or all; OPTIMISM changes nothing."""
        left = Words(words, lambda: self.engine.game.size)
        color = read_color(left) if left.are_left() and is_color(left.peek()) else self.engine.game.to_play
        symmetries = read_symmetries(left.take())
        if left.are_left():
            read_float(left)
        if left.are_left():
            raise GtpError("syntax error")
        with self.refusals() as engine:
            looks = [(symmetry, engine.network_look(color, symmetry)) for symmetry in symmetries]
            return "\n".join(line for symmetry, look in looks for line in look_lines(look, symmetry, color, engine.game.size))

    def set_all(self, values: dict[str, Any]) -> None:
        """Set these parameters at once. Raises GtpError, changing nothing, for an unknown name or a wrong value."""
        settings: dict[str, Any] = {}
        try:
            for name, value in values.items():
                settings |= read_parameter(name, value)
            params = replace(self.engine.params, **settings)
        except ValueError as error:
            raise GtpError(str(error)) from error
        if params != self.engine.params:
            self.engine.set_params(params)


def read_parameter(name: str, value: Any) -> dict[str, Any]:
    """Our setting by name with its value; nothing for a parameter that we have no part for, if it asks for nothing. Raises ValueError."""
    if name in KATAGO_NAMES:
        return {KATAGO_NAMES[name].setting: KATAGO_NAMES[name].read(name, value)}
    if name in PARAMETERS:
        return {name: read_value(PARAMETERS[name], value_text(value))}
    if name not in NEUTRAL:
        raise ValueError(f"unknown parameter {name[:30]}{suggestion(name, [*KATAGO_NAMES, *PARAMETERS])}")
    if not is_neutral(name, value):
        raise ValueError(f"{name} is not supported")
    return {}


def value_of(params: "SearchParams", name: str) -> Any:
    """The value of a parameter on the scale of its name. Raises GtpError."""
    if name in KATAGO_NAMES:
        return KATAGO_NAMES[name].from_ours(getattr(params, KATAGO_NAMES[name].setting))
    if name in PARAMETERS:
        return getattr(params, name)
    if name in NEUTRAL:
        return NEUTRAL[name]
    raise GtpError(f"unknown parameter {name[:30]}{suggestion(name, [*KATAGO_NAMES, *PARAMETERS])}")


def value_text(value: Any) -> str:
    """A value as a line shows it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_symmetries(word: str) -> Iterable[int]:
    """The symmetries that are meant. Raises GtpError."""
    if word == ALL:
        return range(SYMMETRIES)
    if not INTEGER.fullmatch(word) or not 0 <= int(word) < SYMMETRIES:
        raise GtpError("syntax error")
    return [int(word)]


def look_lines(look: "Look", symmetry: int, color: int, size: int) -> list[str]:
    """One answer of the network under KataGo's keys. Its policy and its owners stand row by row from the top."""
    sign = 1 if color == WHITE else -1
    win = look.win_rate if color == WHITE else 1.0 - look.win_rate
    lines = [f"symmetry {symmetry}", f"whiteWin {win:.6f}", f"whiteLoss {1.0 - win:.6f}", "noResult 0.000000"]
    lines += [f"{name} {sign * look.lead:.3f}" for name in ("whiteLead", "whiteScoreSelfplay")]
    rows = [[point_at(row, column) for column in range(1, size + 1)] for row in range(size, 0, -1)]
    lines.append("policy")
    lines += [" ".join(f"{look.policy[point]:.6f}" if point in look.policy else "NAN" for point in row) for row in rows]
    lines.append(f"policyPass {look.policy[PASS]:.6f}")
    if look.ownership:
        lines.append("whiteOwnership")
        lines += [" ".join(f"{sign * look.ownership[point]:.4f}" for point in row) for row in rows]
    return lines
