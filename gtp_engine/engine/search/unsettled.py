"""A network's priors, so that a search is never blind: each move that may decide the life of a chain is looked at some day.

A network that learned from games gives the move that kills, which good players never allow, a prior of 0.0001, and PUCT doesn't look at it
in thousands of visits. So the moves near unsettled chains get at least a share of the prior together: a small one, since most chains are no
question, and a large one where the side to move is losing, since there the moves that the network thinks of have failed. And no move gets
much less than what the move model gives it, which knows the shapes of fights.
"""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.go.points import BLACK, PASS, STRIDE, WHITE

NEAR = 2  # steps along lines: how far from a stone of the chain a move is near it
SETTLED = 0.7  # stones whose owner is surer than this, 0..1, are settled: of twenty votes at most three say otherwise
LEAST_VOTES = 4  # about who owns each point; with fewer nothing is known yet


@inner
def mark_near(position, point, near):
    """near[P] = 1 for each point of the board up to NEAR steps from `point`."""
    size = position.board_size
    row, column = point // STRIDE, point % STRIDE
    for r in range(max(1, row - NEAR), min(size, row + NEAR) + 1):
        reach = NEAR - abs(r - row)
        for c in range(max(1, column - reach), min(size, column + reach) + 1):
            near[r * STRIDE + c] = 1


@inner
def mark_unsettled(position, tally, near):
    """near[P] = 1 for each point near a stone of the position whose owner is in doubt by the votes in `tally`, a TALLY; else 0."""
    near[:] = 0
    if tally.playouts < LEAST_VOTES:
        return
    most = SETTLED * tally.playouts
    for row in range(1, position.board_size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + position.board_size + 1):
            color = position.color[point]
            if (color == BLACK or color == WHITE) and abs(tally.ownership[point]) < most:
                mark_near(position, point, near)


@inner
def lift_near(nodes, first, count, near, share):
    """Give those of these children that play on points of `near` at least an equal part of `share` each.

    Afterwards the sum of the probabilities may be above 1, by `share` at most. Called twice, it changes nothing more.
    """
    marked = 0
    for child in range(first, first + count):
        marked += nodes[child].move != PASS and near[nodes[child].move] == 1
    for child in range(first, first + count):
        node = nodes[child]
        if node.move != PASS and near[node.move] == 1:
            node.probability = max(node.probability, share / marked)


@inner
def lift_unsettled(nodes, first, count, params, position, workspace, win_rate):
    """Moves near unsettled chains of `position` get their share of the priors.

    What the search has seen so far tells which these are. `win_rate`: of the side to move, as far as it is known.
    """
    share = params.losing_share if win_rate < params.losing_rate else params.unsettled_share
    if share > 0.0:
        mark_unsettled(position, workspace.tally, workspace.near)
        lift_near(nodes, first, count, workspace.near, share)


@inner
def lift_by_model(nodes, first, count, looks, share):
    """Give each of these children at least `share` times the probability that it has by the move model.

    `looks` has strengths of all these moves, and perhaps of other legal ones, in the order of the children. Afterwards the sum of the
    probabilities may be above 1, by `share` at most.
    """
    total, weights = 0.0, np.empty(looks.move_count, np.float32)
    for i in range(looks.move_count):
        weights[i] = np.exp(looks.strengths[i])
        total += weights[i]
    i = 0
    for child in range(first, first + count):
        node = nodes[child]
        if node.move == PASS:
            continue
        while looks.moves[i] != node.move:
            i += 1
        node.probability = max(node.probability, share * weights[i] / total)
