"""What happens between the leaf and our own network, compiled: what it is to see, and what its outputs mean."""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.network.features import SYMMETRIES, fill_planes, transformed
from gtp_engine.engine.playout.policy import random_below
from gtp_engine.engine.playout.survey import mixed_with_survey
from gtp_engine.go.points import BLACK, STRIDE

VOTES = 20  # that an ownership counts as: twentieths are kept


@entry
def encode_planes(leaves, scratches, models, planes):
    """write_planes, with leaves[0] turned at random where it may be; see features.py."""
    leaf = leaves[0]
    if leaf.may_turn:
        leaf.symmetry = random_below(leaf.position, SYMMETRIES)
    fill_planes(leaf, scratches[0], models[0], planes)


@inner
def read_policy(leaf, answer, policy):
    """The logits [S * S + 1] into the answer, in the board's own orientation."""
    size = np.int64(leaf.position.board_size)
    for row in range(size):
        for column in range(size):
            r, c = transformed(row, column, size, leaf.symmetry)
            answer.policy[row * size + column] = policy[r * size + c]
    answer.policy[size * size] = policy[size * size]


@inner
def read_owners(leaf, answer, owners):
    """The owners [S * S] as votes for Black or White, in the board's own orientation."""
    size = np.int64(leaf.position.board_size)
    sign = 1.0 if leaf.position.to_play == BLACK else -1.0
    for row in range(size):
        for column in range(size):
            r, c = transformed(row, column, size, leaf.symmetry)
            answer.owners[(size - row) * STRIDE + column + 1] = np.int32(np.round(VOTES * sign * owners[r * size + c]))
    answer.votes = VOTES


@entry
def decode_outputs(leaves, answers, policy, value, score, owners, names_owners):
    """Turn the network's outputs about leaves[0] into answers[0].

    All float32: `policy` [S * S + 1] logits, `value` [1] the logit that the side to move wins, `score` [1] its expected lead in points,
    `owners` [S * S] from 1, the side to move's, to -1; where not `names_owners`, the leaf's survey tells who owns what.
    """
    leaf, answer = leaves[0], answers[0]
    read_policy(leaf, answer, policy)
    win = 1.0 / (1.0 + np.exp(-np.float64(value[0])))
    answer.win, answer.lead = mixed_with_survey(leaf.survey, leaf.playout_share, leaf.position.to_play, win, np.float64(score[0]))
    answer.votes = leaf.survey.tally.playouts
    answer.owners[:] = leaf.survey.tally.ownership
    if names_owners:
        read_owners(leaf, answer, owners)
