"""Simulations: select a leaf, expand, evaluate, back up (Coulom 2006; Kocsis and Szepesvari 2006).

`run_simulations` does all four in one compiled call, with a playout as the evaluation. An evaluator that needs Python in between uses
`select_leaf`, then `back_up_leaf`. Both walk the same tree with the same functions.

Every function takes the search's arrays: `nodes`, `trees`, `params` and `policies` shared by all threads; `positions`, `workers`,
`tallies`, `move_owners` and `suggestions` with a slot for each thread. positions[0] is the root and read only; thread t works on
positions[t + 1] and tries things out on positions[t + 1 + number of threads].
"""

import numpy as np

from gtp_engine.copying import copy_record
from gtp_engine.go import game
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, PASS, WHITE
from gtp_engine.go.position import play_move
from gtp_engine.go.score import add_playout_owners, area_score
from gtp_engine.jit import entry, inner
from gtp_engine.playout.playout import note_first_player, play_out
from gtp_engine.playout.policy import random_below
from gtp_engine.search.atomic import atomic_add, atomic_claim
from gtp_engine.search.prior import lift_tactics, set_priors, set_probabilities
from gtp_engine.search.puct import limit_pass, puct_child, set_policy
from gtp_engine.search.tree import (
    FORBIDDEN,
    FULL,
    NO_CHILDREN,
    ROOT,
    WORKER_PATH,
    add_children,
    back_up,
    claim_expansion,
    publish_children,
    select_child,
)

TURN_HASH = np.uint64(game.TURN_HASH)
SCORE_RANGE = 30.0  # points: a larger lead is worth no more
NO_SUPERKO, POSITIONAL, SITUATIONAL = 0, 1, 2  # PARAMS.superko
CUT_OFF, AT_LEAF, AT_QUESTION = 0, 1, 2  # how a walk ended: superko forbade the last step, at a leaf, at a node that asks a network


@inner
def situation_of(position, superko):
    """What must not come back under this superko; twin of game.situation_hash."""
    if superko == SITUATIONAL and position.to_play == WHITE:
        return position.hash ^ TURN_HASH
    return position.hash


@inner
def is_repetition(position, worker, situations, superko):
    """Does superko forbid the situation that the last step made: was it on the path from the root, or in the game before it?"""
    if superko == NO_SUPERKO or position.last_move == PASS:
        return False
    if position.captures[BLACK] + position.captures[WHITE] == 0:
        return False  # no stone ever left the board, so every position has more stones than the one before
    now = situation_of(position, superko)
    for i in range(len(situations)):
        if situations[i] == now:
            return True
    for i in range(worker.length - 1):
        if worker.situations[i] == now:
            return True
    return False


@inner
def forbid_last(nodes, worker):
    """Superko forbids the last node of the path: never select it again."""
    nodes[worker.path[worker.length - 1]].move = FORBIDDEN
    take_back(nodes, worker)


@inner
def take_back(nodes, worker):
    """Take the visits of this walk back: it counts for nothing."""
    for i in range(worker.length):
        atomic_add(nodes[worker.path[i]], "visits", -1)


@inner
def is_over(position):
    """Did both sides pass?"""
    return position.passes >= 2


@inner
def start_walk(nodes, positions, thread, workers, tallies, params):
    """Put the thread at the root."""
    random = positions[thread + 1].random
    copy_record(positions[thread + 1], positions[0])
    positions[thread + 1].random = random
    tallies[thread].first_player[:] = EMPTY
    worker = workers[thread]
    worker.length = 1
    worker.path[0] = ROOT
    worker.situations[0] = situation_of(positions[0], params.superko)
    atomic_add(nodes[ROOT], "visits", 1)


@inner
def step_down(nodes, index, params, position, worker, tally, situations):
    """Play the move of nodes[index] in `position` and add it to the path; False when superko forbids it: then it is never chosen again."""
    node = nodes[index]
    atomic_add(node, "visits", 1)
    worker.path[worker.length] = index
    worker.length += 1
    point, color = np.int64(node.move), position.to_play
    if point != PASS:
        note_first_player(tally, point, color)
    play_move(position, point, color)
    if is_repetition(position, worker, situations, params.superko):
        forbid_last(nodes, worker)
        return False
    worker.situations[worker.length - 1] = situation_of(position, params.superko)
    return True


