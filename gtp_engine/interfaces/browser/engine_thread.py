"""The thread that owns the engine and does one task after another.

The program need not wait for it when it ends, as it must for an executor of Python's.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class EngineThread:
    """Does what it is given, in that order, in a thread of its own."""

    def __init__(self) -> None:
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        threading.Thread(target=self._run, name="engine", daemon=True).start()

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Do this after all that was given before; the future gets what it returns or raises."""
        future: Future[T] = Future()
        self._work.put((future, work))
        return future

    def _run(self) -> None:
        """For ever."""
        while True:
            future, work = self._work.get()
            try:
                future.set_result(work())
            except BaseException as error:  # whoever waits for it must hear of it
                future.set_exception(error)
