"""The graph of positions of one question, on the engine's own board: a pool of nodes, each position once, found by its Zobrist hash.

A node stands for the stones, the targets not yet taken, the side to play and the ban of ko, but not for the path to it. A repetition is a
cycle of the graph. Each node keeps the path by which it was reached first, so that its position can be set up again.

The prover never passes: the other side would pass too, and the game would end without the goal. The other side may always pass. A target
that lives without another move is recognized with either side to play, because its owner doesn't need to move.

Two kinds of moves are left out, which changes no answer. If the attacker can take the last targets at once, it does. If the last targets
are one chain in atari, the defender takes stones beside it or extends it, because after any other move it is taken.
"""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE_ANY, DEFENDER, MOST_POINTS, NONE, ONE, TWO_EYES, living
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, POINTS, WHITE
from gtp_engine.go.position import ADJACENT, COUNT_MASK, in_atari, play_stone, single_liberty, would_be_suicide
from gtp_engine.go.tactics import MANY, liberties_of

MOST_TARGETS = 32  # chains
NOT_EXPANDED = -1
PASS_MOVE = -1
MOST_EDGES = 65  # of one node: a move on each point, and a pass
INFINITE = 1_000_000_000  # proof and disproof numbers; sums of a few don't overflow

TASK = np.dtype(
    [
        ("points", np.uint16, (MOST_POINTS,)),  # [number] the region's points on the board
        ("count", np.int32),  # of points
        ("target_count", np.int32),
        ("targets", np.uint16, (MOST_TARGETS,)),  # a stone of each target chain
        ("number", np.int16, (POINTS,)),  # [P] the number of a point of the region, -1 elsewhere
        ("colors", np.int32, (2,)),  # by side
        ("beside", np.uint64, (MOST_POINTS,)),  # [number] the set of points beside it
        ("safe_beside", np.uint64, (2,)),  # by side: the points where its stones can't be taken because of the outside
        ("everything", np.uint64),  # the set of all points
        ("goal", np.int32),  # CAPTURE, CAPTURE_ANY or TWO_EYES; the side with this goal is the prover
        ("prover", np.int32),  # ATTACKER or DEFENDER
        ("ko_winner", np.int32),  # the side that may retake a ko at once; NEITHER: nobody may
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("hash", np.uint64),  # of all that the node stands for
        ("targets", np.uint32),  # bit i: targets[i] is not yet taken
        ("parent", np.int32),  # from which the node was reached first; -1: a root
        ("first_edge", np.int32),  # where the node's edges begin; they are consecutive
        ("edge_count", np.int32),  # moves and pass; NOT_EXPANDED before they are known
        ("proof", np.int32),  # proof number; 0: the prover reaches its goal
        ("disproof", np.int32),  # disproof number; 0: it doesn't
        ("move", np.int16),  # from the parent to here: a point or PASS_MOVE
        ("to_play", np.int16),  # ATTACKER or DEFENDER
        ("on_path", np.int16),  # 1 while the search stands at or below this node
        ("is_root", np.int16),  # 1: a root, which gets all its moves
        ("returns", np.int16),  # how often the search returned to it, counted up to move_order.RETURNS
    ],
    align=True,
)
EDGE = np.dtype([("node", np.int32), ("point", np.int32)], align=True)  # where a move leads; PASS_MOVE for a pass
TOTALS = np.dtype(
    [
        ("nodes", np.int64),  # in use
        ("edges", np.int64),  # in use
        ("visits", np.int64),  # of nodes, repeated ones counted
        ("kos", np.int64),  # moves that took a ko
        ("wins", np.int32, (2, POINTS)),  # [side, point] how often a move there solved a node for the mover
        ("losses", np.int32, (2, POINTS)),  # [side, point] how often a move there was refuted
    ],
    align=True,
)

_RANDOM = np.random.default_rng(22)
KO_HASH = _RANDOM.integers(1, 2**63, POINTS, dtype=np.uint64)
TARGET_HASH = _RANDOM.integers(1, 2**63, MOST_TARGETS, dtype=np.uint64)
TURN_HASH, ROOT_HASH = _RANDOM.integers(1, 2**63, 2, dtype=np.uint64)
HARDEST = 4  # added to the first numbers of a node when the move to it has always failed before


@inner
def hash_of(position, targets, side, is_root):
    """The hash of everything that the continuation depends on."""
    value = position.hash
    if position.ko_point != NO_POINT:
        value ^= KO_HASH[position.ko_point]
    if side == DEFENDER:
        value ^= TURN_HASH
    if is_root:
        value ^= ROOT_HASH
    i = 0
    while targets:
        if targets & 1:
            value ^= TARGET_HASH[i]
        targets >>= 1
        i += 1
    return value


