"""A run as one self-contained HTML page: a table of the suites, then each suite with its tests."""

from collections.abc import Iterable
from html import escape

from gtp_engine.tools.regression.results import Change, Changes, RegressionRun, SuiteResult, TestOutcome, TestResult
from gtp_engine.tools.regression.table import HEADS, describe, percentage

MARKS = {TestOutcome.PASS: "good", TestOutcome.UNEXPECTED_PASS: "better", TestOutcome.EXPECTED_FAIL: "known", TestOutcome.FAIL: "bad"}

STYLE = """
:root { color-scheme: light dark; --line: #8885; --good: #2a7d3a; --bad: #c62828; --known: #8a6d00; }
@media (prefers-color-scheme: dark) { :root { --good: #7ccf8a; --bad: #ff8a80; --known: #e0c060; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child, .tests td, .tests th { text-align: left; }
tfoot td { font-weight: bold; }
.good, .better { color: var(--good); } .bad { color: var(--bad); } .known { color: var(--known); }
.bad, .better { font-weight: bold; }
summary { cursor: pointer; padding: .3rem 0; }
pre { font: 14px/1.25 ui-monospace, monospace; margin: .3rem 0; overflow-x: auto; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
"""


def as_page(run: RegressionRun, changes: Changes) -> str:
    """The page as HTML. All text from engines and files is escaped."""
    left = "" if run.is_complete else "<p class='bad'>The run was interrupted or is still going on; the table has the results so far.</p>"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(run.engine)}: {escape(percentage(run))}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{escape(run.engine)}: {escape(percentage(run))}</h1>
<p>{escape(run.started)}, {run.seconds:.0f} s<br><code>{escape(run.command)}</code></p>
{left}
{_overview(run)}
{_changes("New failures since the last run", changes.new_failures)}
{_changes("New passes since the last run", changes.new_passes)}
{"".join(_suite(i, suite) for i, suite in enumerate(run.suites))}
</body>
</html>
"""


def _overview(run: RegressionRun) -> str:
    heads = "".join(f"<th>{head}</th>" for head in HEADS)
    rows = "".join(_overview_row(i, suite) for i, suite in enumerate(run.suites))
    return f"<div class='wide'><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"


def _overview_row(i: int, suite: SuiteResult) -> str:
    cells = [f"<a href='#suite{i}'>{escape(suite.file)}</a>", str(len(suite.tests))]
    for outcome in (TestOutcome.PASS, TestOutcome.FAIL, TestOutcome.EXPECTED_FAIL, TestOutcome.UNEXPECTED_PASS):
        count = suite.count(outcome)
        cells.append(f"<span class='{MARKS[outcome]}'>{count}</span>" if count else "0")
    cells += [f"<span class='bad'>{len(suite.errors)}</span>" if suite.errors else "0", f"{suite.seconds:.1f}"]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _changes(title: str, changes: Iterable[Change]) -> str:
    lines = [
        f"<li><code>{escape(change.file)} {_number(change.test)} {escape(change.test.command)}</code>: {escape(describe(change.test))}</li>"
        for change in changes
    ]
    return f"<h2>{title}</h2><ul>{''.join(lines)}</ul>" if lines else ""


def _suite(i: int, suite: SuiteResult) -> str:
    errors = "".join(
        f"<p class='bad'>line {error.line}: <code>{escape(error.command)}</code>: {escape(error.reason)}</p>" for error in suite.errors
    )
    rows = "".join(map(_test, suite.tests))
    heads = "".join(f"<th>{head}</th>" for head in ("number", "result", "command", "answer", "wanted", "record"))
    return f"""<h2 id="suite{i}">{escape(suite.file)}</h2>
{errors}<div class="wide"><table class="tests"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>
"""


def _test(test: TestResult) -> str:
    answer = escape(test.reason or test.answer)
    if test.board:
        answer = f"<details><summary>{answer or 'an empty answer'}</summary><pre>{escape(test.board)}</pre></details>"
    cells = (
        _number(test),
        f"<span class='{MARKS[test.outcome]}'>{test.outcome.value}</span>",
        f"<code>{escape(test.command)}</code>",
        answer,
        f"<code>{escape(test.expected)}</code>",
        escape(test.record),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>\n"


def _number(test: TestResult) -> str:
    return str(test.number) if test.number is not None else f"line {test.line}"
