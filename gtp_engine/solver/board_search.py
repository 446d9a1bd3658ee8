"""Depth-first proof-number search on the graph of board_graph.py: as proof_numbers.py, with a board for each node of the path."""

import numpy as np

from gtp_engine.copying import copy_record
from gtp_engine.jit import entry, inner
from gtp_engine.solver.board_graph import expand, play_on, put_on_board
from gtp_engine.solver.graph import INFINITE, MOST_EDGES, NOT_EXPANDED
from gtp_engine.solver.move_order import come_back
from gtp_engine.solver.proof_numbers import child_limits, evaluate

MOST_DEPTH = 400  # nodes on one path; deeper ones wait until more is known


@inner
def move_to(node, edges, child):
    """The move from a node to one of its children."""
    e = np.int64(node.first_edge)
    while edges[e].node != child:
        e += 1
    return np.int64(edges[e].point)


@inner
def learn(task, node, edges, totals, best):
    """Note which move solved this node, or that all failed."""
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
    """Search from the node limits[0, 2], whose position is positions[0]; is it solved? Ends before when the pool is full or after
    `most_visits` nodes looked at.

    path -- ([MOST_DEPTH + 1] POSITION; [MOST_DEPTH, 3] of int64, `limits`), scratch but for what set_root has entered.
    move_judge -- ([1] MOVE_ORDER, scratch; [1] MODEL).
    Nothing is lost in between: the next call goes on.
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
            come_back(task, node, nodes, edges, positions[depth], orders[0], models[0])
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
