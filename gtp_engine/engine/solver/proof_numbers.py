"""Depth-first proof-number search (Nagai 2002) on the graph of positions: which node to search next.

The proof and the disproof number say how hard the prover's success and failure look. In place of a sum, the largest part plus the number of
the other open parts is used: in a graph the same node is reached on many paths, and true sums would count it many times.

A repetition on the path counts as a failure of the prover. Such a failure holds for this path only, but it is kept with the node, because
that makes the search faster. Afterwards fixpoint.py finds the failures that hold on every path. Each node of the path has its own board.
"""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.solver.graph import INFINITE, MOST_EDGES, NOT_EXPANDED, expand, play_on, put_on_board
from gtp_engine.engine.solver.move_order import note_return

MOST_DEPTH = 400  # nodes on one path; deeper ones are not searched yet


@inner
def evaluate(task, nodes, edges, number):
    """(proof, disproof, best, second, open_count) of an expanded node, from its children.

    best -- the child to search next, -1 if there is none; second -- the next best child's number, of the kind that the mover wants small
    (INFINITE: none); open_count -- the number of children that are not solved, where repetitions count as failures.
    """
    node = nodes[number]
    is_prover = node.to_play == task.prover
    small, large, open_count = INFINITE, 0, 0
    best, second = -1, INFINITE
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        child = nodes[edges[e].node]
        proof, disproof = np.int64(child.proof), np.int64(child.disproof)
        if child.on_path and proof and disproof:
            proof, disproof = INFINITE, 0
        own, other = (proof, disproof) if is_prover else (disproof, proof)
        if own < small:
            best, small, second = np.int64(edges[e].node), own, small
        elif own < second:
            second = own
        if proof and disproof:
            open_count += 1
        large = max(large, other)
    if small == 0:
        large = INFINITE
    elif open_count > 1 and large < INFINITE:
        large += open_count - 1
    if small >= INFINITE:  # every move fails for the side to play
        small, large = INFINITE, 0
    proof, disproof = (small, large) if is_prover else (large, small)
    return proof, disproof, best, second, open_count


@inner
def child_limits(is_prover, proof_limit, disproof_limit, second, open_count):
    """(proof, disproof): limits up to which the best child is searched before another one looks better or the parent is done."""
    margin = second + (second >> 2) + 1  # a little more than the second best, or the search would switch between the two all the time
    others = max(open_count - 1, 0)
    if is_prover:
        return min(proof_limit, margin), disproof_limit - others
    return proof_limit - others, min(disproof_limit, margin)


@inner
def move_to(node, edges, child):
    """The move from a node to one of its children."""
    e = np.int64(node.first_edge)
    while edges[e].node != child:
        e += 1
    return np.int64(edges[e].point)


@inner
def learn(task, node, edges, totals, best):
    """Count which move solved this node, or that all failed."""
    side = np.int64(node.to_play)
    is_win = (node.proof == 0) == (side == task.prover)
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        point = np.int64(edges[e].point)
        if point > 0:
            if not is_win:
                totals.losses[side, point] += 1
            elif edges[e].node == best:
                totals.wins[side, point] += 1


@entry
def set_root(tasks, nodes, positions, starts, limits, number):
    """Get ready to search from this node."""
    put_on_board(tasks[0], nodes, positions, starts, number)
    limits[0, 2] = number


@entry
def search(tasks, nodes, edges, slots, totals, path, move_judge, most_visits):
    """Search from the node limits[0, 2], whose position is positions[0], until it is solved; returns whether it is.

    Ends before if the pool is full or after `most_visits` visits of nodes. The next call continues where this one ended.

    path -- ([MOST_DEPTH + 1] POSITION; [MOST_DEPTH, 3] of int64, `limits`), scratch except for what set_root entered.
      move_judge -- ([1] MOVE_ORDER, scratch; [1] MODEL).
    """
    task, total = tasks[0], totals[0]
    positions, limits = path
    orders, models = move_judge
    limits[0, 0], limits[0, 1] = INFINITE, INFINITE
    root = limits[0, 2]
    depth, visits = 0, 0
    while depth >= 0:
        number = limits[depth, 2]
        node = nodes[number]
        visits += 1
        if node.proof and node.disproof and node.edge_count == NOT_EXPANDED:
            is_full = total.nodes + MOST_EDGES > len(nodes) or total.edges + MOST_EDGES > len(edges)
            if is_full or visits > most_visits:
                break
            expand(task, nodes, edges, slots, total, positions, depth, number)
        elif node.proof and node.disproof:
            note_return(task, node, nodes, edges, positions[depth], orders[0], models[0])
        node.on_path = 1
        if node.proof and node.disproof:
            proof, disproof, best, second, open_count = evaluate(task, nodes, edges, number)
            node.proof, node.disproof = proof, disproof
            if proof == 0 or disproof == 0:
                learn(task, node, edges, total, best)
            is_done = proof >= limits[depth, 0] or disproof >= limits[depth, 1] or proof == 0 or disproof == 0
            if not is_done and visits <= most_visits and depth + 1 < MOST_DEPTH:
                first, other = child_limits(node.to_play == task.prover, limits[depth, 0], limits[depth, 1], second, open_count)
                copy_record(positions[depth + 1], positions[depth])
                play_on(task, node, positions[depth + 1], move_to(node, edges, best))
                depth += 1
                limits[depth, 0], limits[depth, 1], limits[depth, 2] = first, other, best
                continue
        node.on_path = 0
        depth -= 1
    for d in range(depth + 1):
        nodes[limits[d, 2]].on_path = 0
    total.visits += visits
    return nodes[root].proof == 0 or nodes[root].disproof == 0