@inner
def slot_of(nodes, slots, value):
    """The slot of the node with this hash. It holds the node's number, or -1 if there is none yet.

    The length of `slots` must be a power of two, and a slot must be free."""
    mask = np.uint64(len(slots) - 1)
    slot = value & mask
    while slots[slot] >= 0 and nodes[slots[slot]].hash != value:
        slot = (slot + ONE) & mask
    return slot


@inner
def is_target_living(task, position, targets):
    """True if a target has two eyes, or liberties where nobody plays. If the goal is to take any target, all of them must."""
    own, other, needed = NONE, NONE, NONE
    for i in range(task.count):
        color = position.color[task.points[i]]
        if color == task.colors[DEFENDER]:
            own |= ONE << np.uint64(i)
        elif color == task.colors[ATTACKER]:
            other |= ONE << np.uint64(i)
    for i in range(task.target_count):
        if targets >> i & 1:
            needed |= ONE << np.uint64(task.number[task.targets[i]])
    alive = living(task, own, other, DEFENDER) & needed
    return alive == needed if task.goal == CAPTURE_ANY else alive != NONE


@inner
def last_target(task, targets):
    """A stone of a target not yet taken; there must be one."""
    i = 0
    while not targets >> i & 1:
        i += 1
    return np.int64(task.targets[i])


@inner
def is_one_chain(task, position, targets):
    """True if all targets not yet taken are stones of one chain."""
    chain = position.chain[last_target(task, targets)]
    for i in range(task.target_count):
        if targets >> i & 1 and position.chain[task.targets[i]] != chain:
            return False
    return True


@inner
def decided(task, position, targets):
    """1 if the prover has reached its goal, 0 if it can't any more, -1 if that is open."""
    is_capture = task.goal != TWO_EYES
    if targets == 0 or (task.goal == CAPTURE_ANY and targets != (1 << np.int64(task.target_count)) - 1):
        return 1 if is_capture else 0
    if is_target_living(task, position, targets):
        return 0 if is_capture else 1
    return -1


@inner
def set_values(task, position, node, totals):
    """Give a new node its first values: solved if the question is decided here, otherwise estimates of how hard success and failure are."""
    result = decided(task, position, np.int64(node.targets))
    if result >= 0:
        node.proof, node.disproof = (0, INFINITE) if result else (INFINITE, 0)
        node.edge_count = 0
        return
    node.proof, node.disproof = 1, 1
    if task.goal != TWO_EYES:  # the fewer liberties, the nearer the goal
        target = last_target(task, np.int64(node.targets))
        count, _, _ = liberties_of(position, target)
        contacts = np.int64(position.liberties[position.chain[target]] & COUNT_MASK)
        node.proof = count if count < MANY else MANY + contacts // 3
        if count == 1:
            node.disproof = 6 if node.to_play == ATTACKER else 2
    if node.move > 0:
        mover = 1 - np.int64(node.to_play)
        wins, losses = np.int64(totals.wins[mover, node.move]), np.int64(totals.losses[mover, node.move])
        more = HARDEST * (losses + 1) // (wins + losses + 2)  # moves that solved other nodes are tried first
        if mover == task.prover:
            node.proof += more
        else:
            node.disproof += more
    if node.move > 0 and position.color[node.move] != EMPTY and in_atari(position, np.int64(node.move)):
        if node.to_play == task.prover:  # the other side has put itself in atari
            node.disproof += 2
        else:
            node.proof += 2


@inner
def add_node(task, nodes, slots, totals, position, parent, move, state):
    """The number of the node for this position, which is added if there is none. `state`: (targets, side, is_root)."""
    targets, side, is_root = state
    value = hash_of(position, targets, side, is_root)
    slot = slot_of(nodes, slots, value)
    if slots[slot] >= 0:
        return np.int64(slots[slot])
    number = np.int64(totals.nodes)
    totals.nodes += 1
    slots[slot] = number
    node = nodes[number]
    node.hash, node.targets, node.parent, node.move = value, targets, parent, move
    node.first_edge, node.edge_count, node.on_path, node.returns = 0, NOT_EXPANDED, 0, 0
    node.to_play, node.is_root = side, is_root
    set_values(task, position, node, totals)
    return number


@inner
def play_on(task, node, position, point):
    """Play a point or PASS_MOVE for the side to play at `node`; returns the targets that are then not taken."""
    targets = np.int64(node.targets)
    if point == PASS_MOVE:
        position.ko_point = NO_POINT
        return targets
    if play_stone(position, point, np.int64(task.colors[node.to_play])):
        for i in range(task.target_count):
            if targets >> i & 1 and position.color[task.targets[i]] == EMPTY:
                targets ^= 1 << i
    return targets


