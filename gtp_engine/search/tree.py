"""The search tree as compiled records: nodes in one pool, children side by side.

Several threads share the pool without locks. A thread that walks down adds its visit at once and its result only when it comes back;
until then its visit looks like a loss (virtual loss), so that other threads look elsewhere. One thread alone finds the plain numbers.
"""

import numpy as np

from gtp_engine.go.eyes import is_eye
from gtp_engine.go.points import MAX_SIZE, NO_POINT, PASS
from gtp_engine.go.position import would_be_suicide
from gtp_engine.jit import entry, inner
from gtp_engine.search.atomic import atomic_add, atomic_claim, atomic_exchange

NODE = np.dtype(
    [
        ("wins", np.float64),  # results for the player who moved into this node: 1 won, 0 lost, 0.5 drawn
        ("score_sum", np.float64),  # of final scores: Black's points minus White's, komi included
        ("visits", np.int32),  # simulations through this node, those still under way included
        ("first_child", np.int32),  # index of the first child; NO_CHILDREN, or EXPANDING while a thread makes them
        ("parent", np.int32),  # index of the parent; of the root: itself
        ("child_count", np.uint16),
        ("move", np.uint16),  # the move into this node, a point or PASS; FORBIDDEN when superko turned out to forbid it
    ],
    align=True,
)

ROOT = 0
NO_CHILDREN, EXPANDING = 0, -1  # in first_child; the root is nobody's child, so 0 is free
FORBIDDEN = NO_POINT  # in move
FULL = -1  # no room for children

TREE = np.dtype(
    [
        ("next_free", np.int64),  # first node that belongs to nobody
        ("capacity", np.int64),  # nodes in the pool
    ],
    align=True,
)

MAX_CHILDREN = MAX_SIZE * MAX_SIZE + 1  # every point and PASS
WORKER_PATH = 512  # longest walk down; a tree deeper than this is cut off by a playout
BLOCK = 4096  # nodes that a thread takes from the pool at once

WORKER = np.dtype(
    [
        ("block_next", np.int64),  # first unused node of this thread's block
        ("block_end", np.int64),
        ("length", np.int32),  # of `path`
        ("path", np.int32, (WORKER_PATH,)),  # nodes from the root to the leaf
        ("situations", np.uint64, (WORKER_PATH,)),  # hashes of the positions on the path, for superko
    ],
    align=True,
)

PARAMS = np.dtype(
    [
        ("komi", np.float64),  # White's points, handicap compensation included
        ("exploration", np.float64),  # c in c * sqrt(ln N / n)
        ("first_play_urgency", np.float64),  # value of a child that was never visited
        ("expand_visits", np.int32),  # visits that give a leaf children
        ("superko", np.int32),  # 0: none, 1: positional, 2: situational
        ("all_alive", np.int32),  # 1: two passes end the game with every stone alive; 0: dead stones are judged by a playout
    ],
    align=True,
)


@inner
def clear_node(node, parent, move):
    """A node never visited."""
    node.wins = 0.0
    node.score_sum = 0.0
    node.visits = 0
    node.first_child = NO_CHILDREN
    node.parent = parent
    node.child_count = 0
    node.move = move


@inner
def allocate(tree, worker, count):
    """Index of `count` free nodes side by side, from the thread's block or a new one; FULL when the pool has no more."""
    if worker.block_end - worker.block_next < count:
        start = atomic_add(tree, "next_free", BLOCK)
        if start + BLOCK > tree.capacity:
            atomic_add(tree, "next_free", -BLOCK)
            return FULL
        worker.block_next = start
        worker.block_end = start + BLOCK
    first = worker.block_next
    worker.block_next += count
    return first


@inner
def is_candidate(position, point, color):
    """Is this empty point a move for the tree: no simple ko, no suicide, no own eye?"""
    return point != position.ko_point and not is_eye(position, point, color) and not would_be_suicide(position, point, color)


@inner
def expand(nodes, tree, worker, index, position):
    """Give nodes[index] a child for every candidate of position.to_play and for PASS; True when it has children afterwards.

    Another thread may be at it: then, and when the pool is full, the node stays a leaf for this simulation.
    """
    node = nodes[index]
    if atomic_claim(node, "first_child", NO_CHILDREN, EXPANDING) == 0:
        return False
    first = allocate(tree, worker, position.empty_count + 1)
    if first == FULL:
        node.first_child = NO_CHILDREN
        return False
    count = 0
    for i in range(position.empty_count):
        point = np.int64(position.empty_points[i])
        if is_candidate(position, point, position.to_play):
            clear_node(nodes[first + count], index, point)
            count += 1
    clear_node(nodes[first + count], index, PASS)
    count += 1
    worker.block_next -= position.empty_count + 1 - count  # give back what was not needed
    node.child_count = count
    atomic_exchange(node, "first_child", first)  # only now may other threads see the children
    return True


@inner
def select_child(nodes, index, params, offset):
    """The child of nodes[index] with the highest UCT value (Kocsis and Szepesvari 2006); its index.

    `offset` is any number: where among the children to start, so that equals are not always decided for the first.
    """
    node = nodes[index]
    first, count = np.int64(node.first_child), np.int64(node.child_count)
    log_visits = params.exploration * params.exploration * np.log(np.float64(max(node.visits, 1)))
    best, best_value = first, -1.0
    for i in range(count):
        k = i + offset
        child = first + (k if k < count else k - count)
        candidate = nodes[child]
        if candidate.move == FORBIDDEN:
            continue
        if candidate.visits == 0:
            value = params.first_play_urgency
        else:
            inverse = 1.0 / candidate.visits
            value = candidate.wins * inverse + np.sqrt(log_visits * inverse)
        if value > best_value:
            best, best_value = child, value
    return best


@inner
def back_up(nodes, worker, color, result, score):
    """Add a result to every node on the worker's path.

    `color` moved into the last node of the path; `result` is what that player got: 1 won, 0 lost, 0.5 drawn.
    """
    for i in range(worker.length - 1, -1, -1):
        node = nodes[worker.path[i]]
        if result != 0.0:
            atomic_add(node, "wins", result)
        atomic_add(node, "score_sum", score)
        result = 1.0 - result


@inner
def release_blocks(workers):
    """Take the threads' blocks away: what is unused of them is lost until the next compaction."""
    for i in range(len(workers)):
        workers[i].block_next = 0
        workers[i].block_end = 0


@entry
def clear_tree(nodes, trees, workers, move):
    """A tree of one node, whose last move was `move`; the workers get no blocks yet."""
    clear_node(nodes[ROOT], ROOT, move)
    trees[0].next_free = 1
    trees[0].capacity = len(nodes)
    release_blocks(workers)
