"""Values of one search parameter against each other: a tournament of our own engine against itself."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from typing import Any

from gtp_engine.base.own_command import OWN_COMMAND
from gtp_engine.engine.config.sources import gather
from gtp_engine.engine.config.values import read_value, suggestion
from gtp_engine.engine.network.loading import kind_for
from gtp_engine.engine.search.params import COUNTS_WITH, SearchParams, evaluator_for, has_effect
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tables import elo_range
from gtp_engine.tools.match.tournament import Tournament, TournamentError
from gtp_engine.tools.match.tournament_file import tournament_from

PARAMETERS: dict[str, Field[Any]] = {item.name: item for item in fields(SearchParams)}
LIMITS = ("playouts", "seconds")  # one of them ends every search
UNCOMPARABLE = {"seed": "it changes luck, not strength", "memory": "it matters only when it is full"}


def tuning_tournament(
    parameter: str, values: Sequence[str], limit: Mapping[str, float], common: Mapping[str, str], settings: Mapping[str, Any]
) -> Tournament:
    """A round robin of one player for each value. Raises TournamentError, a sentence, for invalid arguments.

    parameter -- a field of SearchParams; `values` are spelled as on the command line
    limit -- {"playouts": N} or {"seconds": T} of a move; empty if that is tuned
    common -- other fields of SearchParams for all players, spelled the same way
    settings -- fields of Tournament, as in a tournament file
    """
    check_limit(parameter, limit)
    if parameter in UNCOMPARABLE:
        raise TournamentError(f"{parameter} cannot be tuned: {UNCOMPARABLE[parameter]}")
    read = [read_parameter(parameter, text) for text in values]
    if len(read) < 2:
        raise TournamentError(f"give two or more values of {parameter} to compare")
    if len(set(read)) < len(read):
        raise TournamentError(f"a value of {parameter} is there twice")
    options = shared_options([parameter], limit, common)
    players = [_player(parameter, value, options) for value in read]
    tournament = tournament_from({**settings, "player": players})
    check_effect(parameter, common, tournament.size, read)
    return tournament


def result_table(standings: Standings, parameter: str) -> str:
    """The result as a Markdown table, for docs/lab/parameters.md."""
    lines = [f"| `{parameter}` | won, lost, drawn | Elo |", "|---|---|---|"]
    for rating in standings.ratings.players:
        tally = standings.total(rating.name)
        elo = "0, the default" if rating.is_anchor else f"{rating.elo:+.0f} [{elo_range(*rating.interval)}]"
        lines.append(f"| {rating.name.removeprefix(parameter).strip()} | {tally.wins}, {tally.losses}, {tally.draws} | {elo} |")
    return "\n".join(lines)


def shared_options(tuned: Sequence[str], limit: Mapping[str, float], common: Mapping[str, str]) -> list[str]:
    """The settings of all players except the tuned parameters, each as KEY=VALUE. Raises TournamentError."""
    fixed = {"threads": "1", **{name: spelled(read_parameter(name, text)) for name, text in common.items()}}
    fixed |= {name: spelled(read_parameter(name, spelled(value))) for name, value in limit.items()}
    for parameter in tuned:
        if parameter in common:
            raise TournamentError(f"{parameter} is what is tuned: leave out --set {parameter}={common[parameter]}")
    return [f"{name}={text}" for name, text in fixed.items() if name not in tuned]


def own_tournament(
    tuned: Sequence[str], names: Sequence[str], limit: Mapping[str, float], common: Mapping[str, str], settings: Mapping[str, Any]
) -> Tournament:
    """Our engine against itself under these names, with the same settings except `tuned`, which each game sets.

    Other arguments are those of `tuning_tournament`. Raises TournamentError.
    """
    check_limit("", limit)
    command = command_of(shared_options(tuned, limit, common))
    tournament = tournament_from({**settings, "player": [{"name": name, "command": command} for name in names]})
    for parameter in tuned:
        check_effect(parameter, common, tournament.size)
    return tournament


def check_limit(parameter: str, limit: Mapping[str, float]) -> None:
    """Raise TournamentError unless each search has exactly one limit."""
    if parameter in LIMITS:
        if limit:
            raise TournamentError(f"{parameter} is what is tuned: leave out --{next(iter(limit))}")
    elif len(limit) != 1 or 0 in limit.values():
        raise TournamentError("say how long to think of a move: --playouts N or --seconds T, one of the two")


def check_effect(parameter: str, common: Mapping[str, str], size: int, values: Sequence[Any] = ()) -> None:
    """Raise TournamentError if the parameter, or with `values` these values, have no effect with the evaluator in use.

    The evaluator is that of `common`, see `tuning_tournament`, otherwise that of the user's own files, which the players also use.
    """
    own = gather(os.environ).settings
    params = SearchParams(**{name: common.get(name, own[name].value) for name in ("evaluator", "network")})
    evaluator = kind_for(evaluator_for(params.evaluator, size), params)
    if has_effect(parameter, evaluator, values):
        return
    needs = PARAMETERS[parameter].metadata["needs"]
    raise TournamentError(
        f"{parameter} has an effect {needs} only, and on {size}x{size} the evaluator is {evaluator}: "
        f"name another one with --set evaluator={COUNTS_WITH[needs][0]}"
    )


def read_parameter(name: str, text: str) -> Any:
    """The value of a parameter of the search. Raises TournamentError."""
    if name not in PARAMETERS:
        raise TournamentError(f"unknown parameter {name[:40]!r}{suggestion(name, PARAMETERS)}")
    try:
        return read_value(PARAMETERS[name], text)
    except ValueError as error:
        raise TournamentError(str(error)) from error


def command_of(options: Sequence[str]) -> list[str]:
    """The command of our own engine with these settings, each as KEY=VALUE."""
    return [*OWN_COMMAND, "gtp", *(word for option in options for word in ("--set", option))]


def _player(parameter: str, value: Any, options: Sequence[str]) -> dict[str, Any]:
    """A player as in a tournament file; the default value's rating is 0."""
    command = command_of([*options, f"{parameter}={spelled(value)}"])
    player: dict[str, Any] = {"name": f"{parameter} {spelled(value)}", "command": command}
    return player | ({"anchor": 0.0} if value == PARAMETERS[parameter].default else {})


def spelled(value: Any) -> str:
    """A value as text for a setting."""
    return str(value).lower() if isinstance(value, bool) else f"{value:.10g}" if isinstance(value, float) else str(value)
