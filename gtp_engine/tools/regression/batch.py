"""Several suites at the same time: each is a job with its own process of the engine."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from gtp_engine.base.jobs.job import JobDescription, Tell
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.tools.regression.results import RegressionError, StepError, SuiteResult, TestResult
from gtp_engine.tools.regression.runner import EngineCommand, SuiteRun
from gtp_engine.tools.regression.suite import Suite

RUN_SUITE = "gtp_engine.tools.regression.batch:SuiteJob"


class SuiteJob:
    """The function of these jobs: runs a suite, and reports each result at once."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def __call__(self, data: tuple[str, Suite, EngineCommand], seed: int) -> SuiteResult:
        """The results of the suite, which don't depend on the seed."""
        name, suite, engine = data
        return SuiteRun(suite, engine, name, self._tell).run()

    def close(self) -> None:
        """Nothing is kept: each suite ends its engine."""


@dataclass
class SuiteBatch:
    """Suites and the engine that runs them."""

    suites: Sequence[tuple[str, Suite]]  # name in the results, suite
    engine: EngineCommand
    place: JobPlace = field(default_factory=JobPlace)
    on_test: Callable[[str, TestResult], None] = lambda _name, _test: None
    on_suite: Callable[[SuiteResult], None] = lambda _: None
    results: dict[str, SuiteResult] = field(default_factory=dict)  # of finished suites
    _begun: dict[str, SuiteResult] = field(default_factory=dict)  # of suites in progress

    def run(self) -> None:
        """Run every suite and fill `results`. After KeyboardInterrupt, which is passed on, they hold the finished tests.

        Raises RegressionError if a suite can't be run at all.
        """
        try:
            with self.place.runner(0, self._take_note) as runner:
                for job in runner.results(self._jobs()):
                    if job.error:
                        raise RegressionError(f"{self.suites[int(job.key)][0]}: {job.error}")
                    self.results[job.value.file] = job.value
                    self.on_suite(job.value)
        except KeyboardInterrupt:
            self.results = {**self._begun, **self.results}
            raise

    def _jobs(self) -> Iterator[JobDescription]:
        """A job for each suite; its key is the suite's index."""
        for place, (name, suite) in enumerate(self.suites):
            self._begun[name] = SuiteResult(name, not_run=suite.tests)
            yield JobDescription(str(place), RUN_SUITE, (name, suite, self.engine))

    def _take_note(self, key: str, note: TestResult | StepError) -> None:
        """Keep a result of a suite in progress, which is reported again if its process dies."""
        name, suite = self.suites[int(key)]
        begun = self._begun[name]
        if isinstance(note, StepError):
            begun.errors = [*(error for error in begun.errors if error.line != note.line), note]
            return
        if any(test.line == note.line for test in begun.tests):
            begun.tests = [test for test in begun.tests if test.line != note.line]
        else:
            self.on_test(name, note)
        begun.tests.append(note)
        begun.not_run = suite.tests - len(begun.tests)

    def in_order(self) -> list[SuiteResult]:
        """The results so far of all suites, in their order; tests without a result count as not run."""
        return [self.results.get(name) or SuiteResult(name, not_run=suite.tests) for name, suite in self.suites]
