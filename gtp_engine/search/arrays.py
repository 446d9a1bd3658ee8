"""The arrays of one search, made in one place: what compiled code works on."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import NO_POINT, POINTS
from gtp_engine.go.position import POSITION
from gtp_engine.go.rules import Ko
from gtp_engine.move_model.model import LOOKS
from gtp_engine.move_model.model_file import load_model
from gtp_engine.playout.playout import TALLY
from gtp_engine.playout.policy import HEAVY, LIGHT, POLICY, SUGGESTIONS
from gtp_engine.search.params import SearchParams
from gtp_engine.search.simulation import NO_SUPERKO, POSITIONAL, SITUATIONAL
from gtp_engine.search.tree import BLOCK, NODE, PARAMS, TREE, WORKER

SUPERKO = {Ko.SIMPLE: NO_SUPERKO, Ko.POSITIONAL: POSITIONAL, Ko.SITUATIONAL: SITUATIONAL}
COMPACTION_BYTES = 1  # a node, while the subtree is kept
MEGABYTE = 2**20
GOLDEN = 0x9E3779B97F4A7C15  # step of the Weyl sequence that spreads seeds (Steele, Lea and Flood 2014)
WORD = 2**64 - 1


Avoid = Mapping[tuple[int, int], int]  # (color, point or PASS) -> the depth up to which the search doesn't let that color play there


@dataclass
class SearchArrays:
    """Everything a simulation touches. Threads share nodes, trees, params, policies and situations; they have a slot each in the others."""

    nodes: np.ndarray  # [N] NODE
    trees: np.ndarray  # [1] TREE
    params: np.ndarray  # [1] PARAMS
    policies: np.ndarray  # [1] POLICY
    positions: np.ndarray  # [1 + 3 * threads] POSITION; [0] is the root, then for each thread a working one, a scratch one, a leaf
    workers: np.ndarray  # [threads] WORKER
    tallies: np.ndarray  # [threads] TALLY
    move_owners: np.ndarray  # [threads, P, P] by move at the root and point: playouts owned by Black minus White; at NO_POINT: playouts
    suggestions: np.ndarray  # [threads] SUGGESTIONS
    models: np.ndarray  # [1] MODEL: the learned guess at strong players' moves
    looks: np.ndarray  # [threads] LOOKS, scratch for it
    situations: np.ndarray  # hashes of the game up to the root, for superko

    def all(self) -> tuple[np.ndarray, ...]:
        """Every array, in the order in which simulation.py takes them."""
        return tuple(getattr(self, item.name) for item in fields(self))


def new_arrays(params: SearchParams, threads: int, beside: int = 0) -> SearchArrays:
    """Arrays for a search with `threads` threads and params.memory megabytes of nodes, not yet at any position.

    `beside`: megabytes that the evaluator takes out of them, but never more than a quarter.
    The pool is not touched before it is used, so the operating system gives memory only as the tree grows.
    """
    memory = params.memory - min(beside, params.memory // 4)
    capacity = max(memory * MEGABYTE // (NODE.itemsize + COMPACTION_BYTES), 2 * BLOCK)
    arrays = SearchArrays(
        nodes=np.empty(capacity, NODE),
        trees=np.zeros(1, TREE),
        params=np.zeros(1, PARAMS),
        policies=np.zeros(1, POLICY),
        positions=np.zeros(1 + 3 * threads, POSITION),
        workers=np.zeros(threads, WORKER),
        tallies=np.zeros(threads, TALLY),
        move_owners=np.zeros((threads, POINTS, POINTS), np.int32),
        suggestions=np.zeros(threads, SUGGESTIONS),
        models=load_model(),
        looks=np.zeros(threads, LOOKS),
        situations=np.empty(0, np.uint64),
    )
    arrays.policies[:] = policy_record(params)
    return arrays


def policy_record(params: SearchParams) -> np.ndarray:
    """[1] POLICY as the parameters say."""
    record = np.zeros(1, POLICY)
    copy_fields(params, record)
    record["heavy"] = HEAVY if params.policy == "heavy" else LIGHT
    return record


def copy_fields(params: SearchParams, record: np.ndarray) -> None:
    """Copy every parameter that the record has a field for."""
    for name in record.dtype.names or ():
        if hasattr(params, name):
            record[name] = getattr(params, name)


def seed_threads(arrays: SearchArrays, seed: int) -> None:
    """Give each thread its own random numbers, drawn from `seed` and the thread's number (splitmix64)."""
    for thread in range(len(arrays.workers)):
        mixed = (seed * 2 + 1 + (thread + 1) * GOLDEN) & WORD
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD
        arrays.positions[thread + 1]["random"] = (mixed ^ (mixed >> 31)) or 1


def set_root(arrays: SearchArrays, game: Game, color: int, params: SearchParams, komi: float, avoid: Avoid) -> None:
    """Put the search at the game's current position with `color` to play; `komi` is all that White gets. Doesn't touch the tree."""
    arrays.positions[0] = game.positions[0]
    root = arrays.positions[0]
    root["passes"] = min(game.passes(), 1)  # asked for a move after two passes, we still want to look at moves
    if root["to_play"] != color:
        root["to_play"] = color
        root["ko_point"] = NO_POINT  # it forbade the other player
    arrays.situations = np.array(game.situations(), np.uint64)
    copy_fields(params, arrays.params)
    record = arrays.params[0]
    record["komi"] = komi
    record["superko"] = SUPERKO[game.rules.ko]
    record["all_alive"] = game.rules.all_alive
    record["avoid_depth"] = max(avoid.values(), default=0)
    record["avoid_until"] = 0
    for (avoider, point), depth in avoid.items():
        record["avoid_until"][avoider][point] = depth
    arrays.move_owners[:] = 0
    arrays.tallies["ownership"] = 0
    arrays.tallies["playouts"] = 0
    arrays.tallies["score_sum"] = 0.0