@inner
def expand(nodes, trees, params, policy, positions, workers, suggestions, models, looks, thread, index):
    """Give nodes[index] its children, with their priors; True when it has some afterwards.

    Another thread may be at it: then, and when the pool is full, the node stays a leaf for this simulation.
    """
    if not claim_expansion(nodes, index):
        return False
    position = positions[thread + 1]
    first = add_children(nodes, trees[0], workers[thread], index, position)
    if first == FULL:
        nodes[index].first_child = NO_CHILDREN
        return False
    if params.priors:
        count, slot = nodes[index].child_count, scratch_slot(workers, thread)
        set_priors(nodes, first, count, params, policy, position, suggestions[thread], positions, slot)
        if params.model_bonus > 0.0:
            set_probabilities(nodes, first, count, models[0], position, looks[thread], positions, slot)
    publish_children(nodes, index, first)
    return True


@inner
def scratch_slot(workers, thread):
    """The index in `positions` where this thread may try things out."""
    return thread + 1 + len(workers)


@inner
def walk(nodes, trees, params, policy, positions, workers, tallies, suggestions, models, looks, situations, thread):
    """Walk from the root to a leaf, expanding it when it is due; gives back AT_LEAF.

    Or CUT_OFF, when nothing may be counted, or AT_QUESTION, at a node that is this thread's to ask the network about.
    """
    start_walk(nodes, positions, thread, workers, tallies, params)
    position, worker, tally = positions[thread + 1], workers[thread], tallies[thread]
    index = ROOT
    while not is_over(position) and worker.length < WORKER_PATH:
        node = nodes[index]
        if node.first_child <= 0:
            if node.visits < params.expand_visits and index != ROOT:
                break
            if not expand(nodes, trees, params, policy, positions, workers, suggestions, models, looks, thread, index):
                break
        elif params.asks_from > 0 and claims_question(nodes, index, params):
            return AT_QUESTION
        index = select_child(nodes, index, params, position.to_play, worker.length, random_below(position, node.child_count))
        if not step_down(nodes, index, params, position, worker, tally, situations):
            return CUT_OFF
    return AT_LEAF


@inner
def claims_question(nodes, index, params):
    """Is the network's policy due at nodes[index], and this thread the first to notice?"""
    node = nodes[index]
    if node.is_guided != 0 or (node.visits < params.asks_from and index != ROOT):
        return False
    return atomic_claim(node, "is_guided", 0, 1) == 1


@inner
def walk_by_policy(nodes, params, positions, workers, tallies, situations, thread):
    """Walk by PUCT from the root to a node without children; False when superko forbade the last step and nothing may be counted.

    Apart from `walk`, which would lose speed if it had to choose between the two.
    """
    start_walk(nodes, positions, thread, workers, tallies, params)
    position, worker, tally = positions[thread + 1], workers[thread], tallies[thread]
    index = ROOT
    while not is_over(position) and worker.length < WORKER_PATH and nodes[index].first_child > 0:
        offset = random_below(position, nodes[index].child_count)
        index = puct_child(nodes, index, params, position.to_play, worker.length, offset)
        if not step_down(nodes, index, params, position, worker, tally, situations):
            return False
    return True


@inner
def result_for(color, score, params):
    """What a score, Black's minus White's with komi, is worth to `color`: 1 won, 0 lost, 0.5 drawn, and a little for each point.

    The part for points, params.score_weight, keeps a winner from giving points away and a loser from giving up.
    """
    lead = score if color == BLACK else -score
    won = 0.5 if lead == 0.0 else (1.0 if lead > 0.0 else 0.0)
    margin = min(max(lead / SCORE_RANGE, -1.0), 1.0)
    return won + params.score_weight * (0.5 + 0.5 * margin - won)


@inner
def add_move_owners(nodes, worker, position, owners):
    """Add the owners at the end of a playout to those of the move at the root that led there: [P, P] by move and point."""
    if worker.length > 1:
        move = nodes[worker.path[1]].move
        add_playout_owners(position, owners[move])
        owners[move, NO_POINT] += 1


@inner
def add_survey_owners(nodes, worker, survey, owners):
    """As add_move_owners, for all the playouts of a survey of the leaf."""
    if worker.length > 1:
        move = nodes[worker.path[1]].move
        for point in range(len(survey.owners)):
            owners[move, point] += survey.owners[point]
        owners[move, NO_POINT] += survey.playouts


@inner
def final_score(nodes, params, policy, positions, workers, tallies, move_owners, suggestions, thread):
    """Black's points minus White's, komi included, at the end of a playout from the thread's leaf, whose position is overwritten.

    A game that is over needs no playout where every stone on the board is alive.
    """
    position, worker = positions[thread + 1], workers[thread]
    if is_over(position) and params.all_alive:
        return area_score(position) - params.komi
    score = play_out(position, policy, tallies[thread], suggestions[thread], positions, scratch_slot(workers, thread)) - params.komi
    add_move_owners(nodes, worker, position, move_owners[thread])
    return score


