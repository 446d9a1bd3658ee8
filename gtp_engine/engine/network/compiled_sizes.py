"""What is compiled for one size of the board, kept for the sizes in use."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

MOST_KEPT = 2  # of a network: each takes as much memory as its weights

Compiled = TypeVar("Compiled")


class CompiledSizes(Generic[Compiled]):
    """Compiles when something is first wanted, once for all threads, and keeps up to MOST_KEPT; one more, and the others go."""

    def __init__(self, compile_for: Callable[..., Compiled]) -> None:
        """`compile_for` gets the numbers that `get` gets."""
        self._compile_for = compile_for
        self._lock = threading.Lock()
        self._compiled: dict[tuple[int, ...], Compiled] = {}

    def get(self, *sizes: int) -> Compiled:
        """What is compiled for these sizes, of a board and perhaps a question. Raises what `compile_for` raises; nothing is kept then."""
        with self._lock:
            if sizes not in self._compiled:
                compiled = self._compile_for(*sizes)
                if len(self._compiled) == MOST_KEPT:
                    self._compiled.clear()
                self._compiled[sizes] = compiled
            return self._compiled[sizes]
