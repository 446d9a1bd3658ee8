"""All arrays of one search, on which compiled code works."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gtp_engine.base.parameters import fill_record
from gtp_engine.engine.move_model.model_file import shipped_model
from gtp_engine.engine.playout.params import PlayoutParams
from gtp_engine.engine.search.facts import new_facts
from gtp_engine.engine.search.game_leaf import recent_moves, set_rules, set_turn, turns_before
from gtp_engine.engine.search.leaf import EARLIER
from gtp_engine.engine.search.params import SearchParams, TreeParams
from gtp_engine.engine.search.tree import BLOCK, NODE
from gtp_engine.engine.search.workspace import SHARED, WORKSPACE
from gtp_engine.go.game import Game

COMPACTION_BYTES = 1  # a node, while the subtree is kept
MEGABYTE = 2**20
MOST_NODES = 2**31 - 1  # indices of nodes have 32 bits
GOLDEN = 0x9E3779B97F4A7C15  # step of the Weyl sequence that spreads seeds (Steele, Lea and Flood 2014)
WORD = 2**64 - 1


Avoid = Mapping[tuple[int, int], int]  # (color, point or PASS) -> the depth up to which the search never plays this move


@dataclass
class SearchArrays:
    """All arrays of one search."""

    nodes: np.ndarray  # [N] NODE, shared by all threads
    shared: np.ndarray  # [1] SHARED, by all threads
    workspaces: np.ndarray  # [threads * leaves] WORKSPACE: those of thread t begin at t * leaves
    situations: np.ndarray  # hashes of the game up to the root, for superko
    facts: np.ndarray  # FACT: the table for SHARED.reading

    def leaf(self, slot: int) -> np.ndarray:
        """[1] LEAF: the leaf for which workspace `slot` needs an answer."""
        return self.workspaces["leaf"][slot : slot + 1]

    def answer(self, slot: int) -> np.ndarray:
        """[1] ANSWER: the answer for workspace `slot`."""
        return self.workspaces["answer"][slot : slot + 1]


def new_pool(capacity: int) -> np.ndarray:
    """[N] NODE, not initialized: `capacity` nodes. If the system has less memory, half of what it gives, with a message on stderr.

    The other half is for the rest of the search. Raises MemoryError if not even 2 * BLOCK fit.
    """
    nodes = pool_of(capacity)
    fitting = capacity
    while nodes is None:
        if fitting == 2 * BLOCK:
            raise MemoryError
        fitting = max(fitting // 2, 2 * BLOCK)
        nodes = pool_of(fitting)
    if fitting == capacity:
        return nodes
    del nodes
    nodes = np.empty(max(fitting // 2, 2 * BLOCK), NODE)
    size = nodes.nbytes / MEGABYTE
    print(
        f"gtp_engine: little memory: a tree of {size:.1f} MB instead of {capacity * NODE.itemsize // MEGABYTE}", file=sys.stderr, flush=True
    )
    return nodes


def pool_of(capacity: int) -> np.ndarray | None:
    """[N] NODE, or None if the system doesn't give so much memory."""
    try:
        return np.empty(capacity, NODE)
    except MemoryError:
        return None


def nodes_in(megabytes: int) -> int:
    """The number of nodes in a pool of so many megabytes, but at least 2 * BLOCK."""
    return min(max(megabytes * MEGABYTE // (NODE.itemsize + COMPACTION_BYTES), 2 * BLOCK), MOST_NODES)


def new_arrays(params: SearchParams, workspaces: int, beside: int = 0) -> SearchArrays:
    """Arrays for a search with so many workspaces and params.memory megabytes of nodes, without a position.

    `beside`: megabytes of these that the evaluator uses, but never more than a quarter.
    The pool is not initialized, so the operating system gives memory only as the tree grows.
    """
    memory = params.memory - min(beside, params.memory // 4)
    shared = np.zeros(1, SHARED)
    shared["model"] = shipped_model()
    fill_record(shared["playout_policy"][0], PlayoutParams, params)
    return SearchArrays(new_pool(nodes_in(memory)), shared, np.zeros(workspaces, WORKSPACE), np.empty(0, np.uint64), new_facts())


def random_state(seed: int, slot: int = 0) -> int:
    """The first state of a position's random numbers (splitmix64): different for each seed and slot, and never 0."""
    mixed = (seed * 2 + 1 + (slot + 1) * GOLDEN) & WORD
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD
    return (mixed ^ (mixed >> 31)) or 1


def seed_workspaces(arrays: SearchArrays, seed: int) -> None:
    """Give each workspace its own random numbers, made from `seed` and the workspace's index."""
    for slot in range(len(arrays.workspaces)):
        arrays.workspaces["position"]["random"][slot] = random_state(seed, slot)


def set_root(arrays: SearchArrays, game: Game, color: int, params: SearchParams, komi: float, avoid: Avoid) -> None:
    """Set the root to the game's current position with `color` to play; `komi` is all that White gets. Doesn't change the tree."""
    shared = arrays.shared[0]
    root = shared["root"]
    arrays.shared["root"] = game.positions[0]
    set_turn(root, game, color)
    arrays.situations = np.array(game.situations(), np.uint64)
    fill_record(shared["params"], TreeParams, params)
    shared["root_moves"] = recent_moves(game)
    shared["root_turns"] = turns_before(game, color)
    for i in range(EARLIER):
        shared["before"][i] = game.earlier_position(i + 1)
    set_rules(shared, game.rules, komi)
    shared["avoid_depth"] = max(avoid.values(), default=0)
    shared["avoid_until"] = 0
    for (avoider, point), depth in avoid.items():
        shared["avoid_until"][avoider][point] = depth
    arrays.workspaces["move_owners"] = 0
    arrays.workspaces["tally"]["ownership"] = 0
    arrays.workspaces["tally"]["playouts"] = 0
    arrays.workspaces["tally"]["score_sum"] = 0.0
