"""The thread that owns the engine and does one task after another.

Unlike with Python's executors, the program doesn't wait for it at the end.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class EngineThread:
    """Does tasks in order in its own thread."""

    def __init__(self) -> None:
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        threading.Thread(target=self._run, name="engine", daemon=True).start()

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Do this after all earlier tasks; the future gets the result or the exception."""
        future: Future[T] = Future()
        self._work.put((future, work))
        return future

    def _run(self) -> None:
        """The thread's loop."""
        while True:
            future, work = self._work.get()
            try:
                future.set_result(work())
            except BaseException as error:  # the waiting thread must get it
                future.set_exception(error)
