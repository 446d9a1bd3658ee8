"""The command line's options for settings, and the configuration from options, environment and files."""

import argparse
import os
import sys
import textwrap
from argparse import SUPPRESS
from collections.abc import Callable, Container, Mapping
from dataclasses import Field
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from gtp_engine.cli.parser import HelpAll, hide
from gtp_engine.engine.config.front_end import OUR_SEARCH
from gtp_engine.engine.config.sources import COMMAND_LINE, DEFAULT, SETTINGS, ConfigError, Configuration, gather
from gtp_engine.engine.config.values import read_number, read_value
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.human_profile import rank_profile
from gtp_engine.engine.player.ranks.table import strength_of
from gtp_engine.engine.search.params import AUTO
from gtp_engine.go.rank_names import read_rank

# The options by topic. All other settings are parameters, which only `--set` sets.
GAME = ("rules", "komi", "size")
WHO_PLAYS = ("player", "player_file", "level", "rank", "human_rank", "human_network", "human_time")
CLIENTS = ("gtp_name", "gtp_version", "kgs_chat", "chat_variation", "live_graphics", "log")
PLAYING = ("ponder", "resign", "resign_threshold")  # part of the search's options
GROUPS = {
    "game": GAME,
    "who plays": WHO_PLAYS,
    "clients": CLIENTS,
    "search": (
        *("playouts", "seconds", "evaluator", "network", "backend", "precision"),
        *("threads", "memory", "ponder", "resign", "resign_threshold", "seed"),
    ),
}
PARAMETERS = tuple(name for name in SETTINGS if not any(name in names for names in GROUPS.values()))

OPTION_NAMES = {"playouts": ("--visits", "--playouts")}  # of settings; the others have their own name

MOST = 2**63 - 1  # compiled code has no larger number

STRONG_NETWORK = "strong"  # of the setting `network`: the strongest one on this machine

# The usual options, which `--help` shows; `--help-all` shows all.
COMMON = ("rules", "komi", "size", "level", "rank", "playouts", "seconds", "threads", "resign", "log")


def add_options(
    parser: argparse.ArgumentParser,
    leave_out: Container[str] = (),
    texts: Mapping[str, str] | None = None,
    common: tuple[str, ...] = COMMON,
) -> None:
    """Options for the settings in GROUPS, with meaning, unit and default, `--name` and `--no-name` for switches; `--set` for every setting.

    texts -- help texts for settings with another meaning or default here
    common -- the settings that `--help` shows
    """
    parser.add_argument("--help-all", action=HelpAll, nargs=0, help="show all options, also those for experts, and exit")
    parser.add_argument("--help-parameters", action=HelpParameters, nargs=0, help="show what --set NAME=VALUE can set, and exit")
    group = parser.add_argument_group("configuration")
    group.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="a TOML file of settings; they override those in your own file (`gtp-engine config path`)",
    )
    hide(group.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="any setting, as in a file; may be repeated"))
    for title, names in GROUPS.items():
        group = parser.add_argument_group(title)
        for name in names:
            if name not in leave_out:
                details = option_details(SETTINGS[name]) | ({"help": texts[name]} if texts and name in texts else {})
                action = group.add_argument(*OPTION_NAMES.get(name, (option_name(name),)), dest=name, default=SUPPRESS, **details)
                if name not in common:
                    hide(action)


