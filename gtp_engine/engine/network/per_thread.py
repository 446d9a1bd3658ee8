"""Working space for each thread."""

import threading

import numpy as np


class PerThread:
    """A record of working space for each thread that asks for one: searches side by side, each with threads of its own, share a network."""

    def __init__(self, record: np.dtype) -> None:
        self._record, self._of_thread = record, threading.local()

    def get(self) -> np.ndarray:
        """[1] of the record, zeros at first."""
        scratch: np.ndarray | None = getattr(self._of_thread, "scratch", None)
        if scratch is None:
            scratch = self._of_thread.scratch = np.zeros(1, self._record)
        return scratch
