"""Scratch space for each thread."""

import threading

import numpy as np


class PerThread:
    """A record of scratch space for each thread, because several searches with their own threads may share a network."""

    def __init__(self, record: np.dtype) -> None:
        self._record, self._of_thread = record, threading.local()

    def get(self) -> np.ndarray:
        """[1] The calling thread's record, zeros at first."""
        scratch: np.ndarray | None = getattr(self._of_thread, "scratch", None)
        if scratch is None:
            scratch = self._of_thread.scratch = np.zeros(1, self._record)
        return scratch
