"""The suites in tests/gtp whose answers are facts: board, rules, the end of the game. Each must pass whole, in this process.

The others ask for moves, which take time and may be wrong: `gtp-engine regress` is for them.
"""

from pathlib import Path

import pytest
from conftest import Client

from gtp_engine.tools.regression.suite import read_suite

FOLDER = Path(__file__).resolve().parent / "gtp"
FACTS = ("board", "rules", "scoring", "superko")


@pytest.mark.parametrize("name", FACTS)
def test_transcript(name: str, gtp: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)  # where records are named from
    suite = read_suite(FOLDER / f"{name}.tst")
    assert suite.tests > 5
    for step in suite.steps:
        response = gtp.ask(step.command)
        assert response.startswith("="), f"{step.command} -> {response}"
        if step.expectation is not None:
            answer = response[1:].strip()
            assert step.expectation.is_met_by(answer), f"line {step.line}, {step.command}: {answer!r}, not {step.expectation.text!r}"
