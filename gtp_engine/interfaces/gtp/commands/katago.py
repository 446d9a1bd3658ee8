"""Commands of KataGo's that its clients send: parameters under its names, and what the network says by itself."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.engine.config.katago_names import DEPENDENT, IMITATION_NAMES, KATAGO_NAMES, NEUTRAL, is_neutral
from gtp_engine.engine.config.values import read_value, suggestion
from gtp_engine.engine.network.human_profile import Imitation, read_profile
from gtp_engine.go.points import PASS, WHITE
from gtp_engine.interfaces.gtp.arguments import INTEGER, Words, is_color, read_color, read_float
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.commands.parameters import PARAMETERS
from gtp_engine.interfaces.gtp.dispatcher import named
from gtp_engine.interfaces.gtp.gogui_text import board_rows

if TYPE_CHECKING:
    from gtp_engine.engine.network.details import Details
    from gtp_engine.engine.network.look import Look
    from gtp_engine.engine.player.move_chooser import MoveChooser
    from gtp_engine.engine.search.params import SearchParams

HUMAN = "humanSLProfile"
PEOPLE = (HUMAN, *IMITATION_NAMES)
SYMMETRIES = 8
ALL = "all"


class KatagoCommands(EngineCommands):
    """Parameters have KataGo's names, where there is one, and ours; docs/analysis.md compares them."""

    imitation = Imitation()  # of the people of humanSLProfile

    @named("kata-list-params")
    def cmd_list_params(self) -> str:
        """The names of all parameters that kata-get-param and kata-set-param take."""
        return " ".join([*KATAGO_NAMES, HUMAN, *IMITATION_NAMES, *PARAMETERS])

    @named("kata-get-param")
    def cmd_get_param(self, name: str) -> str:
        """The value of the parameter NAME."""
        return value_text(self.people_values()[name] if name in PEOPLE else value_of(self.engine.params, name))

    @named("kata-set-param")
    def cmd_set_param(self, name: str, *value: str) -> None:
        """Set the parameter NAME to VALUE; the search forgets its tree."""
        self.set_all({name: " ".join(value)})

    @named("kata-get-params")
    def cmd_get_params(self) -> str:
        """The values of all parameters as one JSON object."""
        params = self.engine.params
        return json.dumps({name: value_of(params, name) for name in [*KATAGO_NAMES, *PARAMETERS]} | self.people_values())

    @named("kata-set-params")
    def cmd_set_params(self, *words: str) -> None:
        """Set all parameters in a JSON object; if one can't be set, none is."""
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
        return json.dumps(self.engine.evaluators.models(self.engine.params))

    @named("kata-raw-nn")
    def cmd_raw_nn(self, *words: str) -> str:
        """The network's evaluation without a search: [COLOR] SYMMETRY [OPTIMISM].

        SYMMETRY is 0 to 7 or all; OPTIMISM, 0 to 1, is the share of the optimistic policy, where the network has one.
        """
        color, symmetries, left = self.looked_at(words)
        optimism = read_float(left) if left.are_left() else None
        if left.are_left() or (optimism is not None and not 0.0 <= optimism <= 1.0):
            raise GtpError("syntax error")
        with self.refusals() as engine:
            looks = [(symmetry, engine.network_look(color, symmetry, optimism)) for symmetry in symmetries]
            return "\n".join(line for symmetry, look in looks for line in look_lines(look, symmetry, color, engine.game.size))

    @named("kata-raw-human-nn")
    def cmd_raw_human_nn(self, *words: str) -> str:
        """The human network's prediction for the people of humanSLProfile: [COLOR] SYMMETRY; SYMMETRY is 0 to 7 or all."""
        color, symmetries, left = self.looked_at(words)
        if left.are_left():
            raise GtpError("syntax error")
        name = self.profile()
        if not name:
            raise GtpError(f"set {HUMAN} first")
        players = read_profile(name)
        with self.refusals() as engine:
            looks = [(symmetry, engine.human_look(players, color, symmetry)) for symmetry in symmetries]
            lines = [line for symmetry, look in looks for line in look_lines(look, symmetry, color, engine.game.size, human_score_lines)]
        return "\n".join(lines)

    def looked_at(self, words: tuple[str, ...]) -> tuple[int, Iterable[int], Words]:
        """The color and the symmetries of a look, and the words behind them."""
        left = Words(words, lambda: self.engine.game.size)
        color = read_color(left) if left.are_left() and is_color(left.peek()) else self.engine.game.to_play
        return color, read_symmetries(left.take()), left

    def profile(self) -> str:
        """The name of the people whom the engine plays like; empty where it doesn't."""
        players = getattr(self.engine.chooser, "players", None)
        return players.name if players is not None else ""

    def people_values(self) -> dict[str, Any]:
        """The parameters about people, by KataGo's names."""
        imitated = {name: entry.from_ours(getattr(self.imitation, entry.setting)) for name, entry in IMITATION_NAMES.items()}
        return {HUMAN: self.profile()} | imitated

    def set_all(self, values: dict[str, Any]) -> None:
        """Set these parameters at once. Raises GtpError, changing nothing, for an unknown name or a wrong value."""
        settings: dict[str, Any] = {}
        try:
            imitation = read_imitation(self.imitation, values)
            chooser = self.profile_chooser(values.get(HUMAN, self.profile()), imitation)
            for name, value in values.items():
                settings |= read_parameter(name, value) if name not in PEOPLE else {}
            params = replace(self.engine.params, **settings)
        except ValueError as error:
            raise GtpError(str(error)) from error
        if settings and params != self.engine.params:
            self.engine.set_params(params)
        self.imitation = imitation
        if chooser is not None:
            self.engine.set_chooser(chooser)

    def profile_chooser(self, name: Any, imitation: Imitation) -> "MoveChooser | None":
        """What plays like the people of that name, None where it plays already; full strength for no name. Raises ValueError."""
        if not isinstance(name, str):
            raise ValueError(f"{HUMAN} is a text")
        if name == self.profile() and (not name or imitation == self.imitation):
            return None
        from gtp_engine.engine.player.levels.chooser import chooser_at  # not above: numba comes with it
        from gtp_engine.engine.player.ranks.people import PeopleChooser

        has_human_network = self.engine.evaluators.has_human_network(self.engine.params)
        return PeopleChooser(read_profile(name), has_human_network, imitation) if name else chooser_at(0)


