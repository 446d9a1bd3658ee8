"""Playouts from leaves, for networks that see them and for what is mixed with a network's answers."""

import threading
from functools import cache

import numpy as np

from gtp_engine.engine.move_model.model_file import shipped_model
from gtp_engine.engine.network.features import LEAF_SCRATCH, PLANES, survey_leaf, write_planes
from gtp_engine.engine.playout.params import PlayoutParams
from gtp_engine.engine.playout.policy import playout_policy


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


class Surveyor:
    """Plays playouts from leaves. For several threads."""

    def __init__(self, params: PlayoutParams) -> None:
        self._scratch, self._policy = PerThread(LEAF_SCRATCH), playout_policy(params)

    def survey(self, leaf: np.ndarray) -> None:
        """Fill the `survey` of `leaf`, [1] LEAF, but for what is proved."""
        survey_leaf(leaf, self._scratch.get(), self._policy)

    def planes(self, leaf: np.ndarray) -> np.ndarray:
        """float32 [PLANES, S, S]: survey the leaf and show it as our own networks see it, see features.py."""
        size = int(leaf["position"]["board_size"][0])
        planes = np.zeros((PLANES, size, size), np.float32)
        self.survey(leaf)
        write_planes(leaf, self._scratch.get(), shipped_model(), planes)
        return planes


@cache
def plain_surveyor() -> Surveyor:
    """One with the default playouts, as networks of our own form learned from."""
    return Surveyor(PlayoutParams())
