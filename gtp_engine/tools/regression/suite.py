"""A suite: a file of GTP commands with expected answers, in the form of gogui-regress.

The rules are those of its manual and its behavior in GoGui 1.6. A command with a number is a test. The line `#? [PATTERN]` after it gives
the expected answer: a regular expression that must match all of it, with `!` before it for the opposite, and `*` after the bracket for a
known failure. A test without such a line only must not be refused. All other lines that begin with `#` are comments. A name `@FILE` stands
for the files that FILE lists, one in a line.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gtp_engine.base.files import read_file
from gtp_engine.tools.regression.matching import fits

COMMAND = re.compile(r"(?:(\d+) +)?(.*)", re.DOTALL)
RECORD = re.compile(r"loadsgf\s+(\S.*)")  # followed by the file, and perhaps the move
ANSWER = "#?"
KNOWN_FAILURE = "*"
PATIENCE = 10.0  # seconds for a pattern
LARGEST_FILE = 100_000_000  # bytes


class SuiteError(Exception):
    """A suite that can't be read; str() is one sentence that begins with its file and perhaps the line."""


@dataclass(frozen=True)
class Expectation:
    """An expected answer."""

    text: str  # as written between the brackets
    pattern: re.Pattern[str]  # must match the whole answer; `.` also matches a line end
    negated: bool = False  # ... or must not match it
    known_failure: bool = False

    def is_met_by(self, answer: str, patience: float = PATIENCE) -> bool:
        """True if `answer`, without `=`, number and outer spaces, is right. Raises MatchTimeout after `patience` seconds."""
        return fits(self.pattern, answer, patience) is not self.negated


@dataclass(frozen=True)
class Step:
    """A command of a suite. It is a test if it has a number or an expectation."""

    line: int  # line number, from 1
    number: int | None
    command: str  # without the number
    expectation: Expectation | None = None

    @property
    def is_test(self) -> bool:
        """True if the answer is judged."""
        return self.number is not None or self.expectation is not None

    @property
    def record(self) -> str:
        """The arguments of `loadsgf`; empty for other commands."""
        match = RECORD.fullmatch(self.command)
        return match[1].strip() if match else ""


@dataclass(frozen=True)
class Suite:
    """The steps of a file, in order."""

    path: Path
    steps: tuple[Step, ...]

    @property
    def tests(self) -> int:
        """The number of steps that are tests."""
        return sum(step.is_test for step in self.steps)


def read_suites(names: Iterable[str]) -> list[Suite]:
    """The suites with these names, with `@FILE` replaced by the names in that file. Raises SuiteError, also for a repeated file."""
    suites = [read_suite(path) for path in _paths(names, ())]
    paths = [suite.path.resolve() for suite in suites]
    for i, path in enumerate(paths):
        if path in paths[:i]:
            raise SuiteError(f"{suites[i].path}: this file is named twice; name it once")
    return suites


def read_suite(path: Path) -> Suite:
    """The suite in a file. Raises SuiteError for a file that can't be read, has no command, or has an invalid expected answer."""
    return Suite(path, tuple(_steps(path, _read(path))))


def _paths(names: Iterable[str], parents: tuple[str, ...]) -> Iterator[Path]:
    """The files of these names; `parents` are the lists being read. Names in a list are relative to the current folder, as in GoGui."""
    for name in names:
        if not name.startswith("@"):
            yield Path(name)
        elif name in parents:
            raise SuiteError(f"{name[1:]}: this list names itself; take the line out")
        else:
            lines = (line.strip() for line in _read(Path(name[1:])).splitlines())
            yield from _paths((line for line in lines if line and not line.startswith("#")), (*parents, name))


def _read(path: Path) -> str:
    try:
        return read_file(path, LARGEST_FILE).decode("utf-8")
    except OSError as error:
        raise SuiteError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SuiteError(f"{path}: this is no text in UTF-8; is it a suite?") from error
    except ValueError as error:  # a NUL in the path
        raise SuiteError(f"{str(path)!r}: this is not the name of a file") from error


def _steps(path: Path, text: str) -> list[Step]:
    steps: list[Step] = []
    open_step = False  # True if the last step may still get its expected answer
    for i, raw in enumerate(text.splitlines(), 1):
        line = raw.strip().replace("\t", " ")
        if line.startswith(ANSWER):
            if not open_step:
                raise SuiteError(f"{path}, line {i}: there is no command right before this answer; put it behind its command")
            last = steps[-1]
            steps[-1] = Step(last.line, last.number, last.command, _expectation(path, i, line.removeprefix(ANSWER).strip()))
            open_step = False
        elif line and not line.startswith("#"):
            match = COMMAND.fullmatch(line)
            assert match is not None
            steps.append(Step(i, int(match[1]) if match[1] else None, match[2]))
            open_step = True
        else:
            open_step = False
    if not steps:
        raise SuiteError(f"{path}: there is no command in this file; is it a suite?")
    return steps


def _expectation(path: Path, line: int, text: str) -> Expectation | None:
    """The expected answer after `#?`; without a pattern, any answer that isn't an error."""
    if not text:
        return None
    known_failure = text.endswith(KNOWN_FAILURE)
    inner = text.removesuffix(KNOWN_FAILURE)
    if not (inner.startswith("[") and inner.endswith("]") and len(inner) > 1):
        raise SuiteError(f"{path}, line {line}: an answer is written #? [PATTERN], with a * behind it if the failure is known")
    inner = inner[1:-1].strip()
    negated = inner.startswith("!")
    try:
        pattern = re.compile(inner.removeprefix("!"), re.MULTILINE | re.DOTALL)
    except (re.error, RecursionError, OverflowError) as error:
        raise SuiteError(f"{path}, line {line}: {inner[:60]!r} is no regular expression: {error}") from error
    return Expectation(inner, pattern, negated, known_failure)
