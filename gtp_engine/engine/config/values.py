"""Converts a text, or a value from a TOML file, to the value of a setting. Errors suggest the nearest valid value.

A setting is a dataclass field made by `parameter`: its default gives the type, its metadata the bounds or choices.
"""

import math
from collections.abc import Iterable
from dataclasses import Field
from typing import Any

SWITCH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def read_value(item: Field[Any], text: str) -> Any:
    """The setting's value in `text`. Raises ValueError."""
    if isinstance(item.default, bool):
        value = SWITCH.get(text.lower())
        if value is None:
            raise ValueError(f"{item.name} must be true or false, not {text!r}")
        return value
    if isinstance(item.default, (int, float)):
        number = int if isinstance(item.default, int) else float
        return read_number_within(item.name, text, number, item.metadata["low"], item.metadata["high"])
    return check_choice(item, text)


def check_value(item: Field[Any], value: Any) -> Any:
    """A value of a TOML file as the setting's type. Raises ValueError for another type or a value out of bounds."""
    if isinstance(item.default, (bool, str)):
        if type(value) is not type(item.default):
            kind = "true or false" if isinstance(item.default, bool) else "a text in quotes"
            raise ValueError(f"{item.name} must be {kind}, not {value!r}")
        return check_choice(item, value) if isinstance(value, str) else value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{item.name} must be a number, not {value!r}")
    return read_value(item, str(value))


def check_choice(item: Field[Any], text: str) -> str:
    """`text` if it is a valid choice. Raises ValueError with the nearest choice."""
    choices = item.metadata["choices"]
    if choices and text not in choices:
        raise ValueError(f"{item.name} must be one of {', '.join(choices)}, not {text!r}{suggestion(text, choices)}")
    return text


def read_number_within(name: str, text: str, number: type[int] | type[float], low: float, high: float) -> float:
    """`text` as a number between `low` and `high`. Raises ValueError with the nearest bound."""
    value = read_number(text, number)
    if not low <= value <= high:
        nearest = min(max(value, low), high)
        raise ValueError(f"{name} must be between {low:g} and {high:g}, not {text[:40]}; the nearest is {nearest:g}")
    return value


def read_number(text: str, number: type[int] | type[float]) -> float:
    """`text` as an int or a finite float. Raises ValueError, with the nearest number if there is one."""
    try:
        value = number(text)
    except ValueError:
        kind = "a whole number" if number is int else "a number"
        raise ValueError(f"{text!r} is not {kind}{nearest_whole(text, number)}") from None
    if isinstance(value, float) and not math.isfinite(value):  # an integer may be too large for a float
        raise ValueError(f"{text[:40]!r} is not a finite number")
    return value


def nearest_whole(text: str, number: type[int] | type[float]) -> str:
    """`; the nearest is N` if an integer is required and `text` is a fraction."""
    try:
        value = float(text)
    except ValueError:
        return ""
    return f"; the nearest is {round(value)}" if number is int and math.isfinite(value) else ""


def suggestion(word: str, words: Iterable[str]) -> str:
    """`; did you mean ...?` with the nearest of `words`, or nothing if none is near."""
    import difflib  # not above: only mistakes need it, and the handshake doesn't wait

    nearest = difflib.get_close_matches(word, list(words), n=1, cutoff=0.5)
    return f"; did you mean {nearest[0]}?" if nearest else ""