class HelpParameters(argparse.Action):
    """`--help-parameters`: the parameters of `--set` that have no option."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> NoReturn:
        """Print it and leave."""
        print(f"Parameters of the search, set by --set NAME=VALUE or in a file:\n\n{parameters_text()}")
        sys.exit(0)


def parameters_text() -> str:
    """Each of PARAMETERS with its values and meaning."""
    lines = []
    for name in PARAMETERS:
        item = SETTINGS[name]
        details, values = item.metadata, "true or false"
        if details["choices"]:
            values = " or ".join(details["choices"])
        elif not isinstance(item.default, bool):
            values = f"{details['low']:g} to {details['high']:g} {details['unit']}".strip()
        lines.append(f"{name}={str(item.default).lower()}  ({values})")
        lines += textwrap.wrap(details["why"], 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def configuration_of(args: argparse.Namespace) -> Configuration:
    """The configuration of this process: files, environment, `--set`, then options. Raises ConfigError."""
    configuration = gather(os.environ, args.config)
    configuration.read_assignments(args.set)
    for name in SETTINGS:
        if hasattr(args, name):
            configuration.set(name, getattr(args, name), COMMAND_LINE)
    find_strong_network(configuration)
    check_level(configuration)
    check_rank(configuration)
    check_player_file(configuration)
    return configuration


def find_strong_network(configuration: Configuration) -> None:
    """Replace the network `strong` by its file, with a message; backend and precision are the fastest unless they are set.

    Raises ConfigError if there is none.
    """
    network = configuration.settings["network"]
    if network.value != STRONG_NETWORK:
        return
    from gtp_engine.engine.network.strongest import strongest_network

    try:
        path, why = strongest_network()
    except NetworkError as error:
        raise ConfigError(f"--network {STRONG_NETWORK}: {error}") from error
    print(f"gtp_engine: --network {STRONG_NETWORK} is {path}: {why}", file=sys.stderr, flush=True)
    configuration.set("network", str(path), network.source)
    for name in ("backend", "precision"):
        if configuration.settings[name].source == DEFAULT:
            configuration.set(name, AUTO, network.source)


def check_level(configuration: Configuration) -> None:
    """Raise ConfigError if a level is combined with a textbook player or a number of visits.

    A number of visits from a file or the environment is only a default, which a level replaces.
    """
    level, player, playouts = (configuration.settings[name] for name in ("level", "player", "playouts"))
    if not level.value:
        return
    if player.value != OUR_SEARCH:
        raise ConfigError(f"--level {level.value}: the player {player.value} has no levels; leave out one of the two")
    if playouts.value and playouts.source == level.source == COMMAND_LINE:
        raise ConfigError(f"--level {level.value} has its own number of visits; leave out --visits or --level")


def check_rank(configuration: Configuration) -> None:
    """Raise ConfigError for an invalid rank, or one that is combined with a level or a textbook player."""
    settings = configuration.settings
    for option, name, check in (("--rank", "rank", strength_of), ("--human-rank", "human_rank", rank_profile)):
        rank = settings[name].value
        if not rank:
            continue
        try:
            check(read_rank(str(rank)))
        except ValueError as error:
            raise ConfigError(f"{option}: {error}") from error
        if settings["level"].value:
            raise ConfigError(f"{option} {rank} and --level {settings['level'].value} are two strengths; leave out one of them")
        if settings["player"].value != OUR_SEARCH:
            raise ConfigError(f"{option} {rank}: the player {settings['player'].value} has no ranks; leave out one of the two")
    if settings["human_rank"].value and settings["rank"].value:
        raise ConfigError("--rank and --human-rank are two strengths; leave out one of them")
    if settings["human_rank"].value and not (settings["network"].value or settings["human_network"].value):
        raise ConfigError("--human-rank needs one of KataGo's human networks: name one with --network or --human-network")
    asked_for = settings["human_time"].value and settings["human_time"].source == COMMAND_LINE  # in a file it only applies with a rank
    if asked_for and not (settings["rank"].value or settings["human_rank"].value):
        raise ConfigError("--human-time is for players of a rank: name one with --rank or --human-rank")


def check_player_file(configuration: Configuration) -> None:
    """Raise ConfigError if the file is missing or combined with another player or strength.

    It is only accepted on the command line, because its code is run, which a configuration file must not do.
    """
    settings = configuration.settings
    file = settings["player_file"].value
    if not file:
        return
    if settings["player_file"].source != COMMAND_LINE:
        raise ConfigError(f"player_file runs the code in {file}: say it on the command line, as --player-file")
    if not Path(str(file)).is_file():
        raise ConfigError(f"--player-file: there is no file {file}")
    others = [name for name in ("level", "rank", "human_rank") if settings[name].value]
    others += ["player"] * (settings["player"].value != OUR_SEARCH)
    if others:
        raise ConfigError(f"--player-file and {option_name(others[0])} are two players; leave out one of them")


def option_name(setting: str) -> str:
    """`gtp_name` -> `--gtp-name`."""
    return "--" + setting.replace("_", "-")


def option_details(item: Field[Any]) -> dict[str, Any]:
    """The arguments of add_argument besides the name."""
    details = item.metadata
    default = (
        {"": "none", True: "on", False: "off"}.get(item.default, item.default) if isinstance(item.default, str | bool) else item.default
    )
    help_text = f"{details['why']} (default: {default})".replace("%", "%%")
    if isinstance(item.default, bool):
        return {"action": argparse.BooleanOptionalAction, "help": help_text}
    if details["choices"]:
        return {"choices": details["choices"], "help": help_text}
    kind = "TEXT" if isinstance(item.default, str) else "N"
    return {"type": argument(partial(read_value, item)), "metavar": details["unit"].upper().replace(" ", "_") or kind, "help": help_text}


def argument(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """`read` in argparse's form, with the text of its ValueError as the message."""

    def read_argument(text: str) -> Any:
        """`text` as a value, or argparse's own error."""
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read_argument


def whole_number(low: int, high: int) -> Callable[[str], Any]:
    """An option's type: an integer from `low` to `high`."""

    def read(text: str) -> int:
        """The number, or ValueError."""
        value = int(read_number(text, int))
        if not low <= value <= high:
            raise ValueError(f"{text[:40]!r} is not a number from {low} to {high}")
        return value

    return argument(read)


def several(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """An option's type: values separated by commas, as a tuple; `read` reads one."""
    return lambda text: tuple(read(word) for word in text.split(","))


def read_seconds(text: str) -> float:
    """A time of at least 0.1 and at most 86400 seconds. Raises ValueError."""
    seconds = read_number(text, float)
    if not 0.1 <= seconds <= 86_400:
        raise ValueError(f"{text!r} is not between 0.1 and 86400 seconds")
    return seconds


def positive(number: type[int] | type[float]) -> Callable[[str], Any]:
    """An option's type: a number above 0."""
    read_finite = number_argument(number)

    def read(text: str) -> Any:
        """The number, or ValueError."""
        value = read_finite(text)
        if value <= 0:
            raise ValueError(f"{text!r} is not above 0")
        return value

    return argument(read)


def number_argument(number: type[int] | type[float]) -> Callable[[str], Any]:
    """An option's type: a finite number; integers fit into 64 bits."""

    def read(text: str) -> Any:
        """The number, or ValueError."""
        value = read_number(text, number)
        if number is int and abs(value) > MOST:
            raise ValueError(f"{text[:40]!r} is too large")
        return value

    return argument(read)
