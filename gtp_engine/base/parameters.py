"""Parameters that people may set: dataclass fields with unit, default, bounds and the reason for the default.

A class of parameters is declared once; `record_fields` makes the compiled record's fields from it.
Plain Python: the command line and the configuration are made from these fields before numpy is imported.
"""

from dataclasses import dataclass, field, fields
from typing import Any


def parameter(
    default: Any,
    unit: str,
    why: str,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    needs: str = "",
) -> Any:
    """A dataclass field with `unit`, `why` (meaning and reason for the default), and its bounds or choices.

    needs -- the condition under which it has an effect, put before `why`; empty: always
    """
    why = f"{needs}: {why}" if needs else why
    return field(default=default, metadata={"unit": unit, "why": why, "low": low, "high": high, "choices": choices, "needs": needs})


def share(default: float, why: str, needs: str = "", unit: str = "") -> Any:
    """A parameter from 0 to 1."""
    return parameter(default, unit, why, 0.0, 1.0, needs=needs)


@dataclass(frozen=True)
class Parameters:
    """Base of a class of parameters. Raises ValueError, naming the field, for a value outside its bounds."""

    def __post_init__(self) -> None:
        for item in fields(self):
            check_value(item.name, item.metadata, getattr(self, item.name))


def check_value(name: str, metadata: Any, value: Any) -> None:
    """Raise ValueError if `value` is outside the bounds or choices in `metadata`; the text has the name and the valid values."""
    choices, low, high = metadata["choices"], metadata["low"], metadata["high"]
    if choices and value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    if low is not None and not low <= value <= high:
        raise ValueError(f"{name} must be between {low:g} and {high:g}, not {value!r}")


def record_fields(parameters: type) -> list[tuple[str, str]]:
    """(name, numpy type) of a record with a field for each parameter of the class: integers and switches int32, numbers float64.

    A choice is stored as the index of the word. Raises TypeError for a text without choices.
    """
    return [(item.name, field_type(item)) for item in fields(parameters)]


def field_type(item: Any) -> str:
    """The numpy type of one parameter."""
    if isinstance(item.default, str) and not item.metadata["choices"]:
        raise TypeError(f"{item.name} is a text, which compiled code can't read")
    return "f8" if isinstance(item.default, float) else "i4"


def fill_record(record: Any, parameters: type, values: Any) -> None:
    """Set every field of `record` that record_fields made from the class; `values` has the parameters as attributes."""
    for item in fields(parameters):
        value = getattr(values, item.name)
        record[item.name] = item.metadata["choices"].index(value) if isinstance(value, str) else value
