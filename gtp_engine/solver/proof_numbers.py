"""Depth-first proof-number search (Nagai 2002) on the graph of positions: which node to look at next.

Proof and disproof number say how hard the prover's success and failure look. The number of a sum is the largest part plus the count of the
others that are open: in a graph, where the same node is found on many paths, true sums would count it many times.

A repetition on the way counts as a failure of the prover. Such a failure holds for that way only, and yet it is kept as the node's: the
search is quicker so, and fixpoint.py says afterwards which of the failures hold on every way.
"""

import numpy as np

from gtp_engine.jit import entry, inner
from gtp_engine.solver.graph import INFINITE, MOST_EDGES, NOT_EXPANDED, expand

MOST_DEPTH = 1_000  # nodes on one path; deeper ones wait until more is known


@inner
def evaluate(region, nodes, edges, number):
    """(proof, disproof, best, second, open_count) of an expanded node, from its children.

    best -- the child to look at next, -1 when there is none; second -- the next best child's number of the kind that the mover wants small
    (INFINITE: none); open_count -- children that are not solved, repetitions counted as failures.
    """
    node = nodes[number]
    is_prover = node.to_play == region.prover
    small, large, open_count = INFINITE, 0, 0
    best, second = -1, INFINITE
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        child = nodes[edges[e].node]
        proof, disproof = np.int64(child.proof), np.int64(child.disproof)
        if child.on_path and proof and disproof:
            proof, disproof = INFINITE, 0
        wanted, unwanted = (proof, disproof) if is_prover else (disproof, proof)
        if wanted < small:
            best, small, second = np.int64(edges[e].node), wanted, small
        elif wanted < second:
            second = wanted
        if proof and disproof:
            open_count += 1
        large = max(large, unwanted)
    if small == 0:
        large = INFINITE
    elif open_count > 1 and large < INFINITE:
        large += open_count - 1
    if small >= INFINITE:  # every move fails for the one who moves
        small, large = INFINITE, 0
    proof, disproof = (small, large) if is_prover else (large, small)
    return proof, disproof, best, second, open_count


@inner
def child_limits(is_prover, proof_limit, disproof_limit, second, open_count):
    """(proof, disproof): how far the best child may be searched before another one looks better or its parent is done."""
    margin = second + (second >> 2) + 1  # a little further than the second best, or the two would take turns
    others = max(open_count - 1, 0)
    if is_prover:
        return min(proof_limit, margin), disproof_limit - others
    return proof_limit - others, min(disproof_limit, margin)


@entry
def search(regions, nodes, edges, slots, totals, root, most_visits):
    """Search from node `root` until it is solved, `most_visits` nodes have been looked at, or the pool is full; is it solved?

    Nothing is lost in between: the next call goes on.
    """
    region, total = regions[0], totals[0]
    path = np.empty(MOST_DEPTH, np.int64)
    limits = np.empty((MOST_DEPTH, 2), np.int64)
    path[0], limits[0, 0], limits[0, 1] = root, INFINITE, INFINITE
    depth, visits = 0, 0
    while depth >= 0:
        number = path[depth]
        node = nodes[number]
        visits += 1
        if node.proof and node.disproof and node.edge_count == NOT_EXPANDED:
            is_full = total.nodes + MOST_EDGES > len(nodes) or total.edges + MOST_EDGES > len(edges)
            if is_full or visits > most_visits:
                break
            expand(region, nodes, edges, slots, total, number)
        node.on_path = 1
        if node.proof and node.disproof:
            proof, disproof, best, second, open_count = evaluate(region, nodes, edges, number)
            node.proof, node.disproof = proof, disproof
            is_done = proof >= limits[depth, 0] or disproof >= limits[depth, 1] or proof == 0 or disproof == 0
            if not is_done and visits <= most_visits and depth + 1 < MOST_DEPTH:
                first, other = child_limits(node.to_play == region.prover, limits[depth, 0], limits[depth, 1], second, open_count)
                depth += 1
                path[depth], limits[depth, 0], limits[depth, 1] = best, first, other
                continue
        node.on_path = 0
        depth -= 1
    for d in range(depth + 1):
        nodes[path[d]].on_path = 0
    total.visits += visits
    return nodes[root].proof == 0 or nodes[root].disproof == 0
