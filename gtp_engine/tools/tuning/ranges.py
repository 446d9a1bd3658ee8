"""The parameters to tune together, each with a range and a start. Internally a range is from 0 to 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gtp_engine.tools.match.tournament import TournamentError
from gtp_engine.tools.tuning.values import PARAMETERS, read_parameter, spelled

FORM = "NAME=LOW:HIGH or NAME=LOW:HIGH:START"
UNTUNABLE = {
    "seed": "it changes luck, not strength",
    "memory": "it matters only when it is full",
    "cached_positions": "it matters only when they are too few",
    "threads": "players with more threads have more time",
    "playouts": "more of them are stronger, and slower",
    "seconds": "more of them are stronger",
}


@dataclass(frozen=True)
class ParameterRange:
    """The range in which to find a parameter's best value. All values are those of the engine."""

    name: str
    low: float
    high: float
    start: float
    is_whole: bool = False  # True: the engine takes integers only

    def value_at(self, share: float) -> float:
        """The value at `share` of the range, where 0 is `low` and 1 is `high`; rounded for integers."""
        value = self.low + share * (self.high - self.low)
        return float(round(value)) if self.is_whole else value

    def share_of(self, value: float) -> float:
        """The inverse of value_at."""
        return (value - self.low) / (self.high - self.low)

    def text_at(self, share: float) -> str:
        """The value as text for the engine: four digits are more than games can determine."""
        value = self.value_at(share)
        return str(int(value)) if self.is_whole else f"{float(f'{value:.4g}'):.10g}"  # 10000, not 1e+04


def read_ranges(texts: Sequence[str]) -> tuple[ParameterRange, ...]:
    """The ranges of a command line, each in the form FORM. Raises TournamentError, a sentence, for invalid ones."""
    ranges = tuple(read_range(text) for text in texts)
    names = [parameter.name for parameter in ranges]
    for name in names:
        if names.count(name) > 1:
            raise TournamentError(f"{name} is there twice")
    return ranges


def read_range(text: str) -> ParameterRange:
    """The range in a text. Raises TournamentError."""
    name, equals, rest = text.partition("=")
    name = name.strip().replace("-", "_")
    numbers = rest.split(":")
    if not equals or not name or len(numbers) not in (2, 3):
        raise TournamentError(f"--parameter takes {FORM}, not {text[:60]!r}")
    low, high, *optional_start = [_number(name, number.strip()) for number in numbers]
    if low >= high:
        raise TournamentError(f"{name}: {spelled(low)} is not less than {spelled(high)}; write the lower end first")
    start: float = optional_start[0] if optional_start else float(PARAMETERS[name].default)  # type: ignore[arg-type]  # a number, as _number has checked
    if not low <= start <= high:
        start_text = "the start" if optional_start else "its default"
        hint = "" if optional_start else f"; write where to start: {name}={rest}:START"
        raise TournamentError(f"{name}: {start_text}, {spelled(start)}, is not between {spelled(low)} and {spelled(high)}{hint}")
    return ParameterRange(name, low, high, start, isinstance(PARAMETERS[name].default, int))


def _number(name: str, text: str) -> Any:
    """A value of a parameter that is a number. Raises TournamentError."""
    if name in UNTUNABLE:
        raise TournamentError(f"{name} cannot be tuned: {UNTUNABLE[name]}")
    if name in PARAMETERS and (isinstance(PARAMETERS[name].default, bool) or not isinstance(PARAMETERS[name].default, (int, float))):
        raise TournamentError(f"{name} has no range, it is no number; compare its values: gtp-engine tune {name} VALUE VALUE ...")
    return read_parameter(name, text)
