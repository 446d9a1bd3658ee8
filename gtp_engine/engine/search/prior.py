"""Priors: visits that a new move gets in advance for its shape and tactics, and its probability from the move model."""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.engine.move_model.model import line_of, prepare_looks
from gtp_engine.engine.move_model.strengths import add_move, clear_moves, find_strengths
from gtp_engine.engine.playout.proved_fights import LARGE_TARGET, SEKI
from gtp_engine.go.chain_needs import escapes
from gtp_engine.go.patterns import fits_pattern
from gtp_engine.go.points import EDGE, EMPTY, NO_POINT, PASS, POINTS, STRIDE
from gtp_engine.go.position import ADJACENT
from gtp_engine.go.tactics import is_self_atari

KO_WEIGHT = 0.4  # of a move that may depend on ko threats
BELOW_ROOT = 0.2  # weight of proved moves and passes below the root, where they would take visits from moves that matter more
NEAR = 3  # common fate distance up to which a move answers the last one
EMPTY_AREA = 3  # a point counts as far from stones when none is within this distance, diagonals counted as one step
SMALL_BOARD = 11  # on boards up to this size edge lines say little


@inner
def add_prior(node, wins, visits):
    """Give the node more prior visits, `wins` of them won."""
    node.prior_wins += wins
    node.prior_visits += visits


@inner
def child_of(nodes, first, count, point):
    """Index of the child that plays `point`, or -1."""
    for i in range(count):
        if nodes[first + i].move == point:
            return first + i
    return -1


@inner
def favor(nodes, first, count, point, visits):
    """Add won visits to the child that plays `point`, if there is one."""
    child = child_of(nodes, first, count, point)
    if child >= 0:
        add_prior(nodes[child], visits, visits)


@inner
def common_fate_distances(position, start, distances, queue):
    """distances[P]: the steps from `start`, a chain being one place, up to NEAR; NEAR + 1 beyond (Graepel et al. 2001)."""
    distances[:] = NEAR + 1
    distances[start] = 0
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        point = np.int64(queue[head])
        head += 1
        color = position.color[point]
        for d in range(4):
            neighbor = point + ADJACENT[d]
            neighbor_color = position.color[neighbor]
            if neighbor_color == EDGE:
                continue
            is_same_chain = neighbor_color == color and color != EMPTY
            distance = distances[point] + (0 if is_same_chain else 1)
            if distance < distances[neighbor]:
                distances[neighbor] = distance
                if tail < len(queue):
                    queue[tail] = neighbor
                    tail += 1


@inner
def is_far_from_stones(position, point):
    """True if there is no stone within EMPTY_AREA lines in any direction."""
    size = position.board_size
    row, column = point // STRIDE, point % STRIDE
    for r in range(max(1, row - EMPTY_AREA), min(size, row + EMPTY_AREA) + 1):
        for c in range(max(1, column - EMPTY_AREA), min(size, column + EMPTY_AREA) + 1):
            if position.color[r * STRIDE + c] != EMPTY:
                return False
    return True


@inner
def set_chain_prior(nodes, first, count, shared, position, need):
    """Prior visits for the moves that one chain with few liberties needs."""
    params = shared.params
    liberty, other = np.int64(need.first), np.int64(need.second)
    if need.liberties == 2:
        if need.is_own == 0 and need.first_catches:
            favor(nodes, first, count, liberty, params.prior_ladder)
        if need.is_own == 0 and need.second_catches:
            favor(nodes, first, count, other, params.prior_ladder)
        return
    if need.is_own == 0:
        favor(nodes, first, count, liberty, params.prior_capture)
        return
    if need.capture != NO_POINT:
        favor(nodes, first, count, np.int64(need.capture), params.prior_escape)
    if escapes(need, position, shared.playout_policy.ladders):
        favor(nodes, first, count, liberty, params.prior_escape)


@inner
def set_tactical_priors(nodes, first, count, shared, position, needs):
    """Prior visits for moves that chains need, and for the vital point of an eye space that the last move made."""
    for i in range(needs.count):
        set_chain_prior(nodes, first, count, shared, position, needs.need[i])
    if needs.vital != NO_POINT:
        favor(nodes, first, count, np.int64(needs.vital), shared.params.prior_nakade)


@inner
def lift_tactics(nodes, first, count, shared, position, needs):
    """Give moves that set_tactical_priors favors at least params.tactics_prior of a network's probability, in place of prior visits.

    Afterwards the sum of the probabilities may be somewhat above 1.
    """
    set_tactical_priors(nodes, first, count, shared, position, needs)
    for i in range(count):
        node = nodes[first + i]
        if node.prior_wins > 0.0:
            node.probability = max(node.probability, shared.params.tactics_prior)
        node.prior_wins, node.prior_visits = 0.0, 0.0


