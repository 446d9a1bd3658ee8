"""The move model orders a node's moves: of moves that look alike to the search, the likely ones are tried first.

The model judges a move by its shape and by the needs of the chains on the board (captures, escapes, ladders: go/chain_needs.py). That takes
as long as about ten nodes, and most nodes are visited only once. So the model is used when the search returns to a node for the second
time, and only for moves that were not searched yet; the proof numbers of the others say more. An unlikely move gets a larger first number
and waits. This changes no answer.

If a network is loaded, it orders the first moves instead. It takes as long as hundreds or thousands of nodes, so all questions about a
position share its policy.
"""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.engine.move_model.model import LOOKS, prepare_looks
from gtp_engine.engine.move_model.strengths import add_move, clear_moves, find_strengths
from gtp_engine.engine.solver.graph import NOT_EXPANDED
from gtp_engine.go.chain_needs import CHAIN_NEEDS, find_chain_needs
from gtp_engine.go.points import NO_POINT, POINTS
from gtp_engine.go.position import POSITION

RETURNS = 2  # to a node before its moves are ordered; with 1, a third more nodes are judged without a measurable gain
FEWEST = 3  # moves of a node whose moves are ordered
WEIGHT = 4.0  # of a difference of strengths, which are logarithms: a move half as likely as the best gets 2.8 more
FIRST_WEIGHT = 2.0  # the same for the network, whose differences are larger
MOST_ADDED = 16  # to a first number; a wrong estimate must not delay a move for long

MOVE_ORDER = np.dtype(
    [
        ("scratch", POSITION),  # where ladders and captures are tried
        ("needs", CHAIN_NEEDS),  # of the node's position
        ("looks", LOOKS),  # of its moves
        ("has_policy", np.int32, (2,)),  # by side: 1 if `policy` has its first moves
        ("policy", np.float32, (2, POINTS)),  # by side: the logarithm of a network's probability of each first move
    ],
    align=True,
)


@inner
def is_untouched(nodes, edge):
    """True if this is a move on a point after which nothing was searched."""
    child = nodes[edge.node]
    return edge.point > 0 and child.proof > 0 and child.disproof > 0 and child.edge_count == NOT_EXPANDED


@inner
def count_untouched(node, nodes, edges):
    """The number of the node's untouched moves."""
    count = 0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        if is_untouched(nodes, edges[e]):
            count += 1
    return count


@inner
def judge_moves(task, node, nodes, edges, position, order, model):
    """Fill order.looks with the strengths of the node's untouched moves, edge by edge. `position` is the node's and doesn't change."""
    looks = order.looks
    to_play, last, previous = position.to_play, position.last_move, position.previous_move
    position.to_play, position.previous_move = task.colors[node.to_play], NO_POINT
    position.last_move = node.move if node.move > 0 else NO_POINT
    find_chain_needs(position, order.needs, order.scratch, False)
    prepare_looks(position, looks, order.needs)
    clear_moves(looks)
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        if is_untouched(nodes, edges[e]):
            add_move(looks, edges[e].point)
    find_strengths(model, position, looks)
    position.to_play, position.last_move, position.previous_move = to_play, last, previous


@inner
def judge_first_moves(node, nodes, edges, order):
    """Fill order.looks with the network's strengths of the node's untouched moves, edge by edge. The node must be a root."""
    looks = order.looks
    clear_moves(looks)
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        if is_untouched(nodes, edges[e]):
            add_move(looks, edges[e].point)
            looks.strengths[looks.move_count - 1] = order.policy[node.to_play, edges[e].point]


@inner
def order_moves(task, node, nodes, edges, position, order, model):
    """Add to the first numbers of the node's untouched moves: the less likely a move, the more. `position` is the node's."""
    if count_untouched(node, nodes, edges) < FEWEST:
        return
    weight = WEIGHT
    if node.parent < 0 and order.has_policy[node.to_play]:
        judge_first_moves(node, nodes, edges, order)
        weight = FIRST_WEIGHT
    else:
        judge_moves(task, node, nodes, edges, position, order, model)
    strengths = order.looks.strengths[: order.looks.move_count]
    best, i = strengths.max(), 0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        if is_untouched(nodes, edges[e]):
            more = np.int64(min(weight * (best - strengths[i]), MOST_ADDED))
            i += 1
            child = nodes[edges[e].node]
            if node.to_play == task.prover:
                child.proof += more
            else:
                child.disproof += more


@inner
def note_return(task, node, nodes, edges, position, order, model):
    """Count a return of the search to this expanded node, and order its moves at the right time. `position` is the node's."""
    if node.returns < RETURNS:
        node.returns += 1
        if node.returns == RETURNS:
            order_moves(task, node, nodes, edges, position, order, model)
