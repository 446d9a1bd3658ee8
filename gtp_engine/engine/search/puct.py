"""PUCT: choosing moves by a policy's priors and the values found so far (Rosin 2011; Silver et al. 2017).

A child's prior is its `probability`. A policy comes as logits [S * S + 1] for a board of S lines:
every point row by row from the top left, then the pass.
"""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.search.tree import FORBIDDEN, LEAST_VALUE, ROOT, is_avoided
from gtp_engine.go.points import BLACK, PASS, STRIDE

GROWTH_VISITS = 500.0  # after so many visits c begins to grow
EXPECTED_SHARE = 0.8  # of the root's mean lead: the lead that is worth nothing extra (KataGo: dynamicScoreCenterZeroWeight 0.2)
RIGHT_ANGLE = np.pi / 2.0  # what arctan approaches
LEAD_SIDES = 0.75  # sides of the board: so many points more are worth half of the weight (KataGo: dynamicScoreCenterScale)
USUAL_SPREAD, USUAL_WEIGHT = 0.2, 2.0  # assumed before any result: a standard deviation, which counts as so many results


@inner
def is_forced(record, forced, visits):
    """True if this child of the root must be visited: it was tried and has fewer than its forced playouts (Wu 2019).

    `forced`: k of sqrt(k * prior * N), 0 for none; `visits`: N, of all children.
    """
    return record.visits > 0 and record.visits * record.visits < forced * record.probability * visits


@inner
def exploration_of(node, visits, params):
    """c of PUCT at this node, whose children have so many visits: it grows with their logarithm and with the spread of the results.

    If all results are alike, the values are known well, and little exploration is needed (KataGo, docs/KataGoMethods.md: dynamic
    variance-scaled cPUCT). A node begins with USUAL_WEIGHT results of the usual spread, so that a few results change little.
    """
    exploration = params.puct_exploration * (1.0 + params.puct_growth * np.log(1.0 + visits / GROWTH_VISITS))
    if params.puct_spread == 0.0:
        return exploration
    results = max(node.visits - 1, 1)  # the visit of this walk has no result yet
    mean = node.wins / results
    squares = (node.square_sum + USUAL_WEIGHT * (mean * mean + USUAL_SPREAD * USUAL_SPREAD)) / (results + USUAL_WEIGHT)
    spread = np.sqrt(max(squares - mean * mean, 0.0))
    return exploration * (1.0 + params.puct_spread * (spread / USUAL_SPREAD - 1.0))


@entry
def root_exploration(nodes, shared):
    """c of PUCT at the root as it is now, from all visits of its children. `nodes` [N] NODE, `shared` [1] SHARED."""
    node, visits = nodes[ROOT], 0
    for child in range(node.first_child, node.first_child + node.child_count):
        visits += nodes[child].visits
    return exploration_of(node, visits, shared[0].params)


@inner
def lead_bonus(nodes, shared, color, lead):
    """What Black's mean lead after a move adds to its value for `color`, from -lead_weight to lead_weight.

    It is 0 for EXPECTED_SHARE of the mean lead at the root, and half of the weight for LEAD_SIDES more. So a search whose moves all win, or
    all lose, still sees which of them gain points (KataGo: dynamic score utility).
    """
    weight = shared.params.lead_weight
    if weight == 0.0:
        return 0.0
    expected = EXPECTED_SHARE * nodes[ROOT].score_sum / max(nodes[ROOT].visits, 1)
    gain = (lead - expected) / (LEAD_SIDES * shared.root.board_size)
    return weight * np.arctan(gain if color == BLACK else -gain) / RIGHT_ANGLE


@entry
def root_bonus(nodes, shared, lead):
    """lead_bonus for the player to move at the root. `nodes` [N] NODE, `shared` [1] SHARED."""
    return lead_bonus(nodes, shared[0], shared[0].root.to_play, lead)


