"""The search tree as compiled records: nodes in one pool, children side by side.

Several threads share the pool without locks. A thread that walks down adds its visit at once and its result only when it comes back;
until then its visit looks like a loss (virtual loss), so that other threads look elsewhere. One thread alone finds the plain numbers.
"""

import numpy as np

from gtp_engine.compiled.atomic import atomic_add, atomic_claim, atomic_exchange
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.go.eyes import is_playable
from gtp_engine.go.points import BLACK, MAX_SIZE, NO_POINT, PASS, WHITE

NODE = np.dtype(
    [
        ("wins", np.float64),  # results for the player who moved into this node: 1 won, 0 lost, 0.5 drawn
        ("score_sum", np.float64),  # of final scores: Black's points minus White's, including komi
        ("square_sum", np.float32),  # of the squares of the results in `wins`, under PUCT only; gives their spread
        ("own_result", np.float32),  # the evaluator's own result for this node, under PUCT only
        ("amaf_wins", np.float32),  # like wins, of all simulations in which the mover played on this point first (all moves as first)
        ("amaf_visits", np.int32),  # number of those simulations
        ("prior_wins", np.float32),  # like wins, of the prior visits
        ("prior_visits", np.float32),
        ("probability", np.float32),  # that a strong player plays this move here, by the move model or a network
        ("visits", np.int32),  # simulations through this node, including those in progress
        ("first_child", np.int32),  # index of the first child; NO_CHILDREN, or EXPANDING while a thread makes them
        ("parent", np.int32),  # index of the parent; of the root: itself
        ("child_count", np.uint16),
        ("move", np.uint16),  # the move into this node, a point or PASS; FORBIDDEN if superko forbids it
    ],
    align=True,
)

ROOT = 0
NO_CHILDREN, EXPANDING = 0, -1  # in first_child; the root is nobody's child, so 0 is free
FORBIDDEN = NO_POINT  # in move
FULL = -1  # the pool has no nodes left for children
LEAST_VALUE = -1e9  # below any child's
UNTRIED = 10.0  # the value of a child without visits and prior, above all others: each is tried once

MAX_CHILDREN = MAX_SIZE * MAX_SIZE + 1  # every point and PASS
BLOCK = 4096  # nodes that a thread takes from the pool at once


@inner
def clear_node(node, parent, move):
    """Make this a node without visits."""
    node.wins = 0.0
    node.score_sum = 0.0
    node.square_sum = 0.0
    node.own_result = 0.0
    node.amaf_wins = 0.0
    node.amaf_visits = 0
    node.prior_wins = 0.0
    node.prior_visits = 0.0
    node.probability = 0.0
    node.visits = 0
    node.first_child = NO_CHILDREN
    node.parent = parent
    node.child_count = 0
    node.move = move


@inner
def allocate(shared, workspace, count):
    """Index of `count` free adjacent nodes, from the workspace's block or a new one; FULL if the pool has no more."""
    if workspace.block_end - workspace.block_next < count:
        start = atomic_add(shared, "next_free", BLOCK)
        if start + BLOCK > shared.capacity:
            atomic_add(shared, "next_free", -BLOCK)
            return FULL
        workspace.block_next = start
        workspace.block_end = start + BLOCK
    first = workspace.block_next
    workspace.block_next += count
    return first


@inner
def add_children(nodes, shared, workspace, index):
    """Make children of nodes[index] for every playable point of the workspace's position and for PASS; returns the first, or FULL.

    The children are in the pool but not yet in the tree: see publish_children.
    """
    position = workspace.position
    first = allocate(shared, workspace, position.empty_count + 1)
    if first == FULL:
        return FULL
    count = 0
    for i in range(position.empty_count):
        point = np.int64(position.empty_points[i])
        if is_playable(position, point, position.to_play):
            clear_node(nodes[first + count], index, point)
            count += 1
    clear_node(nodes[first + count], index, PASS)
    count += 1
    workspace.block_next -= position.empty_count + 1 - count  # the unused rest is free again
    nodes[index].child_count = count
    return first


@inner
def publish_children(nodes, index, first):
    """Let every thread see the children that add_children made."""
    atomic_exchange(nodes[index], "first_child", first)


