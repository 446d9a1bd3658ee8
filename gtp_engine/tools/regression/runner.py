"""Runs a suite by an engine: sends each command, judges each test, and replaces a dead engine.

An engine that dies or doesn't answer fails the current test. Its successor gets all earlier commands without a number, so that rules, clock
and position are the same. Changes by a test itself, by a `genmove` with a number, are lost until the next position is set up.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.tools.match.client import EngineClient, EngineFailure
from gtp_engine.tools.regression.matching import MatchTimeout
from gtp_engine.tools.regression.results import StepError, SuiteResult, TestOutcome, TestResult
from gtp_engine.tools.regression.suite import Step, Suite

MAX_DEATHS = 3  # in a row in a suite, without an answered test in between; then the rest counts as failed
BOARD_PATIENCE = 5.0  # seconds for `showboard` after a failed test
HANDSHAKE_PATIENCE = 60.0  # seconds for `name` and `version`: some engines load a network first
QUIT = "quit"  # after this the suite continues with another engine
NOT_RUN = f"not run: the engine died {MAX_DEATHS} times in a row"


@dataclass(frozen=True)
class EngineCommand:
    """The engine's command. It runs in the folder of the suite, as under gogui-regress: paths of records are relative to it."""

    words: Sequence[str]
    patience: float  # seconds for each answer

    def client(self, suite: Path) -> EngineClient:
        """A client for a suite, not started."""
        return EngineClient(self.words, suite.resolve().parent)


def introduce(words: Sequence[str]) -> str:
    """An engine's own name and version. Raises EngineFailure if it can't be started or doesn't answer."""
    with EngineClient(words) as client:
        try:
            name = client.ask("name", HANDSHAKE_PATIENCE)
            return f"{name} {client.ask('version', HANDSHAKE_PATIENCE)}".strip()
        except GtpError as error:
            raise EngineFailure(f"gives no name or version: {error}") from error


@dataclass
class SuiteRun:
    """The run of one suite. `tell` is called with each test and each failed command at once."""

    suite: Suite
    engine: EngineCommand
    name: str  # of the suite in the results
    tell: Callable[[TestResult | StepError], None] = lambda _: None
    _client: EngineClient = field(init=False)
    _done: list[str] = field(default_factory=list)  # successful commands without a number, for a new engine
    _deaths: int = 0  # since the last answered test
    _is_gone: bool = False  # the engine has ended; the next step needs a new one
    _record: str = ""

    def __post_init__(self) -> None:
        self._client = self.engine.client(self.suite.path)

    def run(self) -> SuiteResult:
        """Run every step; returns the results. Never raises because of an engine."""
        result = SuiteResult(self.name, not_run=self.suite.tests)
        started = time.monotonic()
        with self._client:
            for step in self.suite.steps:
                if self._is_gone and self._deaths < MAX_DEATHS:
                    self._replace_engine()
                self._run_step(step, result)
        result.seconds = time.monotonic() - started
        return result

    def _run_step(self, step: Step, result: SuiteResult) -> None:
        self._record = step.record or self._record
        started = time.monotonic()
        answer, reason = self._ask(step)
        if step.is_test:
            test = self._judge(step, answer, reason, time.monotonic() - started)
            result.tests.append(test)
            result.not_run -= 1
            self.tell(test)
        elif answer is None:
            result.errors.append(StepError(step.line, step.command, reason))
            self.tell(result.errors[-1])
        elif step.command != QUIT:
            self._done.append(step.command)

    def _ask(self, step: Step) -> tuple[str | None, str]:
        """The answer, or None and the reason."""
        if self._deaths >= MAX_DEATHS:
            return None, NOT_RUN
        text = step.command if step.number is None else f"{step.number} {step.command}"
        try:
            answer = self._client.ask(text, self.engine.patience)
        except GtpError as error:
            return None, f"error: {error}"
        except EngineFailure as failure:
            self._has_died()
            return None, f"the engine {failure}"
        if step.is_test or step.command == QUIT:
            self._deaths = 0
        self._is_gone = step.command == QUIT
        return answer, ""

    def _has_died(self) -> None:
        """Count the death, and end the rest of the engine."""
        self._deaths += 1
        self._is_gone = True

    def _replace_engine(self) -> None:
        """Start another engine and repeat the earlier commands. A failure is counted and left to the next step."""
        self._is_gone = False
        try:
            self._client.restart()
            for command in self._done:
                self._client.ask(command, self.engine.patience)
        except (EngineFailure, GtpError):
            self._deaths += 1

    def _judge(self, step: Step, answer: str | None, reason: str, seconds: float) -> TestResult:
        """The result of a test; if it failed, with the board."""
        expectation = step.expectation
        try:
            passed = answer is not None and (expectation is None or expectation.is_met_by(answer, self.engine.patience))
        except MatchTimeout as timeout:
            passed, reason = False, str(timeout)
        outcome = TestOutcome.of(passed, expectation is not None and expectation.known_failure)
        return TestResult(
            number=step.number,
            line=step.line,
            command=step.command,
            expected=expectation.text if expectation else "",
            answer=answer or "",
            outcome=outcome,
            reason=reason,
            record=self._record,
            board="" if passed or answer is None or self._is_gone else self._board(),
            seconds=round(seconds, 3),
        )

    def _board(self) -> str:
        """The engine's `showboard`; empty if it fails."""
        try:
            return self._client.ask("showboard", BOARD_PATIENCE)
        except GtpError:
            return ""
        except EngineFailure:
            self._has_died()
            return ""
