"""The move model orders a node's moves: among those that look alike to the search, the likely ones are tried first.

The model judges a move by its shape and by what the chains of the board ask for (captures, escapes, ladders: go/chain_needs.py). That takes
as long as some ten nodes, and most nodes are looked into once and never again. So it is asked when the search comes back to a node for the
second time, about the moves behind which nothing was searched yet; the others have numbers that say more. What an unlikely move's first
number grows by makes it wait, and changes no answer.

A network that is loaded orders the first moves instead: it takes as long as hundreds or thousands of nodes, and all questions about a
position share what it says of that.
"""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.engine.move_model.model import LOOKS, prepare_looks
from gtp_engine.engine.move_model.strengths import add_move, clear_moves, find_strengths
from gtp_engine.engine.solver.graph import NOT_EXPANDED
from gtp_engine.go.chain_needs import CHAIN_NEEDS, find_chain_needs
from gtp_engine.go.points import NO_POINT, POINTS
from gtp_engine.go.position import POSITION

RETURNS = 2  # to a node before its moves are ordered: at the first, a third more nodes are judged, for nothing that could be seen
FEWEST = 3  # moves; between two there is little to choose
WEIGHT = 4.0  # of a distance between two strengths, in logarithms: a move half as likely as the best waits for 2.8 more
FIRST_WEIGHT = 2.0  # the same for the network, whose distances are larger
MOST_ADDED = 16  # added to a first number, at most; a wrong guess must not hide a move for long

MOVE_ORDER = np.dtype(
    [
        ("scratch", POSITION),  # where ladders and captures are tried
        ("needs", CHAIN_NEEDS),  # of the node's position
        ("looks", LOOKS),  # of its moves
        ("is_told", np.int32, (2,)),  # by side: 1 where `told` says something of its first moves
        ("told", np.float32, (2, POINTS)),  # by side: logarithms of how likely a network takes each first move to be
    ],
    align=True,
)


@inner
def is_untouched(nodes, edge):
    """Is this a move on a point behind which nothing was searched?"""
    child = nodes[edge.node]
    return edge.point > 0 and child.proof > 0 and child.disproof > 0 and child.edge_count == NOT_EXPANDED


@inner
def count_untouched(node, nodes, edges):
    """How many of the node's moves are untouched."""
    count = 0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        if is_untouched(nodes, edges[e]):
            count += 1
    return count


@inner
def judge_moves(task, node, nodes, edges, position, order, model):
    """Fill order.looks with the strengths of the node's untouched moves, edge by edge. `position`: the node's; left as it was."""
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
def look_up_first_moves(node, nodes, edges, order):
    """Fill order.looks with what the network says of the node's untouched moves, edge by edge; the node's position was given."""
    looks = order.looks
    clear_moves(looks)
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        if is_untouched(nodes, edges[e]):
            add_move(looks, edges[e].point)
            looks.strengths[looks.move_count - 1] = order.told[node.to_play, edges[e].point]


@inner
def order_moves(task, node, nodes, edges, position, order, model):
    """Add to the first numbers of the node's untouched moves, the less likely the more. `position`: the node's."""
    if count_untouched(node, nodes, edges) < FEWEST:
        return
    weight = WEIGHT
    if node.parent < 0 and order.is_told[node.to_play]:
        look_up_first_moves(node, nodes, edges, order)
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
def come_back(task, node, nodes, edges, position, order, model):
    """Note that the search has come back to this node, whose moves are known, and order them when it is time. `position`: the node's."""
    if node.returns < RETURNS:
        node.returns += 1
        if node.returns == RETURNS:
            order_moves(task, node, nodes, edges, position, order, model)
