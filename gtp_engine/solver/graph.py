"""The graph of positions of one question: a pool of nodes, each position once, with all its moves.

A node is stones, targets still on the board, who is to play and the ban of ko. There is no history in it, so nothing that is found for a
node depends on how it was reached: a repetition is a cycle of the graph.

The prover never passes: the other would pass too, and the game would be over without the goal. The other may always pass. A target that
lives by itself is seen whoever is to play, because its owner has no need to move.
"""

import numpy as np

from gtp_engine.go.points import POINTS
from gtp_engine.jit import entry, inner
from gtp_engine.solver.bits import ATTACKER, CAPTURE, DEFENDER, NONE, bit_of, count_points, living, lowest, number_of, play, spread

NODE = np.dtype(
    [
        ("stones", np.uint64, (2,)),  # by side
        ("targets", np.uint64),  # the defender's stones that must all be taken and were not yet
        ("first_edge", np.int32),  # where the node's edges begin; they are consecutive
        ("edge_count", np.int32),  # moves and pass; NOT_EXPANDED before they are known
        ("proof", np.int32),  # proof number; 0: the prover reaches its goal
        ("disproof", np.int32),  # disproof number; 0: it doesn't
        ("to_play", np.int16),  # ATTACKER or DEFENDER
        ("ko", np.int16),  # the point where to_play may not retake, or NO_KO
        ("on_path", np.int16),  # 1 while the search stands at or below this node
    ],
    align=True,
)
EDGE = np.dtype([("node", np.int32), ("point", np.int32)], align=True)  # where a move leads; PASS_MOVE for a pass
TOTALS = np.dtype(
    [
        ("nodes", np.int64),  # used of the pool
        ("edges", np.int64),  # used of theirs
        ("visits", np.int64),  # nodes looked at, the same one as often as it was
        ("kos", np.int64),  # moves that took a ko
        ("wins", np.int32, (2, POINTS)),  # [side, point] how often a move there solved a node for the mover; board_search.py fills it in
        ("losses", np.int32, (2, POINTS)),  # [side, point] how often a move there was refuted
    ],
    align=True,
)

NOT_EXPANDED = -1
NO_KO = 64
PASS_MOVE = -1
MOST_EDGES = 65  # of one node: a move on each point, and a pass
INFINITE = 1_000_000_000  # proof and disproof numbers; sums of a few don't overflow
MIX = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93], np.uint64)
SHIFT = np.uint64(29)


@inner
def slot_of(state, slots):
    """Where in the hash table the search for this state begins: (attacker's stones, defender's, targets, side to play, ko or NO_KO)."""
    attacker, defender, targets, to_play, ko = state
    mixed = (attacker + MIX[3]) * MIX[0]
    mixed = ((mixed ^ (mixed >> SHIFT)) + defender) * MIX[1]
    mixed = ((mixed ^ (mixed >> SHIFT)) + targets) * MIX[2]
    mixed = ((mixed ^ (mixed >> SHIFT)) + np.uint64(to_play * 128 + ko)) * MIX[0]
    return np.int64((mixed ^ (mixed >> SHIFT)) & np.uint64(len(slots) - 1))


@inner
def find_slot(nodes, slots, state):
    """The slot of this state, see slot_of: with the number of its node, or -1 where it belongs. `slots`: a power of two, not full."""
    attacker, defender, targets, to_play, ko = state
    slot = slot_of(state, slots)
    while slots[slot] >= 0:
        node = nodes[slots[slot]]
        if (
            node.stones[ATTACKER] == attacker
            and node.stones[DEFENDER] == defender
            and node.targets == targets
            and node.to_play == to_play
            and node.ko == ko
        ):
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@inner
def is_target_living(region, attacker, defender, targets):
    """Is some target among the stones that stay?"""
    return living(region, defender, attacker, DEFENDER) & targets != NONE


