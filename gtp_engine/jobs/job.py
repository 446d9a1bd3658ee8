"""A job: what to compute, as data that can be sent to another process, and what came out."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class JobDescription:
    """One piece of work that needs no other one.

    The function is called as `function(data, seed)`. It must give the same value for the same arguments in any process, and its
    value must be one that JSON can hold.
    """

    key: str  # names the job in its store; no two jobs of one store have the same
    function: str  # import path, as "package.module:name"
    data: Any  # can be pickled
    seed: int = 0


@dataclass(frozen=True)
class JobResult:
    """What a job came to: a value, or the reason why there is none."""

    key: str
    value: Any = None  # plain values, as JSON has them
    error: str = ""  # one sentence; empty: none
    seconds: float = 0.0  # that the function itself took


def load_function(path: str) -> Callable[[Any, int], Any]:
    """The function with that import path. Raises ValueError for a path without ":", ImportError, AttributeError."""
    module, colon, name = path.partition(":")
    if not colon:
        raise ValueError(f"{path!r} is not of the form package.module:name")
    function: Callable[[Any, int], Any] = getattr(importlib.import_module(module), name)
    return function