def read_imitation(imitation: Imitation, values: dict[str, Any]) -> Imitation:
    """`imitation` after the values under KataGo's names are set. Raises ValueError."""
    return replace(
        imitation, **{entry.setting: entry.read(name, values[name]) for name, entry in IMITATION_NAMES.items() if name in values}
    )


def read_parameter(name: str, value: Any) -> dict[str, Any]:
    """Our setting by name with its value; nothing for a parameter that we have no part for, if it asks for nothing. Raises ValueError."""
    if name in KATAGO_NAMES:
        return {KATAGO_NAMES[name].setting: KATAGO_NAMES[name].read(name, value)}
    if name in PARAMETERS:
        return {name: read_value(PARAMETERS[name], value_text(value))}
    if name in DEPENDENT:
        DEPENDENT[name].read(name, value)
        return {}
    if name not in NEUTRAL:
        raise ValueError(f"unknown parameter {name[:30]}{suggestion(name, [*KATAGO_NAMES, *PARAMETERS])}")
    if not is_neutral(name, value):
        raise ValueError(f"{name} is not supported here, except as {value_text(NEUTRAL[name])}")
    return {}


def value_of(params: "SearchParams", name: str) -> Any:
    """The value of a parameter on the scale of its name. Raises GtpError."""
    if name in KATAGO_NAMES:
        return KATAGO_NAMES[name].from_ours(getattr(params, KATAGO_NAMES[name].setting))
    if name in PARAMETERS:
        return getattr(params, name)
    if name in NEUTRAL or name in DEPENDENT:
        return NEUTRAL.get(name, 0.0)  # nothing of the second is explored
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


def score_lines(look: "Look", sign: int) -> list[str]:
    """The network's scores under KataGo's keys, times `sign`. Without further predictions, the lead is the score, too."""
    details = look.details
    lines = [f"whiteLead {sign * look.lead:.3f}", f"whiteScoreSelfplay {sign * (details.score if details else look.lead):.3f}"]
    if details:
        lines += [f"whiteScoreSelfplaySq {details.score_square:.3f}", f"varTimeLeft {details.time_left:.3f}", *error_lines(details)]
    return lines


def human_score_lines(look: "Look", sign: int) -> list[str]:
    """Like score_lines, for a human network."""
    details = look.details
    if details is None:
        return [f"whiteScore {sign * look.lead:.3f}"]
    return [f"whiteScore {sign * details.score:.3f}", f"whiteScoreSq {details.score_square:.3f}", *error_lines(details)]


def error_lines(details: "Details") -> list[str]:
    """The network's expected errors in the next moves."""
    return [f"shorttermWinlossError {details.win_error:.3f}", f"shorttermScoreError {details.score_error:.3f}"]


def look_lines(look: "Look", symmetry: int, color: int, size: int, scores: Callable[["Look", int], list[str]] = score_lines) -> list[str]:
    """One answer of the network under KataGo's keys. Its policy and its owners stand row by row from the top."""
    sign = 1 if color == WHITE else -1
    none = look.details.no_result if look.details else 0.0
    win = (look.win_rate if color == WHITE else 1.0 - look.win_rate) - 0.5 * none
    lines = [f"symmetry {symmetry}", f"whiteWin {win:.6f}", f"whiteLoss {1.0 - none - win:.6f}", f"noResult {none:.6f}"]
    lines += scores(look, sign)
    lines.append("policy" + board_rows(size, lambda point: f"{look.policy[point]:.6f}" if point in look.policy else "NAN"))
    lines.append(f"policyPass {look.policy[PASS]:.6f}")
    if look.ownership:
        lines.append("whiteOwnership" + board_rows(size, lambda point: f"{sign * look.ownership[point]:.4f}"))
    return lines
