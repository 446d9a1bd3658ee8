"""A thread's way from one question to the network to the next, in one compiled call.

After a question the processor's caches hold the network and little else: Python between two questions runs several times slower than
usual. So a single call ends the simulation that waited for the answer, walks to the next leaf and writes what the network is to see.
"""

import numpy as np

from gtp_engine.go.points import WHITE
from gtp_engine.jit import entry, inner
from gtp_engine.network.cache import EVALUATION, NO_KEY, find, keep
from gtp_engine.network.features import HISTORY, SURVEY_PLAYOUTS, SYMMETRIES, fill_planes, transformed
from gtp_engine.network.guide import guide, reach_asking_node
from gtp_engine.playout.policy import random_below
from gtp_engine.playout.survey import SURVEY, take_survey
from gtp_engine.search.simulation import add_survey_owners, end_by_playout, end_evaluation, is_over, leaf_slot, scratch_slot, walk_by_policy

KEY_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd; from the golden ratio, as in Weyl sequences
KEY_SHIFT = np.uint64(29)

DESK = np.dtype(
    [
        ("answer", EVALUATION),  # about the leaf at hand, in the board's own orientation
        ("survey", SURVEY),  # of the leaf at hand
        ("key", np.uint64),  # of the leaf at hand
        ("asked", np.int64),  # questions to the network so far
        ("hits", np.int64),  # leaves that the cache knew
        ("recent_moves", np.int64, (HISTORY,)),  # up to the leaf, the last one first; NO_POINT where there is none
        ("root_moves", np.int64, (HISTORY,)),  # the same up to the root
        ("komi", np.float64),  # points that White gets
        ("uses_symmetry", np.int32),  # 1: the network sees each position in a random orientation
        ("symmetry", np.int32),  # the orientation of the question, 0..7
        ("left", np.int32),  # simulations still to try
        ("done", np.int32),  # simulations counted
    ],
    align=True,
)


@inner
def stir(key, number):
    """A key that depends on `key` and on the small number."""
    key = (key ^ np.uint64(number)) * KEY_FACTOR
    return key ^ (key >> KEY_SHIFT)


@inner
def observe(nodes, position, worker, desk):
    """Note the leaf's recent moves, and a key of all that the network sees of it; the board's size and komi are not in the key."""
    key = stir(position.hash, 1 if position.to_play == WHITE else 2)
    key = stir(key, position.ko_point)
    depth = worker.length - 1
    for i in range(HISTORY):
        if i < depth:
            desk.recent_moves[i] = nodes[worker.path[depth - i]].move
        else:
            desk.recent_moves[i] = desk.root_moves[i - depth]
        key = stir(key, desk.recent_moves[i])
    desk.key = key if key != NO_KEY else KEY_FACTOR


@inner
def survey_leaf(nodes, policy, positions, workers, tallies, move_owners, suggestions, thread, desk):
    """Let playouts say what they think of the thread's leaf. Overwrites its scratch position and the one that it keeps leaves in."""
    slot, kept = scratch_slot(workers, thread), leaf_slot(workers, thread)
    take_survey(desk.survey, SURVEY_PLAYOUTS, desk.komi, positions, thread + 1, kept, slot, policy, tallies[thread], suggestions[thread])
    add_survey_owners(nodes, workers[thread], desk.survey, move_owners[thread])


@inner
def write_question(positions, workers, models, looks, thread, desk, question):
    """What the network is to see of the thread's leaf, in one orientation. Overwrites the thread's scratch position and looks."""
    position, slot, komi = positions[thread + 1], scratch_slot(workers, thread), desk.komi
    desk.symmetry = random_below(position, SYMMETRIES) if desk.uses_symmetry else 0
    fill_planes(position, positions, slot, desk.recent_moves, komi, models[0], looks[thread], desk.survey, desk.symmetry, question)