@inner
def favor_proved(nodes, first, count, visits, proved_fights):
    """Add won visits to moves that are proved to decide a fight; `proved_fights` is what is known of the position."""
    for k in range(proved_fights.count):
        if proved_fights.fight[k].move != NO_POINT:
            favor(nodes, first, count, np.int64(proved_fights.fight[k].move), visits)


@inner
def lift_child(nodes, first, count, move, share):
    """Give the child with this move, if there is one, at least this probability; the others keep their proportions."""
    child = child_of(nodes, first, count, move)
    if child < 0 or nodes[child].probability >= share:
        return
    rest = (1.0 - share) / (1.0 - nodes[child].probability)
    for i in range(count):
        nodes[first + i].probability *= rest
    nodes[child].probability = share


@inner
def lift_proved(nodes, first, count, params, is_root, color, proved_fights):
    """Lift the moves that decide a fight, see proved_fights.py, and the pass where `color`, to play, has won one without a move.

    In a seki every move may lose what is won, and networks hardly ever consider a pass.
    """
    for k in range(proved_fights.count):
        proved = proved_fights.fight[k]
        weight = 1.0 if is_root else BELOW_ROOT
        if proved.move != NO_POINT:
            weight *= min(1.0, proved.target_count / LARGE_TARGET) * (1.0 if proved.is_sure == 1 else KO_WEIGHT)
            lift_child(nodes, first, count, np.int64(proved.move), weight * params.proved_share)
        elif proved.winner == color or proved.winner == SEKI:
            lift_child(nodes, first, count, PASS, weight * params.proved_pass)


@inner
def set_point_prior(node, params, position, distances):
    """Prior visits by the place of a move: shape, distance to the last move, line, self-atari."""
    point, color = np.int64(node.move), position.to_play
    if fits_pattern(position, point, color):
        add_prior(node, params.prior_pattern, params.prior_pattern)
    if is_self_atari(position, point, color):
        add_prior(node, 0.0, params.prior_self_atari)
    distance = distances[point]
    if distance <= NEAR:
        near = params.prior_near * (NEAR + 1 - distance) / NEAR
        add_prior(node, near, near)
    if position.board_size > SMALL_BOARD:
        line = line_of(point, position.board_size)
        if line <= 3 and is_far_from_stones(position, point):
            add_prior(node, params.prior_edge if line == 3 else 0.0, params.prior_edge)


@inner
def judge_moves(nodes, first, count, model, workspace):
    """Judge these children of the workspace's position, whose needs are known, by the move model: fill workspace.looks."""
    looks = workspace.looks
    prepare_looks(workspace.position, looks, workspace.needs)
    clear_moves(looks)
    for child in range(first, first + count):
        if nodes[child].move != PASS:
            add_move(looks, nodes[child].move)
    find_strengths(model, workspace.position, looks)


@inner
def set_probabilities(nodes, first, count, model, workspace):
    """The move model's probabilities of the new children nodes[first .. first + count - 1]; PASS gets none."""
    judge_moves(nodes, first, count, model, workspace)
    looks = workspace.looks
    total, moves = 0.0, 0
    for i in range(count):
        node = nodes[first + i]
        node.probability = 0.0
        if node.move != PASS:
            node.probability = np.exp(looks.strengths[moves])
            moves += 1
        total += node.probability
    if total > 0.0:
        for i in range(count):
            nodes[first + i].probability /= total


@inner
def set_priors(nodes, first, count, shared, position, needs):
    """Prior visits for the new children nodes[first .. first + count - 1] of `position`, whose `needs` are known."""
    params = shared.params
    distances = np.empty(POINTS, np.int64)
    has_last_move = position.last_move != NO_POINT and position.last_move != PASS
    if has_last_move:
        common_fate_distances(position, position.last_move, distances, np.empty(2 * POINTS, np.int64))
    else:
        distances[:] = NEAR + 1
    for i in range(count):
        node = nodes[first + i]
        add_prior(node, 0.5 * params.prior_even, params.prior_even)
        if node.move == PASS:
            add_prior(node, 0.0, params.prior_self_atari)  # as bad as a wasted move until there is nothing better
        else:
            set_point_prior(node, params, position, distances)
    set_tactical_priors(nodes, first, count, shared, position, needs)
