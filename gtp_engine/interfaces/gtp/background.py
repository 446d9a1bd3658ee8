"""Work in a thread with reports, so that a command can send lines before the work is done."""

import queue
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Generic, TypeVar

Report = TypeVar("Report")
Result = TypeVar("Result")


class Background(Generic[Report, Result]):
    """Runs `work(report)` in a thread; the work calls `report` with its progress."""

    def __init__(self, work: Callable[[Callable[[Report], None]], Result]) -> None:
        self.work = work
        self.queue: queue.SimpleQueue[Report | None] = queue.SimpleQueue()
        self.results: list[Result] = []  # one, once the work has returned
        self.error: BaseException | None = None  # the exception, if it raised one
        self.thread = Thread(target=self.run, name="gtp background", daemon=True)
        self.thread.start()

    def run(self) -> None:
        """The thread: keeps what the work returns or raises for `result`."""
        try:
            self.results.append(self.work(self.queue.put))
        except BaseException as error:
            self.error = error
        finally:
            self.queue.put(None)

    def reports(self) -> Iterator[Report]:
        """Each report as it comes, until the work is done."""
        while (report := self.queue.get()) is not None:
            yield report

    def result(self) -> Result:
        """Wait for the end of the work; returns its result or raises its exception."""
        self.thread.join()
        if self.error is not None:
            raise self.error
        return self.results[0]
