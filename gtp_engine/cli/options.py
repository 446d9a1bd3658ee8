"""Options of the command line made from the fields of SearchParams, and back."""

import argparse
import math
from dataclasses import Field, fields
from functools import partial
from typing import Any

from gtp_engine.search.params import SearchParams


def add_search_options(parser: argparse.ArgumentParser) -> None:
    """An option for each search parameter, with its meaning, unit and default; `--name` and `--no-name` for switches."""
    group = parser.add_argument_group("search")
    for item in fields(SearchParams):
        group.add_argument(option_name(item.name), dest=item.name, default=item.default, **option_details(item))


def search_params(args: argparse.Namespace) -> SearchParams:
    """The parameters that the options say."""
    return SearchParams(**{item.name: getattr(args, item.name) for item in fields(SearchParams)})


def option_name(parameter: str) -> str:
    """`resign_moves` -> `--resign-moves`."""
    return "--" + parameter.replace("_", "-")


def option_details(item: Field[Any]) -> dict[str, Any]:
    """What add_argument needs besides the name and the default."""
    details = item.metadata
    help_text = f"{details['why']} (default: {item.default})".replace("%", "%%")
    if isinstance(item.default, bool):
        return {"action": argparse.BooleanOptionalAction, "help": help_text}
    if details["choices"]:
        return {"choices": details["choices"], "help": help_text}
    number = int if isinstance(item.default, int) else float
    read = partial(read_number_within, item.name, number=number, low=details["low"], high=details["high"])
    return {"type": read, "metavar": details["unit"].upper().replace(" ", "_") or "N", "help": help_text}


def read_number_within(name: str, text: str, number: type[int] | type[float], low: float, high: float) -> float:
    """`text` as a number between `low` and `high`; refuses any other with the nearest bound."""
    value = read_number(text, number)
    if not low <= value <= high:
        nearest = min(max(value, low), high)
        raise argparse.ArgumentTypeError(f"{name} must be between {low:g} and {high:g}, not {text}; the nearest is {nearest:g}")
    return value


def read_number(text: str, number: type[int] | type[float]) -> float:
    """`text` as an int or a finite float; refuses anything else with the nearest number where there is one."""
    try:
        value = number(text)
    except ValueError:
        kind = "a whole number" if number is int else "a number"
        raise argparse.ArgumentTypeError(f"{text!r} is not {kind}{nearest_whole(text, number)}") from None
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a finite number")
    return value


def nearest_whole(text: str, number: type[int] | type[float]) -> str:
    """`; the nearest is N` when a whole number is wanted and `text` is a fraction."""
    try:
        value = float(text)
    except ValueError:
        return ""
    return f"; the nearest is {round(value)}" if number is int and math.isfinite(value) else ""