@inner
def untried_value(node, index, visits, wins, tried, params):
    """The value of a child without visits: lower than that of the others, and the lower, the more of the policy was tried.

    This is first-play urgency as a reduction. `visits` and `wins` are those of the tried children, which have `tried` of the policy. The
    value of the others is their mean, or with params.own_opinion a mixture: the more was tried, the more weight has the node's mean and the
    less the evaluator's own value of the node (KataGo: fpuParentWeightByVisitedPolicy).
    """
    mean = 1.0 - node.wins / max(node.visits - 1, 1)  # the visit of this walk has no result yet
    if visits > 0:
        mean_weight = tried * tried
        own = mean_weight * mean + (1.0 - mean_weight) * (1.0 - node.own_result)
        mean = params.own_opinion * own + (1.0 - params.own_opinion) * wins / visits
    reduction = params.root_untried_reduction if index == ROOT else params.untried_reduction
    return mean - reduction * np.sqrt(tried)


@inner
def puct_child(nodes, index, shared, color, depth, offset):
    """The child of nodes[index] with the highest value plus exploration; its index. See tree.select_child for the arguments.

    A child's value is its win rate and lead_bonus. Untried children have the value untried_value and the bonus of the node.
    """
    node, params = nodes[index], shared.params
    first, count = np.int64(node.first_child), np.int64(node.child_count)
    visits, wins, tried = 0, 0.0, 0.0
    for child in range(first, first + count):
        if nodes[child].visits > 0:
            visits += nodes[child].visits
            wins += nodes[child].wins
            tried += nodes[child].probability
    untried = untried_value(node, index, visits, wins, tried, params)
    untried += lead_bonus(nodes, shared, color, node.score_sum / max(node.visits - 1, 1))
    exploration = exploration_of(node, visits, params) * np.sqrt(np.float64(max(visits, 1)))
    forced = params.forced_playouts if index == ROOT else 0.0
    best, best_value = first + count - 1, LEAST_VALUE
    for i in range(count):
        k = i + offset
        child = first + (k if k < count else k - count)
        record = nodes[child]
        if record.move == FORBIDDEN or is_avoided(shared, record.move, color, depth):
            continue
        if forced > 0.0 and is_forced(record, forced, visits):
            return child
        value = untried
        if record.visits > 0:
            value = record.wins / record.visits + lead_bonus(nodes, shared, color, record.score_sum / record.visits)
        value += exploration * record.probability / (1 + record.visits)
        if value > best_value:
            best, best_value = child, value
    return best


@inner
def policy_index(move, size):
    """The index of this point or PASS in a policy for a board of `size` lines."""
    if move == PASS:
        return size * size
    return (size - move // STRIDE) * size + move % STRIDE - 1


@inner
def set_policy(nodes, first, count, size, logits):
    """Set the probabilities of the children nodes[first .. first + count - 1] to those of the policy, normalized among them."""
    highest = logits[policy_index(np.int64(nodes[first].move), size)]
    for child in range(first, first + count):
        highest = max(highest, logits[policy_index(np.int64(nodes[child].move), size)])
    total = 0.0
    for child in range(first, first + count):
        weight = np.exp(np.float64(logits[policy_index(np.int64(nodes[child].move), size)] - highest))
        nodes[child].probability = weight
        total += weight
    for child in range(first, first + count):
        nodes[child].probability /= total


@inner
def limit_pass(nodes, first, count, most):
    """Limit the probability of a pass among these children; the others share the rest in proportion."""
    for child in range(first, first + count):
        if nodes[child].move != PASS or nodes[child].probability <= most or count == 1:
            continue
        others = 0.0
        for other in range(first, first + count):
            others += nodes[other].probability if other != child else 0.0
        for other in range(first, first + count):
            if other == child:
                nodes[other].probability = most
            elif others > 0.0:
                nodes[other].probability *= (1.0 - most) / others
            else:
                nodes[other].probability = (1.0 - most) / (count - 1)
