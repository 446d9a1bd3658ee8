"""The result of each test, kept in a JSON file, and the changes since the last run."""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from gtp_engine.base.files import write_file

FORMAT = 1  # of the results file


class RegressionError(Exception):
    """A run that can't begin, or results that can't be written or read; str() is one sentence."""


class TestOutcome(StrEnum):
    """The outcome of a test. The words are those of the table, the page and the JSON file."""

    __test__ = False  # it is none of pytest's

    PASS = "pass"
    FAIL = "fail"
    EXPECTED_FAIL = "expected fail"
    UNEXPECTED_PASS = "unexpected pass"

    @property
    def is_pass(self) -> bool:
        """Whether the answer was the wanted one."""
        return self in (TestOutcome.PASS, TestOutcome.UNEXPECTED_PASS)

    @staticmethod
    def of(passed: bool, known_failure: bool) -> "TestOutcome":
        """The outcome of a test that passed or failed and is or isn't known to fail."""
        if passed:
            return TestOutcome.UNEXPECTED_PASS if known_failure else TestOutcome.PASS
        return TestOutcome.EXPECTED_FAIL if known_failure else TestOutcome.FAIL


@dataclass(frozen=True)
class TestResult:
    """One test of a suite."""

    __test__ = False  # it is none of pytest's

    number: int | None
    line: int
    command: str
    expected: str  # as written between the brackets; empty if any answer but an error is right
    answer: str  # empty if there was none
    outcome: TestOutcome
    reason: str  # why there was no answer; empty otherwise
    record: str  # the last loaded record, including the move
    board: str  # the engine's `showboard` if the test failed; otherwise empty
    seconds: float


@dataclass(frozen=True)
class StepError:
    """A failed command without a number, after which tests may have a wrong position."""

    line: int
    command: str
    reason: str


@dataclass
class SuiteResult:
    """The results of one suite; complete if `not_run` is 0."""

    file: str  # relative to the folder of the results, so that both can move together
    tests: list[TestResult] = field(default_factory=list)
    errors: list[StepError] = field(default_factory=list)
    not_run: int = 0  # tests that are still to come, or were skipped by Ctrl-C
    seconds: float = 0.0

    def count(self, outcome: TestOutcome) -> int:
        """The number of tests with this outcome."""
        return sum(test.outcome is outcome for test in self.tests)

    @property
    def passes(self) -> int:
        """The number of tests with a right answer."""
        return sum(test.outcome.is_pass for test in self.tests)

    @property
    def is_good(self) -> bool:
        """True if only known failures failed, and nothing else went wrong."""
        return not self.errors and not self.count(TestOutcome.FAIL)


@dataclass
class RegressionRun:
    """One run of some suites by one engine."""

    engine: str  # the engine's own name and version
    command: str
    started: str  # local time, ISO 8601
    suites: list[SuiteResult] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def is_complete(self) -> bool:
        """True if every test was run."""
        return not any(suite.not_run for suite in self.suites)

    @property
    def is_good(self) -> bool:
        """True if every suite is good."""
        return all(suite.is_good for suite in self.suites)


@dataclass(frozen=True)
class Change:
    """A test whose answer was right in only one of two runs."""

    file: str
    test: TestResult


@dataclass(frozen=True)
class Changes:
    """The changes since each test's last run."""

    new_passes: tuple[Change, ...] = ()
    new_failures: tuple[Change, ...] = ()


class Results:
    """A folder with the last result of every test ever run there. `earlier` has those at the time of opening."""

    def __init__(self, folder: Path) -> None:
        """Raises RegressionError if the folder can't be written, or has a results file that isn't ours."""
        self.folder = folder
        self.file = folder / "results.json"
        self.page = folder / "index.html"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise RegressionError(f"{folder}: cannot be written: {error.strerror}; choose another folder") from error
        self.earlier = self._read()

    def name_of(self, path: Path) -> str:
        """A suite's name in the results: its path relative to the folder."""
        return Path(os.path.relpath(path.resolve(), self.folder.resolve())).as_posix()

    def changes(self, run: RegressionRun) -> Changes:
        """The tests of `run` that had another result before."""
        before = {key: test.outcome for suite in self.earlier for key, test in _keys(suite)}
        changed = [
            Change(suite.file, test)
            for suite in run.suites
            for key, test in _keys(suite)
            if key in before and before[key].is_pass is not test.outcome.is_pass
        ]
        return Changes(
            tuple(change for change in changed if change.test.outcome.is_pass),
            tuple(change for change in changed if not change.test.outcome.is_pass),
        )

    def keep(self, run: RegressionRun) -> None:
        """Write the results of `run`, and the earlier ones of other tests, all or nothing. Raises RegressionError."""
        done = {key for suite in run.suites for key, _ in _keys(suite)}
        earlier = []
        for suite in self.earlier:
            left = [asdict(test) for key, test in _keys(suite) if key not in done]
            if left:
                earlier.append({"file": suite.file, "tests": left})
        data = {"format": FORMAT, **asdict(run), "is_complete": run.is_complete, "earlier": earlier}
        write(self.file, json.dumps(data, indent=1, ensure_ascii=False) + "\n")

    def _read(self) -> list[SuiteResult]:
        """The last result of every test; empty without a file."""
        try:
            data = json.loads(self.file.read_text(encoding="utf-8"))
            if data["format"] != FORMAT:
                raise ValueError("another format")
            return [_suite_from(item) for item in (*data["suites"], *data["earlier"])]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise RegressionError(f"{self.file}: cannot be read: {error.strerror}; choose another folder") from error
        except (ValueError, KeyError, TypeError) as error:
            raise RegressionError(f"{self.file}: these are no results of this version; move it away or choose another folder") from error


def write(path: Path, text: str) -> None:
    """Replace a file in one step. Raises RegressionError."""
    try:
        write_file(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise RegressionError(f"{path}: cannot be written: {error.strerror}") from error


def _keys(suite: SuiteResult) -> Iterable[tuple[tuple[str, int | None, int], TestResult]]:
    """Each test with its key from run to run: file, number, and its index among those with the same number."""
    occurrences: dict[int | None, int] = {}
    for test in suite.tests:
        occurrences[test.number] = occurrences.get(test.number, 0) + 1
        yield (suite.file, test.number, occurrences[test.number]), test


def _suite_from(item: Mapping[str, Any]) -> SuiteResult:
    """A suite in the form that `keep` writes."""
    names = {field.name for field in fields(TestResult)}
    tests = []
    for values in item["tests"]:
        known_fields = {name: value for name, value in values.items() if name in names}
        tests.append(TestResult(**{**known_fields, "outcome": TestOutcome(known_fields["outcome"])}))
    return SuiteResult(item["file"], tests)
