"""Compiled networks for one board size, kept for the sizes in use."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

MOST_KEPT = 2  # of a network: each takes as much memory as its weights

Compiled = TypeVar("Compiled")


class CompiledSizes(Generic[Compiled]):
    """Compiles at the first use of a size, once for all threads, and keeps up to MOST_KEPT. One more replaces all others."""

    def __init__(self, compile_for: Callable[..., Compiled]) -> None:
        """`compile_for` is called with the arguments of `get`."""
        self._compile_for = compile_for
        self._lock = threading.Lock()
        self._compiled: dict[tuple[int, ...], Compiled] = {}

    def get(self, *sizes: int) -> Compiled:
        """The compiled network for these sizes, of the board and perhaps the batch. Raises what `compile_for` raises."""
        with self._lock:
            if sizes not in self._compiled:
                compiled = self._compile_for(*sizes)
                if len(self._compiled) == MOST_KEPT:
                    self._compiled.clear()
                self._compiled[sizes] = compiled
            return self._compiled[sizes]
