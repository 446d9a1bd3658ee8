"""Tuning: our own engine with different values of one search parameter, as a tournament against itself."""

from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from typing import Any

from gtp_engine.config.values import read_value, suggestion
from gtp_engine.match.standings import Standings
from gtp_engine.match.tables import elo_range
from gtp_engine.match.tournament import Tournament, TournamentError
from gtp_engine.match.tournament_file import tournament_from
from gtp_engine.own_command import OWN_COMMAND
from gtp_engine.search.params import SearchParams

PARAMETERS: dict[str, Field[Any]] = {item.name: item for item in fields(SearchParams)}
LIMITS = ("playouts", "seconds")  # one of them ends every search
UNTUNABLE = {"seed": "it changes luck, not strength", "memory": "it matters only when it is full"}


def tuning_tournament(
    parameter: str, values: Sequence[str], limit: Mapping[str, float], common: Mapping[str, str], settings: Mapping[str, Any]
) -> Tournament:
    """A round robin of one player for each value. Raises TournamentError, in a sentence, for whatever makes no sense.

    parameter -- a field of SearchParams; `values` are spelled as on the command line
    limit -- {"playouts": N} or {"seconds": T} of a move; empty when that is what is tuned
    common -- other fields of SearchParams for all players, spelled likewise
    settings -- fields of Tournament, as a tournament file has them
    """
    _check_limit(parameter, limit)
    if parameter in UNTUNABLE:
        raise TournamentError(f"{parameter} cannot be tuned: {UNTUNABLE[parameter]}")
    read = [_read(parameter, text) for text in values]
    if len(read) < 2:
        raise TournamentError(f"give two or more values of {parameter} to compare")
    if len(set(read)) < len(read):
        raise TournamentError(f"a value of {parameter} is there twice")
    fixed = {"threads": "1", **{name: spelled(_read(name, text)) for name, text in common.items()}}
    fixed |= {name: spelled(_read(name, spelled(value))) for name, value in limit.items()}
    if parameter in common:
        raise TournamentError(f"{parameter} is what is tuned: leave out --set {parameter}={common[parameter]}")
    options = [f"{name}={text}" for name, text in fixed.items() if name != parameter]
    players = [_player(parameter, value, options) for value in read]
    return tournament_from({**settings, "player": players})


def result_table(standings: Standings, parameter: str) -> str:
    """The result as a Markdown table, for docs/lab/parameters.md."""
    lines = [f"| `{parameter}` | won, lost, drawn | Elo |", "|---|---|---|"]
    for rating in standings.ratings.players:
        tally = standings.total(rating.name)
        elo = "0, the default" if rating.is_anchor else f"{rating.elo:+.0f} [{elo_range(*rating.interval)}]"
        lines.append(f"| {rating.name.removeprefix(parameter).strip()} | {tally.wins}, {tally.losses}, {tally.draws} | {elo} |")
    return "\n".join(lines)


def _check_limit(parameter: str, limit: Mapping[str, float]) -> None:
    """Raise TournamentError unless exactly one thing limits each search."""
    if parameter in LIMITS:
        if limit:
            raise TournamentError(f"{parameter} is what is tuned: leave out --{next(iter(limit))}")
    elif len(limit) != 1 or 0 in limit.values():
        raise TournamentError("say how long to think of a move: --playouts N or --seconds T, one of the two")


def _read(name: str, text: str) -> Any:
    """The value of a parameter. Raises TournamentError."""
    if name not in PARAMETERS:
        raise TournamentError(f"unknown parameter {name[:40]!r}{suggestion(name, PARAMETERS)}")
    try:
        return read_value(PARAMETERS[name], text)
    except ValueError as error:
        raise TournamentError(str(error)) from error


def _player(parameter: str, value: Any, options: Sequence[str]) -> dict[str, Any]:
    """A player as a tournament file has it; the default value's rating is 0."""
    command = [*OWN_COMMAND, "gtp"]
    for option in [*options, f"{parameter}={spelled(value)}"]:
        command += ["--set", option]
    player: dict[str, Any] = {"name": f"{parameter} {spelled(value)}", "command": command}
    return player | ({"anchor": 0.0} if value == PARAMETERS[parameter].default else {})


def spelled(value: Any) -> str:
    """A value as a setting's text."""
    return str(value).lower() if isinstance(value, bool) else f"{value:.10g}" if isinstance(value, float) else str(value)
