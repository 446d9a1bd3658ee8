"""The walk of a simulation from the root to a leaf, for all evaluators (Coulom 2006; Kocsis and Szepesvari 2006).

With an evaluator's policy (SHARED.by_policy), moves are chosen by PUCT, and a leaf gets its children with the evaluator's answer. Without a
policy, moves are chosen by UCT, and a leaf gets its children here, with priors by rules, when it has enough visits.
"""

import numpy as np

from gtp_engine.compiled.atomic import atomic_add
from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import inner
from gtp_engine.engine.playout.playout import note_first_player
from gtp_engine.engine.playout.policy import random_below
from gtp_engine.engine.search.facts import look_up
from gtp_engine.engine.search.leaf import NO_SUPERKO, situation_of
from gtp_engine.engine.search.prior import favor_proved, lift_proved, lift_tactics, set_priors, set_probabilities
from gtp_engine.engine.search.puct import limit_pass, puct_child, set_policy
from gtp_engine.engine.search.tree import (
    FORBIDDEN,
    FULL,
    NO_CHILDREN,
    ROOT,
    add_children,
    claim_expansion,
    publish_children,
    select_child,
)
from gtp_engine.engine.search.workspace import PATH_LENGTH
from gtp_engine.go.chain_needs import find_chain_needs
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE
from gtp_engine.go.position import play_move


@inner
def is_repetition(workspace, situations, superko):
    """True if superko forbids the situation after the last step: it occurred on the path from the root, or before it in the game."""
    position = workspace.position
    if superko == NO_SUPERKO or position.last_move == PASS:
        return False
    if position.captures[BLACK] + position.captures[WHITE] == 0:
        return False  # no stone was ever taken, so every position has more stones than the one before
    now = situation_of(position, superko)
    for i in range(len(situations)):
        if situations[i] == now:
            return True
    for i in range(workspace.length - 1):
        if workspace.situations[i] == now:
            return True
    return False


@inner
def take_back(nodes, workspace):
    """Remove the visits of this walk, which doesn't count."""
    for i in range(workspace.length):
        atomic_add(nodes[workspace.path[i]], "visits", -1)


@inner
def is_over(position):
    """True if both sides passed in a row."""
    return position.passes >= 2


@inner
def start_walk(nodes, shared, workspace):
    """Set the workspace to the root."""
    position = workspace.position
    random = position.random
    copy_record(position, shared.root)
    position.random = random
    workspace.tally.first_player[:] = EMPTY
    workspace.needs.is_known = 0
    workspace.length = 1
    workspace.path[0] = ROOT
    workspace.situations[0] = situation_of(position, shared.superko)
    atomic_add(nodes[ROOT], "visits", 1)


@inner
def step_down(nodes, index, shared, workspace, situations):
    """Play the move of nodes[index] and add it to the path; False if superko forbids it, and then it is never chosen again."""
    node, position = nodes[index], workspace.position
    atomic_add(node, "visits", 1)
    workspace.path[workspace.length] = index
    workspace.length += 1
    point, color = np.int64(node.move), position.to_play
    if point == FORBIDDEN:  # another thread has found this since the node was chosen
        take_back(nodes, workspace)
        return False
    if point != PASS:
        note_first_player(workspace.tally, point, color)
    play_move(position, point, color)
    if is_repetition(workspace, situations, shared.superko):
        node.move = FORBIDDEN
        take_back(nodes, workspace)
        return False
    workspace.situations[workspace.length - 1] = situation_of(position, shared.superko)
    return True


@inner
def choose_child(nodes, index, shared, workspace):
    """The child of nodes[index] to walk to; its index."""
    position = workspace.position
    offset = random_below(position, nodes[index].child_count)
    if shared.by_policy:
        return puct_child(nodes, index, shared, position.to_play, workspace.length, offset)
    return select_child(nodes, index, shared, position.to_play, workspace.length, offset)


@inner
def descend(nodes, shared, workspace, situations, facts):
    """Walk from the root to a leaf, whose position is then in the workspace. False if superko ended the walk, which then doesn't count."""
    start_walk(nodes, shared, workspace)
    position = workspace.position
    index = ROOT
    while not is_over(position) and workspace.length < PATH_LENGTH:
        node = nodes[index]
        if node.first_child <= 0:
            if shared.by_policy or (node.visits < shared.params.expand_visits and index != ROOT):
                break
            if not expand_by_looks(nodes, shared, workspace, index, facts):
                break
        index = choose_child(nodes, index, shared, workspace)
        if not step_down(nodes, index, shared, workspace, situations):
            return False
    return True


@inner
def know_needs(workspace, asks_danger):
    """Make sure that workspace.needs are those of its position."""
    if workspace.needs.is_known == 0:
        find_chain_needs(workspace.position, workspace.needs, workspace.scratch, asks_danger)


@inner
def expand_by_looks(nodes, shared, workspace, index, facts):
    """Give nodes[index] children with priors by rules; True if it has some afterwards.

    If another thread is expanding the node, or the pool is full, it stays a leaf for this simulation.
    """
    if not claim_expansion(nodes, index):
        return False
    first = add_children(nodes, shared, workspace, index)
    if first == FULL:
        nodes[index].first_child = NO_CHILDREN
        return False
    params = shared.params
    if params.priors:
        count = nodes[index].child_count
        find_chain_needs(workspace.position, workspace.needs, workspace.scratch, False)
        set_priors(nodes, first, count, shared, workspace.position, workspace.needs)
        if params.model_bonus > 0.0:
            set_probabilities(nodes, first, count, shared.model, workspace)
        if shared.reading.count > 0:
            look_up(shared.reading, facts, workspace.position, workspace.leaf.survey.proved_fights)
            favor_proved(nodes, first, count, params.prior_proved, workspace.leaf.survey.proved_fights)
    publish_children(nodes, index, first)
    return True


@inner
def expand_by_policy(nodes, shared, workspace):
    """Give the leaf its children with the answer's policy, unless it has some, another thread is expanding it, or the pool is full.

    Tactical moves that chains need, and moves that are proved to decide a fight, get higher priors; see prior.lift_tactics and lift_proved.
    """
    index = workspace.path[workspace.length - 1]
    if not claim_expansion(nodes, index):
        return
    first = add_children(nodes, shared, workspace, index)
    if first == FULL:
        nodes[index].first_child = NO_CHILDREN
        return
    count = np.int64(nodes[index].child_count)
    set_policy(nodes, first, count, workspace.position.board_size, workspace.answer.policy)
    limit_pass(nodes, first, count, shared.params.pass_prior)
    if shared.params.tactics_prior > 0.0:
        know_needs(workspace, False)
        lift_tactics(nodes, first, count, shared, workspace.position, workspace.needs)
    lift_proved(
        nodes, first, count, shared.params, index == ROOT, np.int64(workspace.position.to_play), workspace.leaf.survey.proved_fights
    )
    publish_children(nodes, index, first)
