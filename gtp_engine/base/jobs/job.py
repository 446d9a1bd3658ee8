"""A job, as data that can be sent to another process, and its result."""

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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


def load_function(path: str) -> Any:
    """The function or class with that import path. Raises ValueError for a path without ":", ImportError, AttributeError."""
    module, colon, name = path.partition(":")
    if not colon:
        raise ValueError(f"{path!r} is not of the form package.module:name")
    return getattr(importlib.import_module(module), name)
