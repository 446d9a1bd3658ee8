"""The network as a guide only: playouts judge the leaves, and it says where to look at nodes visited often.

There its policy takes the place of the move model's guess: a few dozen questions steer thousands of playouts. See leaf.advance, which asks.
"""

import numpy as np

from gtp_engine.jit import inner
from gtp_engine.search.puct import set_policy
from gtp_engine.search.simulation import AT_LEAF, AT_QUESTION, end_by_playout, take_back, walk


@inner
def reach_asking_node(
    nodes, trees, params, policy, positions, workers, tallies, move_owners, suggestions, models, looks, situations, thread, desk
):
    """Try one simulation with a playout; True when it stands at a node that asks for guidance, and then it doesn't count."""
    desk.left -= 1
    ended = walk(nodes, trees, params, policy, positions, workers, tallies, suggestions, models, looks, situations, thread)
    if ended == AT_QUESTION:
        take_back(nodes, workers[thread])
        return True
    if ended == AT_LEAF:
        end_by_playout(nodes, params, policy, positions, workers, tallies, move_owners, suggestions, thread)
        desk.done += 1
    return False


@inner
def guide(nodes, worker, position, logits):
    """Give the children of the last node of the path, `position`, the policy's probabilities in the move model's place."""
    node = nodes[worker.path[worker.length - 1]]
    set_policy(nodes, np.int64(node.first_child), np.int64(node.child_count), position.board_size, logits)
