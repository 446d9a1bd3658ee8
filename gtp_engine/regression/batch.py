"""Several suites at the same time, a process of the engine for each."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass, field

from gtp_engine.regression.results import SuiteResult, TestResult
from gtp_engine.regression.runner import EngineCommand, SuiteRun
from gtp_engine.regression.suite import Suite

STOP_PATIENCE = 15.0  # seconds for the engines to end after Ctrl-C
STOP_INTERVAL = 0.2  # seconds


@dataclass
class SuiteBatch:
    """Suites and the engine that runs them. `on_test` is called from several threads, `on_suite` from the caller's."""

    suites: Sequence[tuple[str, Suite]]  # name in the results, suite
    engine: EngineCommand
    jobs: int = 1
    on_test: Callable[[str, TestResult], None] = lambda _name, _test: None
    on_suite: Callable[[SuiteResult], None] = lambda _: None
    results: dict[str, SuiteResult] = field(default_factory=dict)  # of what has ended
    _running: list[SuiteRun] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _is_stopped: bool = False

    def run(self) -> None:
        """Run every suite and fill `results`. After KeyboardInterrupt, which goes on to the caller, they hold what was finished."""
        with ThreadPoolExecutor(self.jobs) as pool:
            futures = [pool.submit(self._run_suite, name, suite) for name, suite in self.suites]
            try:
                for future in as_completed(futures):
                    self._take(future)
            except KeyboardInterrupt:
                self._stop(futures)
                raise

    def _run_suite(self, name: str, suite: Suite) -> SuiteResult:
        run = SuiteRun(suite, self.engine, name, lambda test: self.on_test(name, test))
        with self._lock:
            if self._is_stopped:
                return SuiteResult(name, not_run=suite.tests)
            self._running.append(run)
        return run.run()

    def _take(self, future: Future[SuiteResult]) -> None:
        result = future.result()
        self.results[result.file] = result
        self.on_suite(result)

    def _stop(self, futures: Sequence[Future[SuiteResult]]) -> None:
        """End the engines and take what the suites under way have got so far; the others count as not run."""
        with self._lock:
            self._is_stopped = True
            for run in self._running:
                run.stop()
        deadline = time.monotonic() + STOP_PATIENCE
        while wait(futures, STOP_INTERVAL).not_done and time.monotonic() < deadline:
            for run in self._running:
                run.stop()  # again: its engine may just have been replaced
        for future in futures:
            if future.done():
                result = future.result()
                self.results.setdefault(result.file, result)

    def in_order(self) -> list[SuiteResult]:
        """The results so far, in the order of the suites."""
        return [self.results[name] for name, _ in self.suites if name in self.results]
