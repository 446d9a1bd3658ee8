"""A tournament from a TOML file, or from a table of the same form. For an unknown key the error names the nearest valid one."""

import difflib
import math
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from gtp_engine.base import systems
from gtp_engine.base.files import read_file
from gtp_engine.tools.match.tournament import RANDOM_OPENINGS, Player, Sprt, TimeControl, Tournament, TournamentError

Section = TypeVar("Section", Player, Sprt, TimeControl, Tournament)

LARGEST_FILE = 1_000_000  # bytes
WORDS = ("command", "referee")  # command lines: a string, split like in a shell, or a list of words
KINDS: dict[object, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a text"),
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    float | None: ((int, float), "a number"),
}


def load_tournament(path: Path) -> Tournament:
    """Read and check a file. A folder of openings is relative to the file. Raises TournamentError."""
    try:
        table = tomllib.loads(read_file(path, LARGEST_FILE).decode("utf-8-sig"))
    except OSError as error:
        raise TournamentError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TournamentError(f"{path}: {error}") from error
    except RecursionError as error:
        raise TournamentError(f"{path}: it is nested too deeply") from error
    openings = table.get("openings")
    if isinstance(openings, str) and not openings.startswith(RANDOM_OPENINGS):
        table["openings"] = str(path.parent / openings)
    try:
        return tournament_from(table)
    except TournamentError as error:
        raise TournamentError(f"{path}: {error}") from error


def tournament_from(table: Mapping[str, Any]) -> Tournament:
    """The tournament that a table describes: keys are the fields of Tournament, with `player` for the list of players.

    Raises TournamentError for an unknown key, a wrong type, and all errors of Tournament.check.
    """
    values = dict(table)
    if "players" in values:
        raise TournamentError("unknown key 'players'; did you mean player?")
    players = values.pop("player", [])
    if not isinstance(players, list) or not all(isinstance(player, dict) for player in players):
        raise TournamentError("players are written as [[player]] sections")
    values["players"] = tuple(_read(Player, player, f"player {number}: ") for number, player in enumerate(players, 1))
    for name, section in (("time", TimeControl), ("sprt", Sprt)):
        if values.get(name) is not None:
            if not isinstance(values[name], dict):
                raise TournamentError(f"{name} is written as a section [{name}]")
            values[name] = _read(section, values[name], f"{name}: ")  # type: ignore[type-var]  # a union of two types that are both valid
    tournament = _read(Tournament, values, "", ready=("players", "time", "sprt"))
    tournament.check()
    return tournament


def split_command(text: str) -> tuple[str, ...]:
    """The words of a command line, quoted as in a shell. Raises TournamentError."""
    try:
        return tuple(systems.split_command(text))
    except ValueError as error:
        raise TournamentError(f"the command {text[:60]!r} cannot be split into words: {error}") from error


def _read(section: type[Section], table: Mapping[str, Any], where: str, ready: tuple[str, ...] = ()) -> Section:
    """A table as a dataclass; values named in `ready` are used unchanged."""
    types = get_type_hints(section)
    names = [item.name for item in fields(section)]
    for name in table:
        if name not in names:
            near = difflib.get_close_matches(str(name), names, 1)
            raise TournamentError(f"{where}unknown key {str(name)[:40]!r}" + (f"; did you mean {near[0]}?" if near else ""))
    missing = [item.name for item in fields(section) if item.default is MISSING and item.name not in table]
    if missing:
        raise TournamentError(f"{where}{missing[0]} is missing")
    values: dict[str, Any] = {name: value if name in ready else _value(name, value, types[name], where) for name, value in table.items()}
    return section(**values)


def _value(name: str, value: object, kind: object, where: str) -> object:
    """`value` as the type of its field."""
    if kind == tuple[str, ...]:
        if isinstance(value, str):
            return split_command(value) if name in WORDS else (value,)
        if isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value):
            return tuple(value)
        raise TournamentError(f"{where}{name} must be a text or a list of texts, not {value!r}")
    accepted, description = KINDS[kind]
    is_stray_bool = isinstance(value, bool) and kind is not bool
    if not isinstance(value, accepted) or is_stray_bool or (isinstance(value, float) and not math.isfinite(value)):
        raise TournamentError(f"{where}{name} must be {description}, not {value!r}")
    return float(value) if isinstance(value, int) and float in accepted else value