@inner
def claim_expansion(nodes, index):
    """True if this thread must make the children of nodes[index]. True for one thread only, and only if there are none."""
    return atomic_claim(nodes[index], "first_child", NO_CHILDREN, EXPANDING) == 1


@inner
def child_value(child, params, log_visits, model_bonus):
    """The value that select_child maximizes: results and priors, mixed with AMAF (Gelly and Silver 2007), and the bonus for few visits.

    The weight of AMAF falls as real visits come in: amaf / (amaf + n + amaf * n / rave_visits).
    """
    visits = child.visits + child.prior_visits
    if visits == 0.0:
        return UNTRIED
    value = (child.wins + child.prior_wins) / visits
    if child.amaf_visits > 0 and params.rave_visits > 0.0:
        amaf = np.float64(child.amaf_visits)
        weight = amaf / (amaf + visits + amaf * visits / params.rave_visits)
        value += weight * (child.amaf_wins / amaf - value)
    value += model_bonus * child.probability / (1.0 + child.visits)
    if log_visits > 0.0:
        value += np.sqrt(log_visits / visits)
    return value


@inner
def is_avoided(shared, move, color, depth):
    """True if `color` must not play this move at this depth."""
    return depth <= shared.avoid_depth and depth <= shared.avoid_until[color, move]


@inner
def select_child(nodes, index, shared, color, depth, offset):
    """The child of nodes[index] with the highest value (UCT: Kocsis and Szepesvari 2006); its index.

    `color` is to play there, and its move will be at `depth`. `offset`, any number below the number of children, is the child to start
    with, so that ties don't always go to the first. If every move must be avoided, the result is PASS, the last child.
    """
    node, params = nodes[index], shared.params
    first, count = np.int64(node.first_child), np.int64(node.child_count)
    log_visits = params.exploration * params.exploration * np.log(np.float64(max(node.visits, 1)))
    model_bonus = params.model_bonus * np.sqrt(np.float64(node.visits))
    best, best_value = first + count - 1, LEAST_VALUE
    for i in range(count):
        k = i + offset
        child = first + (k if k < count else k - count)
        if nodes[child].move == FORBIDDEN or is_avoided(shared, nodes[child].move, color, depth):
            continue
        value = child_value(nodes[child], params, log_visits, model_bonus)
        if value > best_value:
            best, best_value = child, value
    return best


@inner
def add_amaf(nodes, index, color, result, first_player):
    """Add the result for `color`, which is to play there, to the children of nodes[index] on whose points this player later played first.

    Not atomic: a count that threads lose now and then does no harm.
    """
    node = nodes[index]
    for i in range(node.child_count):
        child = nodes[node.first_child + i]
        if first_player[child.move] == color:
            child.amaf_visits += 1
            child.amaf_wins += result


@inner
def back_up(nodes, shared, workspace, color, result, score):
    """Add a result to every node on the workspace's path, and to the children of each by AMAF.

    `color` moved into the last node of the path; `result` is what that player got: 1 won, 0 lost, 0.5 drawn; `score` is Black's.
    """
    has_amaf = shared.params.rave_visits > 0.0
    for i in range(workspace.length - 1, -1, -1):
        node = nodes[workspace.path[i]]
        if result != 0.0:
            atomic_add(node, "wins", result)
        atomic_add(node, "score_sum", score)
        if shared.by_policy:
            atomic_add(node, "square_sum", np.float32(result * result))
        opponent = WHITE + BLACK - color
        if has_amaf and node.first_child > 0:
            add_amaf(nodes, workspace.path[i], opponent, 1.0 - result, workspace.tally.first_player)
        color, result = opponent, 1.0 - result


@inner
def release_blocks(workspaces):
    """Take the blocks from the workspaces. Their unused part is lost until the next compaction."""
    for i in range(len(workspaces)):
        workspaces[i].block_next = 0
        workspaces[i].block_end = 0


@entry
def clear_tree(nodes, shared, workspaces, move):
    """A tree of one node, whose last move was `move`; no workspace has a block yet. `shared` [1] SHARED."""
    clear_node(nodes[ROOT], ROOT, move)
    shared[0].next_free = 1
    shared[0].capacity = len(nodes)
    release_blocks(workspaces)
