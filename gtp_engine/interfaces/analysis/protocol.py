"""The protocol's lines: parses a line as a JSON object and its fields by type; a refusal names the field. Knows no Go."""

import json
import math
import threading
from collections.abc import Mapping
from typing import Any, BinaryIO

BYTE_ORDER_MARK = "\ufeff"  # which some programs on Windows write first
LARGEST = 2**62  # integer
LONGEST_ECHO = 200  # characters of a line that can't be read


class Refusal(Exception):
    """A query that can't be answered; str() says what is wrong, `field` with which field, if any."""

    def __init__(self, text: str, field: str | None = None) -> None:
        super().__init__(text)
        self.field = field


def parse(line: str) -> dict[str, Any]:
    """The JSON object on a line, perhaps after a byte order mark. Raises Refusal."""
    try:
        value = json.loads(line.removeprefix(BYTE_ORDER_MARK), parse_constant=refuse_constant, parse_float=finite)
    except (ValueError, RecursionError) as error:
        raise Refusal(f"this line is no JSON ({error}): {line[:LONGEST_ECHO]}") from error
    if not isinstance(value, dict):
        raise Refusal(f"this line is JSON, but no object: {line[:LONGEST_ECHO]}")
    return value


def finite(text: str) -> float:
    """A JSON number. Raises ValueError for one that is too large: as infinity it couldn't be written back."""
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:LONGEST_ECHO]} is too large")
    return value


def refuse_constant(name: str) -> None:
    """Raise ValueError for NaN and Infinity, which Python accepts but JSON doesn't have."""
    raise ValueError(f"there is no {name} in JSON")


def id_of(message: Mapping[str, Any]) -> str:
    """The text under `id`. Raises Refusal."""
    value = message.get("id")
    if not isinstance(value, str):
        raise Refusal('a query must have an "id", a text')
    return value


def error_message(refusal: Refusal, query_id: str | None) -> dict[str, Any]:
    """The message for a query that can't be answered."""
    message: dict[str, Any] = {"error": str(refusal)}
    if query_id is not None:
        message["id"] = query_id
    if refusal.field is not None:
        message["field"] = refusal.field
    return message


def warning_message(text: str, field: str, query_id: str) -> dict[str, Any]:
    """The message for a query that is answered with a restriction."""
    return {"warning": text, "field": field, "id": query_id}


class Fields:
    """The fields of a message by type. Every method raises Refusal, naming the field, for a value of another kind or out of bounds."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def has(self, name: str) -> bool:
        """True if the field exists."""
        return name in self.values

    def integer(self, name: str, low: int, high: int = LARGEST, default: int | None = None) -> int:
        """An integer from `low` to `high`. Without a default the field is required."""
        value = self.values.get(name, default)
        if not is_integer(value) or not low <= value <= high:
            raise Refusal(f"must be a whole number from {low} to {high}", name)
        return int(value)

    def number(self, name: str, low: float, high: float, default: float | None = None) -> float:
        """A number from `low` to `high`."""
        value = self.values.get(name, default)
        if not is_number(value) or not low <= value <= high:
            raise Refusal(f"must be a number from {low:g} to {high:g}", name)
        return float(value)

    def boolean(self, name: str) -> bool:
        """True or false; false if the field is missing."""
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise Refusal("must be true or false", name)
        return value

    def integers(self, name: str) -> list[int]:
        """A list of integers."""
        return [int(value) for value in self.items(name) if is_integer(value) or refuse("must be a list of whole numbers", name)]

    def items(self, name: str) -> list[Any]:
        """A list of anything."""
        value = self.values.get(name)
        if not isinstance(value, list):
            raise Refusal("must be a list", name)
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """An object; an empty one if the field is missing."""
        value = self.values.get(name, {})
        if not isinstance(value, dict):
            raise Refusal("must be an object", name)
        return value


def refuse(text: str, field: str) -> bool:
    """Raise a Refusal, for use in an expression."""
    raise Refusal(text, field)


def is_integer(value: Any) -> bool:
    """True for an integer; JSON's true and false aren't integers."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """True for a finite number."""
    return is_integer(value) or (isinstance(value, float) and math.isfinite(value))


class LineWriter:
    """Writes messages, one in each line, and flushes them. For several threads."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._lock = threading.Lock()

    def send(self, message: Mapping[str, Any]) -> None:
        """Write a message. Raises BrokenPipeError if nobody reads any more."""
        line = json.dumps(message, separators=(",", ":")) + "\n"
        with self._lock:
            self._sink.write(line.encode())
            self._sink.flush()