@inner
def set_values(region, node):
    """Give a new node its first values: solved when the game is decided here, else a guess."""
    is_capture = region.goal == CAPTURE
    if node.targets == NONE:
        is_reached, is_over = is_capture, True
    else:
        is_over = is_target_living(region, node.stones[ATTACKER], node.stones[DEFENDER], node.targets)
        is_reached = not is_capture
    if is_over:
        node.proof, node.disproof = (0, INFINITE) if is_reached else (INFINITE, 0)
        node.edge_count = 0
        return
    node.proof, node.disproof = 1, 1
    if is_capture:  # the fewer liberties, the nearer the goal
        stones = node.stones[ATTACKER] | node.stones[DEFENDER]
        _, around = spread(region, lowest(node.targets), node.stones[DEFENDER])
        node.proof = max(1, count_points(around & region.everything & ~stones))


@inner
def add_node(region, nodes, slots, totals, state):
    """The number of the node for this state, see slot_of, made when there is none. There must be space for one."""
    attacker, defender, targets, to_play, ko = state
    slot = find_slot(nodes, slots, state)
    if slots[slot] >= 0:
        return np.int64(slots[slot])
    number = np.int64(totals.nodes)
    totals.nodes += 1
    slots[slot] = number
    node = nodes[number]
    node.stones[ATTACKER], node.stones[DEFENDER], node.targets = attacker, defender, targets
    node.first_edge, node.edge_count = 0, NOT_EXPANDED
    node.to_play, node.ko, node.on_path = to_play, ko, 0
    set_values(region, node)
    return number


@inner
def add_edge(edges, totals, number, point):
    """Note a move of the node that is being expanded."""
    edge = edges[totals.edges]
    edge.node, edge.point = number, point
    totals.edges += 1


@inner
def expand(region, nodes, edges, slots, totals, number):
    """Find every move of a node and the nodes behind them. There must be space for MOST_EDGES of both."""
    node = nodes[number]
    side = np.int64(node.to_play)
    own, other = node.stones[side], node.stones[1 - side]
    targets = node.targets
    node.first_edge = totals.edges
    empty = region.everything & ~(own | other)
    if node.ko != NO_KO and region.ko_winner != side:
        empty &= ~bit_of(node.ko)
    while empty:
        bit = lowest(empty)
        empty ^= bit
        own_after, other_after, ko, is_legal = play(region, own, other, bit, side)
        if not is_legal:
            continue
        ko_number = NO_KO
        if ko:
            ko_number = number_of(ko)
            totals.kos += 1
        attacker, defender = (own_after, other_after) if side == ATTACKER else (other_after, own_after)
        left = targets & defender
        child = add_node(region, nodes, slots, totals, (attacker, defender, left, 1 - side, ko_number))
        add_edge(edges, totals, child, number_of(bit))
    if side != region.prover:
        child = add_node(region, nodes, slots, totals, (node.stones[ATTACKER], node.stones[DEFENDER], targets, 1 - side, np.int64(NO_KO)))
        add_edge(edges, totals, child, PASS_MOVE)
    node.edge_count = totals.edges - node.first_edge


@entry
def add_root(regions, nodes, slots, totals, state):
    """The number of the node for the state, see slot_of, that a question is about. There must be space for one."""
    region = regions[0]
    return add_node(region, nodes, slots, totals[0], state)


@entry
def expand_node(regions, nodes, edges, slots, totals, number):
    """Find every move of a node that was not expanded. There must be space for MOST_EDGES nodes and edges."""
    expand(regions[0], nodes, edges, slots, totals[0], number)


@entry
def fill_slots(nodes, slots, count):
    """Enter the first `count` nodes into a larger, empty hash table."""
    for number in range(count):
        node = nodes[number]
        slot = find_slot(
            nodes, slots, (node.stones[ATTACKER], node.stones[DEFENDER], node.targets, np.int64(node.to_play), np.int64(node.ko))
        )
        slots[slot] = number
