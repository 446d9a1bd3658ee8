"""Playouts from leaves for the evaluator `mixed`."""

import numpy as np

from gtp_engine.engine.network.leaf_survey import SURVEY_SCRATCH, survey_leaf
from gtp_engine.engine.network.per_thread import PerThread
from gtp_engine.engine.playout.params import PlayoutParams
from gtp_engine.engine.playout.policy import playout_policy


class Surveyor:
    """Plays playouts from leaves. For several threads."""

    def __init__(self, params: PlayoutParams) -> None:
        self._scratch, self._policy = PerThread(SURVEY_SCRATCH), playout_policy(params)

    def survey(self, leaf: np.ndarray) -> None:
        """Fill the `survey` of `leaf`, [1] LEAF, except for its proved fights."""
        survey_leaf(leaf, self._scratch.get(), self._policy)
