"""Keeping the subtree after a move: the nodes below the new root slide to the front of the pool.

The method is sliding mark and compact, as memory managers do it: mark the reachable nodes from the root, then walk through the pool in
order of address and move each marked group of siblings to the lowest free place. This needs no second pool. No thread may search meanwhile.
"""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.search.tree import MAX_CHILDREN, NO_CHILDREN, ROOT, release_blocks
from gtp_engine.engine.search.workspace import PATH_LENGTH


@inner
def move_node(nodes, source, target):
    """Move one node, and update its children's parent."""
    copy_record(nodes[target], nodes[source])
    node = nodes[target]
    for i in range(node.child_count):
        nodes[node.first_child + i].parent = target


@inner
def find_groups(nodes, root, min_visits, is_group_start):
    """Mark the first child of every group of siblings under `root`; nodes with fewer visits than `min_visits` lose their children."""
    stack = np.empty(PATH_LENGTH * MAX_CHILDREN, np.int32)  # depth first: at most one whole group on each level
    height = 1
    stack[0] = root
    while height > 0:
        height -= 1
        node = nodes[stack[height]]
        if node.first_child <= 0 or node.visits < min_visits:
            node.first_child = NO_CHILDREN
            node.child_count = 0
            continue
        is_group_start[node.first_child] = 1
        for i in range(node.child_count):
            stack[height] = node.first_child + i
            height += 1


@entry
def keep_subtree(nodes, shared, workspaces, root, min_visits):
    """Make nodes[root] the root and free all nodes that are not below it; returns the number of nodes kept. `shared` [1].

    Nodes with fewer than `min_visits` visits lose their children: 0 keeps all, more frees nodes of a full pool.
    """
    used = shared[0].next_free
    is_group_start = np.zeros(used, np.uint8)
    find_groups(nodes, root, min_visits, is_group_start)
    if root != ROOT:
        move_node(nodes, root, ROOT)
        nodes[ROOT].parent = ROOT
    free = ROOT + 1
    for first in range(ROOT + 1, used):
        if is_group_start[first] == 0:
            continue
        parent = nodes[nodes[first].parent]
        for i in range(parent.child_count):
            move_node(nodes, first + i, free + i)
        parent.first_child = free
        free += parent.child_count
    shared[0].next_free = free
    release_blocks(workspaces)
    return free
