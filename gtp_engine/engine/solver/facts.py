"""Everything that a question has proved, position by position, for searches that reach these positions by another path.

A position is identified by the hash of its node, see Question.facts. Positions with a ban of ko have facts as well, but nothing looks them
up, because the ban is part of the hash.
"""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.solver.graph import NOT_EXPANDED, ROOT_HASH

NODE_FACT = np.dtype(
    [
        ("name", np.uint64),
        ("answer", np.uint8),  # 1: the prover reaches its goal, 0: it doesn't
        ("move", np.uint16),  # the winning move if the winner is to play; NO_MOVE otherwise
    ],
    align=True,
)
NO_MOVE = 0


@inner
def right_move(nodes, edges, node, answer, distances):
    """The quickest move of the node after which this answer is proved; NO_MOVE where there is none."""
    best, shortest = NO_MOVE, np.int64(1 << 30)
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        child = nodes[edges[e].node]
        is_right = child.proof == 0 if answer == 1 else child.disproof == 0
        distance = np.int64(distances[edges[e].node])
        if is_right and edges[e].point > 0 and distance < shortest:
            best, shortest = np.int64(edges[e].point), distance
    return best


@entry
def write_facts(tasks, nodes, edges, count, successes, failures, facts):
    """Fill `facts` NODE_FACT [count] with what is proved of the first `count` nodes; returns the number of facts.

    `successes` and `failures` are the distances of fixpoint.py; failures must be settled. Nodes whose last target was taken are left out.
    """
    task, written = tasks[0], 0
    for number in range(count):
        node = nodes[number]
        if (node.proof > 0 and node.disproof > 0) or node.targets == 0:
            continue
        fact = facts[written]
        written += 1
        answer = 1 if node.proof == 0 else 0
        winner = task.prover if answer == 1 else 1 - task.prover
        fact.name = node.hash ^ ROOT_HASH if node.is_root == 1 else node.hash
        fact.answer, fact.move = answer, NO_MOVE
        if node.to_play == winner and node.edge_count != NOT_EXPANDED:
            fact.move = right_move(nodes, edges, node, answer, successes if answer == 1 else failures)
    return written