@inner
def read_answer(desk, params, position, policy, value, score):
    """Turn the network's outputs into desk.answer, in the board's own orientation, mixed with what the playouts found."""
    answer, size = desk.answer, np.int64(position.board_size)
    for row in range(size):
        for column in range(size):
            r, c = transformed(row, column, size, desk.symmetry)
            answer.policy[row * size + column] = policy[r * size + c]
    answer.policy[size * size] = policy[size * size]
    played, lead = desk.survey.wins / desk.survey.playouts, desk.survey.lead / desk.survey.playouts
    if position.to_play == WHITE:
        played, lead = 1.0 - played, -lead
    win = 1.0 / (1.0 + np.exp(-np.float64(value)))
    answer.win = win + params.playout_share * (played - win)
    answer.lead = score + params.playout_share * (lead - score)


@inner
def reach_leaf(nodes, params, policy, positions, workers, tallies, move_owners, suggestions, situations, thread, desk):
    """Try one simulation; True when it stands at a leaf and needs an evaluation, False when it is over or cut off by superko."""
    desk.left -= 1
    if not walk_by_policy(nodes, params, positions, workers, tallies, situations, thread):
        return False
    if not is_over(positions[thread + 1]):
        return True
    end_by_playout(nodes, params, policy, positions, workers, tallies, move_owners, suggestions, thread)
    desk.done += 1
    return False


@inner
def leave_leaf(nodes, trees, params, policy, positions, workers, tallies, suggestions, thread, desk):
    """End the simulation at the leaf by desk.answer."""
    answer = desk.answer
    win, lead = np.float64(answer.win), np.float64(answer.lead)
    counted = end_evaluation(nodes, trees, params, policy, positions, workers, tallies, suggestions, thread, answer.policy, win, lead)
    desk.left += 1 - counted  # the root's own evaluation is no try
    desk.done += counted


@inner
def reach_question(
    nodes, trees, params, policy, positions, workers, tallies, move_owners, suggestions, models, looks, situations, thread, desk
):
    """Try one simulation; True when it stands where the network is to be asked: at a leaf, or at a node that asks for guidance."""
    if params.asks_from == 0:
        return reach_leaf(nodes, params, policy, positions, workers, tallies, move_owners, suggestions, situations, thread, desk)
    return reach_asking_node(
        nodes, trees, params, policy, positions, workers, tallies, move_owners, suggestions, models, looks, situations, thread, desk
    )


@inner
def use_answer(nodes, trees, params, policy, positions, workers, tallies, suggestions, thread, desk):
    """Do with desk.answer what the question was for."""
    if params.asks_from == 0:
        leave_leaf(nodes, trees, params, policy, positions, workers, tallies, suggestions, thread, desk)
    else:
        guide(nodes, workers[thread], positions[thread + 1], desk.answer.policy)


@entry
def advance(
    nodes,
    trees,
    params_array,
    policies,
    positions,
    workers,
    tallies,
    move_owners,
    suggestions,
    models,
    looks,
    situations,
    thread,
    count,
    desks,
    cache,
    question,
    policy,
    value,
    score,
):
    """Go on until the network must be asked, True, or until `count` simulations were tried, False; desks[thread].done were counted.

    First call with the `count`, at least 1. As long as it is True: let the network answer `question` [1, PLANES, S, S] by policy
    [1, S * S + 1], value [1] and score [1], see session.Question, and call with 0.
    """
    params, playouts, desk = params_array[0], policies[0], desks[thread]
    has_answer = count == 0
    if has_answer:
        read_answer(desk, params, positions[thread + 1], policy[0], value[0], score[0])
        keep(cache, desk.key, desk.answer)
    else:
        desk.left, desk.done = count, 0
    while has_answer or desk.left > 0:
        if has_answer:
            use_answer(nodes, trees, params, playouts, positions, workers, tallies, suggestions, thread, desk)
            has_answer = False
        elif reach_question(
            nodes, trees, params, playouts, positions, workers, tallies, move_owners, suggestions, models, looks, situations, thread, desk
        ):
            observe(nodes, positions[thread + 1], workers[thread], desk)
            has_answer = find(cache, desk.key, desk.answer)
            if not has_answer:
                survey_leaf(nodes, playouts, positions, workers, tallies, move_owners, suggestions, thread, desk)
                write_question(positions, workers, models, looks, thread, desk, question[0])
                desk.asked += 1
                return True
            desk.hits += 1
    return False
