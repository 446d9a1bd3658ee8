"""What the graph proves, independent of the path that the search took. All answers rest on this alone.

There are three kinds of facts. Each is computed backward from decided nodes until nothing changes:
- the number of moves in which the prover reaches its goal, where moves of the graph prove that it does;
- the nodes where it could if every open node were a success: all other nodes are failures, endless repetition included;
- the number of moves in which the other side ends the game against it: failures that need no repetition.
"""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.solver.graph import INFINITE, NOT_EXPANDED

UNREACHED = 32_000  # the distance that means never


@inner
def best_distance(edges, node, distances):
    """One more than the smallest distance among the children."""
    best = UNREACHED
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        best = min(best, np.int64(distances[edges[e].node]) + 1)
    return min(best, UNREACHED)


@inner
def worst_distance(edges, node, distances):
    """One more than the largest distance among the children; 1 without children."""
    worst = 0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        worst = max(worst, np.int64(distances[edges[e].node]))
    return min(worst + 1, UNREACHED)


@inner
def spread_distances(nodes, edges, distances, count, chooser):
    """Compute the distances of all nodes from those that are 0: `chooser` picks the smallest distance, the other side the largest."""
    has_changed = True
    while has_changed:
        has_changed = False
        for number in range(count - 1, -1, -1):
            node = nodes[number]
            if node.edge_count == NOT_EXPANDED or distances[number] == 0:
                continue
            is_chooser = node.to_play == chooser
            if is_chooser:
                distance = best_distance(edges, node, distances)
            elif node.edge_count == 0:
                distance = UNREACHED
            else:
                distance = worst_distance(edges, node, distances)
            if distance != distances[number]:
                distances[number] = distance
                has_changed = True


@inner
def is_decided(node, wins):
    """True if the game is decided here by the prover's success (`wins`) or failure. A prover without a move has failed."""
    return node.edge_count == 0 and (node.proof == 0 if wins else node.disproof == 0)


@inner
def distances_to_end(nodes, edges, count, wins, hurrier):
    """[count] moves until the prover's success (`wins`) or failure when `hurrier` plays the shortest way and the other side the longest."""
    distances = np.full(count, UNREACHED, np.int16)
    for number in range(count):
        if is_decided(nodes[number], wins):
            distances[number] = 0
    spread_distances(nodes, edges, distances, count, hurrier)
    return distances


@entry
def distances_to_success(tasks, nodes, edges, count):
    """[count] moves until the prover reaches its goal, by its shortest way and the other's longest; UNREACHED without a proof."""
    return distances_to_end(nodes, edges, count, True, tasks[0].prover)


@entry
def distances_to_failure(tasks, nodes, edges, count):
    """[count] moves until the prover is out of moves or the game is decided against it; UNREACHED without a proof."""
    return distances_to_end(nodes, edges, count, False, 1 - tasks[0].prover)


@entry
def settle_failures(tasks, nodes, edges, count):
    """Keep the failures that hold on every path and reopen the others; returns [count] distances to the next open node or success.

    UNREACHED marks the failures: from there the prover can't succeed even if every open node is a success.
    """
    hopes = np.full(count, UNREACHED, np.int16)
    for number in range(count):
        node = nodes[number]
        if is_decided(node, True) or (node.edge_count == NOT_EXPANDED and node.disproof > 0):
            hopes[number] = 0
    spread_distances(nodes, edges, hopes, count, tasks[0].prover)
    for number in range(count):
        node = nodes[number]
        if node.edge_count == 0 or node.proof == 0:
            continue
        if hopes[number] == UNREACHED:
            node.proof, node.disproof = INFINITE, 0
        elif node.disproof == 0:
            node.proof, node.disproof = 1, 1
    return hopes