@inner
def end_by_playout(nodes, params, policy, positions, workers, tallies, move_owners, suggestions, thread):
    """End the thread's simulation by what a playout from its leaf comes to."""
    mover = WHITE + BLACK - positions[thread + 1].to_play
    score = final_score(nodes, params, policy, positions, workers, tallies, move_owners, suggestions, thread)
    back_up(nodes, workers[thread], params, tallies[thread].first_player, mover, result_for(mover, score, params), score)


@entry
def run_simulations(
    nodes, trees, params_array, policies, positions, workers, tallies, move_owners, suggestions, models, looks, situations, thread, count
):
    """`count` simulations with playouts by one thread; gives back how many were counted (fewer when superko cut some off)."""
    params, policy = params_array[0], policies[0]
    done = 0
    for _ in range(count):
        if walk(nodes, trees, params, policy, positions, workers, tallies, suggestions, models, looks, situations, thread) == CUT_OFF:
            continue
        end_by_playout(nodes, params, policy, positions, workers, tallies, move_owners, suggestions, thread)
        done += 1
    return done


@entry
def select_leaf(
    nodes, trees, params_array, policies, positions, workers, tallies, move_owners, suggestions, models, looks, situations, thread
):
    """Walk to a leaf and stay there, in positions[thread + 1], until back_up_leaf; False when superko cut the walk off."""
    params, policy = params_array[0], policies[0]
    return walk(nodes, trees, params, policy, positions, workers, tallies, suggestions, models, looks, situations, thread) != CUT_OFF


@entry
def back_up_leaf(nodes, params_array, positions, workers, tallies, thread, black_result, score):
    """End the simulation of select_leaf. `black_result`: Black's expected result, 0..1; `score`: Black's minus White's, with komi."""
    mover = WHITE + BLACK - positions[thread + 1].to_play
    result = black_result if mover == BLACK else 1.0 - black_result
    back_up(nodes, workers[thread], params_array[0], tallies[thread].first_player, mover, result, score)


@inner
def expand_by_policy(nodes, trees, params, policy, positions, workers, suggestions, thread, logits):
    """Give the thread's leaf its children with a network's priors, unless it has some, another thread is at it, or the pool is full.

    The tactics that playouts know get a look, too; see prior.lift_tactics. Overwrites the thread's scratch position.
    """
    worker, position = workers[thread], positions[thread + 1]
    index = worker.path[worker.length - 1]
    if not claim_expansion(nodes, index):
        return
    first = add_children(nodes, trees[0], worker, index, position)
    if first == FULL:
        nodes[index].first_child = NO_CHILDREN
        return
    count = np.int64(nodes[index].child_count)
    set_policy(nodes, first, count, position.board_size, logits)
    limit_pass(nodes, first, count, params.pass_prior)
    if params.tactics_prior > 0.0:
        slot = scratch_slot(workers, thread)
        lift_tactics(nodes, first, count, params, policy, position, suggestions[thread], positions, slot)
    publish_children(nodes, index, first)


@inner
def leaf_slot(workers, thread):
    """The index in `positions` where this thread keeps its leaf while playouts start from it again and again."""
    return thread + 1 + 2 * len(workers)


@inner
def end_evaluation(nodes, trees, params, policy, positions, workers, tallies, suggestions, thread, logits, win, lead):
    """End a simulation at a leaf by what a network says; gives back how many simulations are counted.

    `logits` [S * S + 1] float32, see puct.py; `win` and `lead` are those of the side to move at the leaf: its chance to win, 0..1, and its
    points more than the opponent's, komi included. The root's own evaluation gives it children, but is no simulation: 0.
    """
    worker, position = workers[thread], positions[thread + 1]
    to_play = position.to_play
    mover = WHITE + BLACK - to_play
    expand_by_policy(nodes, trees, params, policy, positions, workers, suggestions, thread, logits)
    margin = min(max(lead / SCORE_RANGE, -1.0), 1.0)
    result = 1.0 - win - params.score_weight * (0.5 + 0.5 * margin - win)  # of the player who moved here
    score = lead if to_play == BLACK else -lead
    back_up(nodes, worker, params, tallies[thread].first_player, mover, result, score)
    return 1 if worker.length > 1 else 0
