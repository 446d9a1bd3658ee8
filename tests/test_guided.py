"""Playouts judge, a network guides: which nodes ask it, and what its answer does to the tree."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand_made import HandMade
from kernels_network import place_in_policy
from trees import assert_sound, indices, tree_of

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, point_at
from gtp_engine.network.evaluator import GuidedEvaluator
from gtp_engine.network.features import OPPONENT, OWN
from gtp_engine.search.params import SearchParams
from gtp_engine.search.search import Limits, Search
from gtp_engine.search.tree import ROOT

KOMI = 7.5
FROM = 20  # visits


def favoring(size: int, point: int) -> Callable[[np.ndarray], np.ndarray]:
    """A policy that gives this point nine times the probability of all others together."""
    board = np.zeros((size, size))
    board.flat[place_in_policy(point, size)] = math.log(9.0 * (size * size - 1))
    return lambda planes: board


def new_search(network: HandMade, **changes: Any) -> Search:
    """A search led by `network` at nodes of FROM visits."""
    defaults: dict[str, Any] = {"threads": 1, "seed": 1, "memory": 16, "guided_visits": FROM}
    params = SearchParams(**(defaults | changes))
    return Search(params, GuidedEvaluator(network, params))


def searched(game: Game, network: HandMade, simulations: int, **changes: Any) -> Search:
    """The search after so many simulations for the player to move."""
    search = new_search(network, **changes)
    search.prepare(game, game.to_play, KOMI)
    assert search.run(Limits(simulations=simulations)).simulations >= simulations
    return search


def test_the_root_and_nodes_visited_often_ask_once_each() -> None:
    network = HandMade()
    search = searched(Game(5), network, 600)
    nodes = search._arrays.nodes
    inner = [nodes[index] for index in indices(nodes) if nodes[index]["first_child"] > 0]
    asked = [node for node in inner if node["is_guided"]]
    assert nodes[ROOT]["is_guided"] and 2 < len(asked) < len(inner)
    assert network.asked <= len(asked), "the cache answers for positions reached in two ways"
    assert all(node["visits"] >= FROM for node in asked)
    assert all(node["is_guided"] for node in inner if node["visits"] > FROM)


def test_the_answer_takes_the_place_of_the_move_models_guess() -> None:
    point = point_at(2, 4)
    search = searched(Game(5), HandMade(favoring(5, point)), 2)
    children = search._children(ROOT)
    priors = dict(zip(children["move"].tolist(), children["probability"].tolist(), strict=True))
    assert priors[point] == pytest.approx(0.9, abs=1e-4)
    assert sum(priors.values()) == pytest.approx(1.0)


def test_the_search_looks_where_the_network_points() -> None:
    """Without playouts' opinion the moves of an empty board are about equal; with a strong lead the favored one is visited most."""
    point = point_at(4, 2)
    for favored in (point, point_at(2, 2)):
        search = searched(Game(5), HandMade(favoring(5, favored)), 200, guided_bonus=20.0)
        children = search._children(ROOT)
        assert int(children["move"][np.argmax(children["visits"])]) == favored


def tried(search: Search) -> set[int]:
    """The moves at the root that were visited."""
    children = search._children(ROOT)
    return set(children["move"][children["visits"] > 0].tolist())


def test_unlikely_moves_wait_until_a_visit_is_due_to_them() -> None:
    """All others share a tenth, less than a 240th each: one visit in 240."""
    favored = point_at(2, 4)
    network = HandMade(favoring(5, favored))

    def tried_by(simulations: int, **changes: Any) -> set[int]:
        """Tried under a bonus so small that it alone keeps nobody waiting."""
        return tried(searched(Game(5), network, simulations, guided_bonus=0.5, **changes))

    assert len(tried_by(150) - {favored, PASS}) <= 1, "the first simulation comes before the question"
    assert len(tried_by(1000)) > 10
    assert len(tried_by(150, guided_widening=0.0)) > 10


def test_who_waits_comes_when_the_others_are_avoided() -> None:
    favored = point_at(2, 4)
    search, game = new_search(HandMade(favoring(5, favored))), Game(5)
    search.prepare(game, BLACK, KOMI, avoid={(BLACK, favored): 1, (BLACK, PASS): 1})
    search.run(Limits(simulations=150))
    assert tried(search) and not tried(search) & {favored, PASS}


def test_the_network_sees_the_node_that_asks() -> None:
    """The first question is about the root, with no stones; later ones about positions one move or more further."""
    seen: list[int] = []

    def count_stones(planes: np.ndarray) -> np.ndarray:
        seen.append(int(planes[OWN].sum() + planes[OPPONENT].sum()))
        return np.zeros(planes.shape[1:])

    searched(Game(5), HandMade(count_stones), 800)
    assert seen[0] == 0 and min(seen[1:]) >= 1 and max(seen) >= 2


@pytest.mark.parametrize("threads", [1, 2])
def test_the_tree_is_sound_and_kept_between_moves(threads: int) -> None:
    search, game = new_search(HandMade(), threads=threads), Game(5)
    for _ in range(3):
        search.prepare(game, game.to_play, KOMI)
        result = search.run(Limits(simulations=500))
        assert_sound(search)
        assert tree_of(search).visits >= 500
        game.play(game.to_play, result.best.point)


def test_one_seed_one_tree() -> None:
    assert tree_of(searched(Game(5), HandMade(), 400)) == tree_of(searched(Game(5), HandMade(), 400))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_full_pool_goes_on(threads: int) -> None:
    search = searched(Game(19), HandMade(), 6000, threads=threads, expand_visits=1)
    tree = search._arrays.trees[0]
    assert tree["capacity"] - tree["next_free"] < 4096, "the pool must be full for this test"
