"""What happens between the walk and our own network, compiled: what it is to see of a leaf, and what its outputs mean."""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.network.features import SYMMETRIES, fill_planes, survey_position, transformed
from gtp_engine.engine.playout.policy import random_below
from gtp_engine.go.points import BLACK, STRIDE, WHITE

VOTES = 20  # that an ownership counts as: twentieths are kept


@entry
def see_leaf(shared, workspaces, i, planes):
    """Fill `planes`, float32 [PLANES, S, S], for the leaf in workspaces[i]: playouts from it first, then the planes, turned at random."""
    record, workspace = shared[0], workspaces[i]
    survey_position(workspace, record.playout_policy, record.komi)
    workspace.symmetry = random_below(workspace.position, SYMMETRIES) if record.params.symmetry else 0
    fill_planes(workspace, record.model, record.komi, planes)


@inner
def read_policy(workspace, policy):
    """The logits [S * S + 1] into the answer, in the board's own orientation."""
    answer, size = workspace.answer, np.int64(workspace.position.board_size)
    for row in range(size):
        for column in range(size):
            r, c = transformed(row, column, size, workspace.symmetry)
            answer.policy[row * size + column] = policy[r * size + c]
    answer.policy[size * size] = policy[size * size]


@inner
def read_owners(workspace, owners):
    """The owners [S * S] as votes for Black or White, in the board's own orientation."""
    size = np.int64(workspace.position.board_size)
    sign = 1.0 if workspace.position.to_play == BLACK else -1.0
    for row in range(size):
        for column in range(size):
            r, c = transformed(row, column, size, workspace.symmetry)
            workspace.owners[(size - row) * STRIDE + column + 1] = np.int32(np.round(VOTES * sign * owners[r * size + c]))
    workspace.votes = VOTES


@entry
def read_outputs(shared, workspaces, i, policy, value, score, owners, names_owners):
    """Turn the network's outputs into the answer of workspaces[i], mixed with what see_leaf's playouts found by playout_share.

    All float32: `policy` [S * S + 1] logits, `value` [1] the logit that the side to move wins, `score` [1] its expected lead in points,
    `owners` [S * S] from 1, the side to move's, to -1; where not `names_owners`, the playouts tell who owns what.
    """
    record, workspace = shared[0], workspaces[i]
    answer, survey = workspace.answer, workspace.survey
    read_policy(workspace, policy)
    tally, share = survey.tally, record.params.playout_share
    played, lead = survey.wins / tally.playouts, survey.lead / tally.playouts
    if workspace.position.to_play == WHITE:
        played, lead = 1.0 - played, -lead
    win = 1.0 / (1.0 + np.exp(-np.float64(value[0])))
    answer.win = win + share * (played - win)
    answer.lead = score[0] + share * (lead - score[0])
    workspace.votes = tally.playouts
    workspace.owners[:] = tally.ownership
    if names_owners:
        read_owners(workspace, owners)
