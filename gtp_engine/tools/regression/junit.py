"""A run as JUnit's XML, for build servers and editors."""

import re
from xml.etree import ElementTree

from gtp_engine.tools.regression.results import RegressionRun, SuiteResult, TestOutcome, TestResult
from gtp_engine.tools.regression.table import describe

NOT_IN_XML = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that are invalid even if escaped


def as_junit(run: RegressionRun) -> str:
    """The whole file. A known failure is a skipped test; a failed command without a number is a test with an error."""
    root = ElementTree.Element("testsuites", attributes(run.engine, run.seconds, run.suites))
    for suite in run.suites:
        node = ElementTree.SubElement(root, "testsuite", attributes(suite.file, suite.seconds, [suite]))
        node.set("timestamp", run.started)
        for test in suite.tests:
            add_test(node, suite.file, test)
        for error in suite.errors:
            case = add_case(node, suite.file, f"line {error.line}: {error.command}", 0.0)
            ElementTree.SubElement(case, "error", message=clean(error.reason))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def attributes(name: str, seconds: float, suites: list[SuiteResult]) -> dict[str, str]:
    """The name, the time, and the number of tests of each kind."""
    counts = {
        "tests": sum(len(suite.tests) + len(suite.errors) for suite in suites),
        "failures": sum(suite.count(TestOutcome.FAIL) for suite in suites),
        "errors": sum(len(suite.errors) for suite in suites),
        "skipped": sum(suite.count(TestOutcome.EXPECTED_FAIL) for suite in suites),
    }
    return {"name": clean(name), "time": f"{seconds:.3f}"} | {kind: str(count) for kind, count in counts.items()}


def add_test(node: ElementTree.Element, file: str, test: TestResult) -> None:
    """A test with its outcome."""
    number = f"line {test.line}" if test.number is None else str(test.number)
    case = add_case(node, file, f"{number}: {test.command}", test.seconds)
    if test.outcome is TestOutcome.FAIL:
        ElementTree.SubElement(case, "failure", message=clean(describe(test))).text = clean(f"{test.record}\n{test.board}".strip())
    elif test.outcome is TestOutcome.EXPECTED_FAIL:
        ElementTree.SubElement(case, "skipped", message=clean(f"known failure: {describe(test)}"))


def add_case(node: ElementTree.Element, file: str, name: str, seconds: float) -> ElementTree.Element:
    """A test of a suite."""
    return ElementTree.SubElement(node, "testcase", classname=clean(file), name=clean(name), time=f"{seconds:.3f}")


def clean(text: str) -> str:
    """`text` without characters that XML cannot hold."""
    return NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
