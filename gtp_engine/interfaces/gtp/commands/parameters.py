"""How to play: the search parameters, in the form of GoGui's `param` commands, and the level."""

from dataclasses import Field, fields, replace
from typing import Any

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.engine.config.values import read_value, suggestion
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.dispatcher import named

ON, OFF = "on", "off"
PARAMETERS = {item.name: item for item in fields(SearchParams)}


class ParameterCommands(EngineCommands):
    """Everything in SearchParams can be read and set; setting one makes the search forget its tree."""

    @named("gtp_engine-param")
    def cmd_param(self, *words: str) -> str:
        """Show all search parameters, show the value of KEY, or set KEY to VALUE."""
        engine = self.engine
        if not words:
            return "\n".join(param_line(item, getattr(engine.params, name)) for name, item in PARAMETERS.items())
        if len(words) > 2:
            raise GtpError("syntax error")
        name = words[0]
        if name not in PARAMETERS:
            raise GtpError(f"unknown parameter {name[:30]}{suggestion(name, PARAMETERS)}")
        if len(words) == 1:
            return param_value(PARAMETERS[name], getattr(engine.params, name))
        text = words[1]
        try:
            params = replace(engine.params, **{name: read_value(PARAMETERS[name], text)})
        except ValueError as error:
            raise GtpError(str(error)) from error
        engine.set_params(params)
        return ""


class LevelCommands(EngineCommands):
    """How strong to play. `level` is GNU Go's command; `rank` and `human_time` are ours."""

    def cmd_level(self, number: int | None = None) -> str:
        """Play at level NUMBER from now on, 1 the weakest, 0 for full strength; without NUMBER, return the level."""
        engine = self.engine
        if engine.chooser.level is None:
            raise GtpError("this player has no levels")
        if number is None:
            return str(engine.chooser.level)
        from gtp_engine.engine.player.levels.chooser import chooser_at  # not above: numba comes with it

        try:
            chooser = chooser_at(number)
        except ValueError as error:
            raise GtpError(str(error)) from error
        if number != engine.chooser.level or engine.chooser.rank:  # else the tree is kept
            engine.set_chooser(chooser)
        return ""

    def cmd_rank(self, rank: str = "") -> str:
        """Play as a person of RANK would from now on, as 12k or 1d; `none` for full strength; without RANK, return the rank."""
        engine = self.engine
        if not rank:
            return engine.chooser.rank or "none"
        if engine.chooser.level is None:
            raise GtpError("this player has no ranks")
        from gtp_engine.engine.player.ranks.chooser import chooser_of_rank  # as above

        try:
            chooser = chooser_of_rank(rank)
        except ValueError as error:
            raise GtpError(str(error)) from error
        if chooser.rank != engine.chooser.rank or engine.chooser.level:
            engine.set_chooser(chooser)
        return ""

    def cmd_human_time(self, switch: str = "") -> str:
        """With `on`, think about as long as a person would at a rank; with `off`, only as long as needed; else return the setting."""
        engine = self.engine
        if not switch:
            return ON if engine.pace else OFF
        if switch not in (ON, OFF):
            raise GtpError(f"syntax error: human_time {ON} or {OFF}")
        from gtp_engine.engine.player.ranks.pace import Pace  # as above

        engine.pace = Pace() if switch == ON else None
        return ""


def param_value(item: Field[Any], value: Any) -> str:
    """A value as GoGui writes it: a switch as 0 or 1."""
    return str(int(value) if isinstance(item.default, bool) else value)


def param_line(item: Field[Any], value: Any) -> str:
    """One parameter as GoGui's dialog reads it: [type] key value."""
    if isinstance(item.default, bool):
        return f"[bool] {item.name} {param_value(item, value)}"
    choices = item.metadata["choices"]
    return f"[{'list/' + '/'.join(choices) if choices else 'string'}] {item.name} {value}"
