"""The search tree: sums and links, the subtree that is kept after a move, and golden trees."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from golden_tree import FOLDER, searches
from trees import Tree, assert_links, assert_sound, indices, plain_params, read_tree, tree_of

from gtp_engine.engine.search.compaction import keep_subtree
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.engine.search.tree import NO_CHILDREN, ROOT
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, opponent
from gtp_engine.go.rules import CHINESE, JAPANESE, RULE_SETS, TROMP_TAYLOR, Rules

KOMI = 7.5


def searched(size: int, simulations: int, params: SearchParams, rules: Rules = CHINESE, game: Game | None = None) -> Search:
    """A search that has run from the empty board or from `game`."""
    game = game or Game(size, rules)
    search = Search(params)
    search.prepare(game, game.to_play, KOMI)
    search.run(Limits(simulations=simulations))
    return search


# ---------------------------------------------------------------- sums and links


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_visits_and_wins_add_up(size: int, rules: Rules) -> None:
    search = searched(size, 3000, plain_params(), rules)
    assert_sound(search)
    assert tree_of(search).visits == 3000


@pytest.mark.parametrize(
    "params",
    [plain_params(expand_visits=20), SearchParams(seed=1, memory=16, threads=1)],
    ids=["late expansion", "defaults"],
)
def test_visits_add_up_in_other_searches(params: SearchParams) -> None:
    search = searched(5, 1500, params)
    assert_sound(search)
    assert tree_of(search).visits == 1500


@pytest.mark.parametrize("size", [2, 13, 19])
def test_a_search_fits_every_board(size: int) -> None:
    """With everything that the defaults switch on: priors, AMAF, heavy playouts."""
    search = searched(size, 300, SearchParams(seed=1, memory=16, threads=1))
    assert_sound(search)
    assert tree_of(search).visits == 300


@pytest.mark.parametrize("policy", ["light", "heavy"])
def test_two_threads_lose_no_visits(policy: str) -> None:
    search = Search(plain_params(threads=2, policy=policy))
    game = Game(5)
    search.prepare(game, BLACK, KOMI)
    result = search.run(Limits(simulations=20_000))
    assert_sound(search)
    assert result.simulations == result.new_simulations >= 20_000
    assert sum(candidate.visits for candidate in result.candidates) >= result.simulations - 2  # one each while the root got its children
    assert search._arrays.workspaces["tally"]["playouts"].sum() == result.new_simulations
    assert (search._arrays.workspaces["tally"]["playouts"] > 0).all()


def test_the_root_has_every_legal_move_that_fills_no_eye() -> None:
    search = searched(9, 200, plain_params())
    moves = [child.move for child in tree_of(search).children]
    assert sorted(moves) == sorted([*Game(9).legal_points(BLACK), PASS])


def test_a_child_is_tried_once_before_any_is_tried_twice() -> None:
    """As UCT has it: an untried move comes first."""
    search = searched(9, 82, plain_params())
    assert {child.visits for child in tree_of(search).children} == {1}


def test_a_larger_exploration_constant_spreads_the_visits() -> None:
    spread = [max(child.visits for child in tree_of(searched(7, 3000, plain_params(exploration=c))).children) for c in (0.0, 0.7, 10.0)]
    assert spread[0] > spread[1] > spread[2]


# ---------------------------------------------------------------- the subtree that is kept


@pytest.mark.parametrize("seed", range(12))
def test_keeping_a_subtree_changes_nothing_in_it(seed: int) -> None:
    """Random trees, a random inner node of each, and again a node of what was kept: walked before and after."""
    dice = random.Random(seed)
    params = plain_params(seed=seed + 1, threads=dice.choice([1, 2]), expand_visits=dice.choice([1, 2, 5]))
    search = searched(dice.choice([2, 3, 4, 5]), dice.choice([50, 500, 3000]), params)
    arrays = search._arrays
    for _ in range(2):
        inner = [index for index in indices(arrays.nodes) if arrays.nodes[index]["first_child"] != NO_CHILDREN]
        root = dice.choice(inner)
        before = read_tree(arrays.nodes, root)
        kept = keep_subtree(arrays.nodes, arrays.shared, arrays.workspaces, root, 0)
        assert read_tree(arrays.nodes) == before
        assert kept == before.count() == arrays.shared[0]["next_free"]
        assert arrays.nodes[ROOT]["parent"] == ROOT
        assert_sound(search)


def test_a_leaf_can_be_kept() -> None:
    search = searched(5, 300, plain_params())
    nodes = search._arrays.nodes
    leaf = next(index for index in indices(nodes) if nodes[index]["first_child"] == NO_CHILDREN and nodes[index]["visits"] == 1)
    before = read_tree(nodes, leaf)
    assert keep_subtree(nodes, search._arrays.shared, search._arrays.workspaces, leaf, 0) == 1
    assert read_tree(nodes) == before


@pytest.mark.parametrize("least_visits", [2, 10, 100])
def test_a_full_pool_is_thinned_where_few_visits_are(least_visits: int) -> None:
    search = searched(5, 3000, plain_params())
    arrays = search._arrays
    expected = read_tree(arrays.nodes, ROOT, least_visits)
    kept = keep_subtree(arrays.nodes, arrays.shared, arrays.workspaces, ROOT, least_visits)
    assert tree_of(search) == expected
    assert kept == expected.count()
    assert_links(search)


def test_the_search_goes_on_in_a_kept_tree() -> None:
    search = searched(5, 2000, plain_params())
    root = int(search._arrays.nodes[ROOT]["first_child"])
    kept = int(search._arrays.nodes[root]["visits"])
    keep_subtree(search._arrays.nodes, search._arrays.shared, search._arrays.workspaces, root, 0)
    search._arrays.shared["root"]["to_play"] = WHITE
    result = search.run(Limits(simulations=kept + 1000))
    assert (result.new_simulations, result.simulations) == (1000, kept + 1000)
    assert_sound(search)


# ---------------------------------------------------------------- the tree from move to move


def most_visited(tree: Tree) -> Tree:
    return max(tree.children, key=lambda child: child.visits)


@pytest.mark.parametrize("rules", [JAPANESE, TROMP_TAYLOR], ids=["japanese", "tromp-taylor"])
def test_visits_kept_are_those_of_the_moves_played(rules: Rules) -> None:
    """One and two moves later: what the search knew there is still known."""
    for plies in (1, 2):
        game = Game(5, rules)
        search = searched(5, 3000, plain_params(), rules, game)
        node = tree_of(search)
        for _ in range(plies):
            node = most_visited(node)
            game.play(game.to_play, node.move)
        assert search.prepare(game, game.to_play, KOMI) == node.visits > 10
        assert tree_of(search) == node
        result = search.run(Limits(simulations=node.visits + 500))
        assert (result.simulations, result.new_simulations) == (node.visits + 500, 500)
        assert_sound(search)


def test_nothing_is_run_twice_when_the_tree_holds_enough() -> None:
    game = Game(5)
    search = searched(5, 1000, plain_params(), game=game)
    search.prepare(game, BLACK, KOMI)
    result = search.run(Limits(simulations=1000))
    assert result.new_simulations <= 16 and result.simulations >= 1000


@pytest.mark.parametrize("change", ["komi", "rules", "undo", "other color", "other game", "set-up", "seed", "clear", "size"])
def test_what_the_tree_does_not_know_starts_anew(change: str) -> None:
    game = Game(5)
    game.play(BLACK, 63)
    search = searched(5, 500, plain_params(), game=game)
    color, komi = game.to_play, KOMI
    if change == "komi":
        komi += 1
    elif change == "rules":
        game.rules = JAPANESE
    elif change == "undo":
        game.undo()
        color = game.to_play
    elif change == "other color":
        color = opponent(color)
    elif change == "other game":
        game = Game(5)
        game.play(BLACK, 64)
    elif change == "set-up":
        game.set_up([(BLACK, 63)], WHITE)
    elif change == "seed":
        search.seed(2)
    elif change == "clear":
        search.clear()
    else:
        game = Game(6)
    assert search.prepare(game, color, komi) == 0
    search.run(Limits(simulations=100))
    assert_sound(search)


def test_a_move_that_the_tree_does_not_hold_starts_anew() -> None:
    """Filling an own eye is legal, but no candidate."""
    game = Game(3)
    eye_and_wall = [(BLACK, 22), (BLACK, 41), (BLACK, 42)]
    game.set_up(eye_and_wall, BLACK)
    search = searched(3, 200, plain_params(), game=game)
    game.play(BLACK, 21)
    assert search.prepare(game, WHITE, KOMI) == 0


# ---------------------------------------------------------------- the same tree again


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.json")))
def test_golden_tree(name: str) -> None:
    """Intended changes: see golden_tree.py."""
    assert searches()[name] == json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def test_every_golden_tree_is_compared() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(searches())


def test_the_same_seed_gives_the_same_tree() -> None:
    for params in (plain_params(), SearchParams(seed=7, memory=16, threads=1)):
        first, second, other = (tree_of(searched(5, 800, p)) for p in (params, params, replace(params, seed=99)))
        assert first == second != other


def test_the_same_seed_gives_the_same_tree_in_another_process(repository: Path) -> None:
    program = (
        "import json; from gtp_engine.go.game import Game; from gtp_engine.engine.search.params import SearchParams\n"
        "from gtp_engine.engine.search.search import Limits, Search\n"
        "search, game = Search(SearchParams(seed=7, memory=16, threads=1)), Game(7)\n"
        "search.prepare(game, 1, 7.5); result = search.run(Limits(simulations=500))\n"
        "print(json.dumps([[c.point, c.visits, c.win_rate] for c in result.candidates]))"
    )
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=repository, check=True)
    search = Search(SearchParams(seed=7, memory=16, threads=1))
    search.prepare(Game(7), BLACK, KOMI)
    result = search.run(Limits(simulations=500))
    assert json.loads(process.stdout) == [[c.point, c.visits, c.win_rate] for c in result.candidates]


def test_threads_draw_different_random_numbers() -> None:
    states = Search(plain_params(threads=4))._arrays.workspaces["position"]["random"]
    assert len(np.unique(states)) == 4 and (states != 0).all()
