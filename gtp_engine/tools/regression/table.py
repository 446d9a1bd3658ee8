"""A run as text for the terminal: a row for each suite, the failures, and the changes."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from gtp_engine.tools.regression.results import Change, Changes, RegressionRun, SuiteResult, TestOutcome, TestResult

MAX_ANSWER = 60  # shown characters of an answer
HEADS = ("suite", "tests", "pass", "fail", "expected fail", "unexpected pass", "errors", "seconds")


def as_table(run: RegressionRun, changes: Changes) -> str:
    """The whole report."""
    tests = [(suite.file, test) for suite in run.suites for test in suite.tests]
    errors = [
        f"{_short(suite.file)}, line {error.line}: {_clip(error.command)}: {error.reason}" for suite in run.suites for error in suite.errors
    ]
    passes = [
        f"{_name(file, test)} {test.command}: {_clip(test.answer)}" for file, test in tests if test.outcome is TestOutcome.UNEXPECTED_PASS
    ]
    parts = [
        f"{run.engine}: {percentage(run)}",
        *_columns([HEADS, *(_row(suite) for suite in run.suites), _total(run)]),
        *_section("unexpected failures", [_failure(file, test) for file, test in tests if test.outcome is TestOutcome.FAIL]),
        *_section("errors", errors),
        *_section("unexpected passes (take their * out)", passes),
        *_section("new failures since the last run", [_change(change) for change in changes.new_failures]),
        *_section("new passes since the last run", [_change(change) for change in changes.new_passes]),
    ]
    return "\n".join(parts)


def percentage(run: RegressionRun) -> str:
    """`41 of 50 tests passed (82.0 %)`, and the number of tests not run."""
    tests = sum(len(suite.tests) for suite in run.suites)
    passes = sum(suite.passes for suite in run.suites)
    left = sum(suite.not_run for suite in run.suites)
    share = f" ({100 * passes / tests:.1f} %)" if tests else ""
    return f"{passes} of {tests} tests passed{share}" + (f", {left} not run" if left else "")


def one_line(suite: SuiteResult) -> str:
    """The line for a finished suite where no bar can be drawn."""
    bad = suite.count(TestOutcome.FAIL) + len(suite.errors)
    return f"{_short(suite.file)}: {suite.passes} of {len(suite.tests)} passed" + (f", {bad} unexpected" if bad else "")


def describe(test: TestResult) -> str:
    """The answer and the expected answer."""
    expected = f", wanted {test.expected}" if test.expected else ""
    return f"{test.reason or _clip(test.answer) or 'an empty answer'}{expected}"


def _row(suite: SuiteResult) -> Sequence[str]:
    counts = [
        suite.count(outcome) for outcome in (TestOutcome.PASS, TestOutcome.FAIL, TestOutcome.EXPECTED_FAIL, TestOutcome.UNEXPECTED_PASS)
    ]
    return (_short(suite.file), *map(str, (len(suite.tests), *counts, len(suite.errors))), f"{suite.seconds:.1f}")


def _total(run: RegressionRun) -> Sequence[str]:
    rows = [_row(suite)[1:-1] for suite in run.suites]
    return ("total", *(str(sum(int(row[i]) for row in rows)) for i in range(len(HEADS) - 2)), f"{run.seconds:.1f}")


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines with the first column aligned left and the others right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"{title}: {len(lines)}", *(f"  {line}" for line in lines)] if lines else []


def _failure(file: str, test: TestResult) -> str:
    where = f" ({test.record})" if test.record else ""
    return f"{_name(file, test)} {test.command}: {describe(test)}{where}"


def _change(change: Change) -> str:
    return f"{_name(change.file, change.test)} {change.test.command}: {describe(change.test)}"


def _name(file: str, test: TestResult) -> str:
    """`capture.tst 10`, or the line number if a test has no number."""
    return f"{_short(file)} {test.number if test.number is not None else f'line {test.line}'}"


def _short(file: str) -> str:
    return PurePosixPath(file).name


def _clip(text: str) -> str:
    flat = " / ".join(text.splitlines())
    return flat if len(flat) <= MAX_ANSWER else flat[: MAX_ANSWER - 3] + "..."