@inner
def may_play(task, node, position, point):
    """True if the side to play at `node` may play on this point of the region."""
    if position.color[point] != EMPTY or would_be_suicide(position, point, np.int64(task.colors[node.to_play])):
        return False
    return point != position.ko_point or task.ko_winner == node.to_play


@inner
def forcing_chain(task, node, position):
    """A stone of the last target chain if it is in atari and the goal is to take it; otherwise NO_POINT."""
    if task.goal == TWO_EYES or node.is_root:
        return NO_POINT
    targets = np.int64(node.targets)
    target = last_target(task, targets)
    return target if in_atari(position, target) and is_one_chain(task, position, targets) else NO_POINT


@inner
def takes_beside(position, point, target):
    """True if the owner of `target` takes stones beside that chain by playing on `point`."""
    opponent = WHITE + BLACK - position.color[target]
    for d in range(4):
        neighbor = point + ADJACENT[d]
        if position.color[neighbor] == opponent and in_atari(position, neighbor):
            stone = neighbor
            while True:
                for e in range(4):
                    beside = stone + ADJACENT[e]
                    if position.color[beside] == position.color[target] and position.chain[beside] == position.chain[target]:
                        return True
                stone = np.int64(position.next_stone[stone])
                if stone == neighbor:
                    break
    return False


@inner
def is_worth_it(position, side, point, forced):
    """True if this move of `side` takes the chain on `forced`, which is in atari, or might get it out of atari."""
    liberty = single_liberty(position.liberties[position.chain[forced]])
    return point == liberty or (side == DEFENDER and takes_beside(position, point, forced))


@inner
def expand(task, nodes, edges, slots, totals, positions, d, number):
    """Find the moves of a node, whose position is positions[d], and the nodes that they lead to. There must be space for MOST_EDGES of
    both.

    Overwrites positions[d + 1].
    """
    node, position, after = nodes[number], positions[d], positions[d + 1]
    node.first_edge = totals.edges
    side = np.int64(node.to_play)
    forced = forcing_chain(task, node, position)
    if forced != NO_POINT and side == ATTACKER:
        if not may_play(task, node, position, single_liberty(position.liberties[position.chain[forced]])):
            forced = NO_POINT  # a ban of ko, which ends with the defender's next move
    for i in range(task.count):
        point = np.int64(task.points[i])
        if not may_play(task, node, position, point) or (forced != NO_POINT and not is_worth_it(position, side, point, forced)):
            continue
        copy_record(after, position)
        targets = play_on(task, node, after, point)
        if after.ko_point != NO_POINT:
            totals.kos += 1
        add_edge(task, nodes, edges, slots, totals, after, number, (point, targets, 1 - side))
    if side != task.prover and (forced == NO_POINT or totals.edges == node.first_edge):
        copy_record(after, position)
        after.ko_point = NO_POINT
        add_edge(task, nodes, edges, slots, totals, after, number, (PASS_MOVE, np.int64(node.targets), 1 - side))
    node.edge_count = totals.edges - node.first_edge


@inner
def add_edge(task, nodes, edges, slots, totals, after, parent, way):
    """Add a move of the node that is being expanded; `way`: (point, targets, side) of the position `after` it."""
    point, targets, side = way
    edge = edges[totals.edges]
    edge.node = add_node(task, nodes, slots, totals, after, parent, point, (targets, side, 0))
    edge.point = point
    totals.edges += 1


@inner
def put_on_board(task, nodes, positions, starts, number):
    """Set up the position of a node in positions[0]; `starts` holds the root's position, by the side to play first."""
    depth, at = 0, number
    while nodes[at].parent >= 0:
        at = np.int64(nodes[at].parent)
        depth += 1
    copy_record(positions[0], starts[nodes[at].to_play])
    for left in range(depth, 0, -1):
        step = number
        for _ in range(left - 1):
            step = np.int64(nodes[step].parent)
        play_on(task, nodes[nodes[step].parent], positions[0], np.int64(nodes[step].move))


@entry
def add_root(tasks, nodes, slots, totals, starts, side):
    """The number of the node for the position starts[side], with `side` to play."""
    task = tasks[0]
    targets = (1 << np.int64(task.target_count)) - 1
    return add_node(task, nodes, slots, totals[0], starts[side], -1, PASS_MOVE, (targets, side, 1))


@entry
def expand_node(tasks, nodes, edges, slots, totals, positions, starts, number):
    """Find all moves of a node that is not expanded. There must be space for MOST_EDGES nodes and edges; positions are scratch."""
    task = tasks[0]
    put_on_board(task, nodes, positions, starts, number)
    expand(task, nodes, edges, slots, totals[0], positions, 0, number)


@entry
def fill_slots(nodes, slots, count):
    """Enter the first `count` nodes into an empty hash table."""
    for number in range(count):
        slots[slot_of(nodes, slots, nodes[number].hash)] = number
