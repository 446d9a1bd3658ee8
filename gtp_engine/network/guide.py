"""A thread's way from one question to the next when playouts judge the leaves and the network only guides the tree.

At nodes visited often the network's policy takes the place of the move model's guess: a few dozen questions steer thousands of playouts.
As in leaf.py, one compiled call does everything between two questions.
"""

import numpy as np

from gtp_engine.jit import entry, inner
from gtp_engine.network.cache import find, keep
from gtp_engine.network.leaf import observe, read_answer, survey_leaf, write_question
from gtp_engine.search.puct import set_policy
from gtp_engine.search.simulation import AT_LEAF, AT_QUESTION, end_by_playout, take_back, walk


@inner
def guide(nodes, worker, position, logits):
    """Give the children of the last node of the path, `position`, the policy's probabilities in the move model's place."""
    node = nodes[worker.path[worker.length - 1]]
    set_policy(nodes, np.int64(node.first_child), np.int64(node.child_count), position.board_size, logits)


@entry
def advance_guided(
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
    planes,
    question,
    policy,
    value,
    score,
):
    """Go on until the network must be asked, True, or until `count` simulations were tried, False; arguments as those of leaf.advance."""
    params, playouts, desk, worker = params_array[0], policies[0], desks[thread], workers[thread]
    position = positions[thread + 1]
    if count == 0:
        read_answer(desk, params, position, policy[0], value[0], score[0])
        keep(cache, desk.key, desk.answer)
        guide(nodes, worker, position, desk.answer.policy)
    else:
        desk.left, desk.done = count, 0
    while desk.left > 0:
        desk.left -= 1
        ended = walk(nodes, trees, params, playouts, positions, workers, tallies, suggestions, models, looks, situations, thread)
        if ended == AT_LEAF:
            end_by_playout(nodes, params, playouts, positions, workers, tallies, move_owners, suggestions, thread)
            desk.done += 1
        elif ended == AT_QUESTION:
            take_back(nodes, worker)
            observe(nodes, position, worker, desk)
            if find(cache, desk.key, desk.answer):
                guide(nodes, worker, position, desk.answer.policy)
                desk.hits += 1
                continue
            survey_leaf(nodes, playouts, positions, workers, tallies, move_owners, suggestions, thread, desk)
            write_question(positions, workers, models, looks, thread, desk, planes, question[0])
            desk.asked += 1
            return True
    return False
