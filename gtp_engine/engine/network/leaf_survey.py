"""Playouts from a leaf, compiled, for the evaluator `mixed`."""

import numpy as np

from gtp_engine.compiled.jit import entry
from gtp_engine.engine.playout.policy import SUGGESTIONS
from gtp_engine.engine.playout.survey import take_survey
from gtp_engine.go.position import POSITION

SURVEY_PLAYOUTS = 4

SURVEY_SCRATCH = np.dtype(
    [
        ("kept", POSITION),  # the leaf's, from which playouts start
        ("board", POSITION),  # where they are played
        ("suggestions", SUGGESTIONS),
    ],
    align=True,
)


@entry
def survey_leaf(leaves, scratches, policies):
    """Fill the `survey` of leaves[0] by SURVEY_PLAYOUTS playouts, except for its proved fights.

    `scratches` [1] SURVEY_SCRATCH is overwritten; `policies` [1] PLAYOUT_POLICY.
    """
    leaf, scratch = leaves[0], scratches[0]
    take_survey(leaf.survey, SURVEY_PLAYOUTS, leaf.komi, leaf.position, scratch.kept, scratch.board, policies[0], scratch.suggestions)
