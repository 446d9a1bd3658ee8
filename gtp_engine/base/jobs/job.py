"""A job, as data that can be sent to another process, and its result."""

import importlib
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

MOST_ATTEMPTS = 3  # of a job whose process dies

Tell = Callable[[Any], None]  # sends a note about the current job to the driver


class PlaceError(Exception):
    """Jobs can't run at the requested place; str() is one sentence for the user."""


@dataclass(frozen=True)
class JobDescription:
    """One independent piece of work.

    The function is called as `function(data, seed)`, and must give the same value for the same arguments in any process. It may be a class:
    each process makes one object of it as `function(tell)`, calls that as `object(data, seed)` for one job after the other, and calls its
    `close()` at the end. Such an object keeps what is slow to start, like an engine or a network. `tell(note)` sends the driver a note
    about the current job; results must not depend on it.
    """

    key: str  # identifies the job; unique in a run
    function: str  # import path, as "package.module:name"
    data: Any  # can be pickled
    seed: int = 0


@dataclass(frozen=True)
class JobResult:
    """The result of a job: a value, or the reason why there is none."""

    key: str
    value: Any = None  # can be pickled; in a JobStore, plain values for JSON
    error: str = ""  # one sentence; empty: none
    seconds: float = 0.0  # of the function itself


class FunctionKeeper:
    """Loads functions and calls them; for classes, it keeps their objects."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._functions: dict[str, Callable[[Any, int], Any]] = {}
        self._with_object: dict[str, Any] = {}

    def call(self, path: str, data: Any, seed: int) -> tuple[Any, str, float]:
        """(value, error or "", seconds) of one call; a function that raises gives an error."""
        began = time.perf_counter()
        try:
            value, error = self._function(path)(data, seed), ""
        except Exception as problem:
            value, error = None, f"{type(problem).__name__}: {problem}"
        return value, error, time.perf_counter() - began

    def keeps_object(self, path: str) -> bool:
        """True if this is a class, whose object must be closed."""
        try:
            self._function(path)
        except Exception:  # the call will report it
            return False
        return path in self._with_object

    def close(self) -> None:
        """Close all objects."""
        while self._with_object:
            self._with_object.popitem()[1].close()

    def _function(self, path: str) -> Callable[[Any, int], Any]:
        if path not in self._functions:
            function = load_function(path)
            if isinstance(function, type):
                function = function(self._tell)
                self._with_object[path] = function
            self._functions[path] = function
        return self._functions[path]


class JobRunner(ABC):
    """Runs jobs, in processes or actors that stay for many; `with` ends them.

    One that dies is replaced, and its job runs again; after MOST_ATTEMPTS the job's result is an error.
    """

    def __init__(self) -> None:
        self._again: deque[JobDescription] = deque()  # jobs whose process died
        self._attempts: dict[str, int] = {}  # of jobs whose process died

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def results(self, jobs: Iterable[JobDescription]) -> Iterator[JobResult]:
        """The results of the jobs as they come, not always in order. If a function raises, its result is an error."""

    @abstractmethod
    def close(self) -> None:
        """End everything, even during a job."""

    def _next(self, source: Iterator[JobDescription]) -> JobDescription | None:
        """The job to begin next, if there is one."""
        return self._again.popleft() if self._again else next(source, None)

    def _died(self, job: JobDescription, what: str, reason: str) -> JobResult | None:
        """Put back the job of a dead `what`, or give it up."""
        attempts = self._attempts[job.key] = self._attempts.get(job.key, 0) + 1
        if attempts < MOST_ATTEMPTS:
            self._again.append(job)
            return None
        del self._attempts[job.key]
        return JobResult(job.key, error=f"its {what} ended {attempts} times without a result, the last time{reason}")


def load_function(path: str) -> Any:
    """The function or class with that import path. Raises ValueError for a path without ":", ImportError, AttributeError."""
    module, colon, name = path.partition(":")
    if not colon:
        raise ValueError(f"{path!r} is not of the form package.module:name")
    return getattr(importlib.import_module(module), name)
