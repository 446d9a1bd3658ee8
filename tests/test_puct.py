"""PUCT: which child is selected, and what a search makes of hand-made priors and values."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hand_made import NEVER, HandMade
from kernels_network import choose_by_puct, leave_pass_at_most, place_in_policy, set_priors_by_policy
from trees import assert_sound, plain_params, tree_of

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, board_points, point_at, to_vertex
from gtp_engine.go.rules import CHINESE, JAPANESE, Rules
from gtp_engine.network.features import OPPONENT, OWN
from gtp_engine.search.params import WITH_OTHER_NETWORK, WITH_STRONG_NETWORK, SearchParams, puct_settings, share_of_playouts
from gtp_engine.search.result import Candidate, SearchResult, by_lower_bound, drawn_by_visits, lower_bound
from gtp_engine.search.search import Limits, Search
from gtp_engine.search.tree import FORBIDDEN, NODE, ROOT
from gtp_engine.search.workspace import SHARED

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]
KOMI = 7.5


def new_search(network: HandMade, **changes: Any) -> Search:
    """A search that asks `network`, by plain PUCT: no margin in a result, no reduction, its priors as they are, the board as it lies."""
    plain = {"untried_reduction": 0.0, "symmetry": False, "pass_prior": 1.0, "tactics_prior": 0.0}
    params = plain_params(**(plain | changes))
    return Search(params, network.evaluator(params))


def run(game: Game, network: HandMade, simulations: int, **changes: Any) -> SearchResult:
    """Search for the player to move."""
    search = new_search(network, **changes)
    search.prepare(game, game.to_play, KOMI)
    return search.run(Limits(simulations=simulations))


def visits_by_vertex(result: SearchResult) -> dict[str, int]:
    """The visits of every move tried."""
    return {to_vertex(candidate.point): candidate.visits for candidate in result.candidates}


def point_logits(size: int, logits: dict[int, float], others: float = NEVER) -> Callable[[np.ndarray], np.ndarray]:
    """A policy with these logits by point, and `others` elsewhere."""
    board = np.full((size, size), others)
    for point, logit in logits.items():
        board.flat[place_in_policy(point, size)] = logit
    return lambda planes: board


# ---------------------------------------------------------------- selection


def slow_exploration(node: np.void, visits: int, params: dict[str, float]) -> float:
    """c of PUCT at this node: the formula in plain Python."""
    results = max(int(node["visits"]) - 1, 1)
    mean = float(node["wins"]) / results
    squares = float(node["square_sum"]) + 2.0 * (mean**2 + 0.2**2)
    spread = math.sqrt(max(squares / (results + 2.0) - mean**2, 0.0))
    growth = 1.0 + params["puct_growth"] * math.log((visits + 500) / 500)
    return params["puct_exploration"] * growth * (1.0 + params["puct_spread"] * (spread / 0.2 - 1.0))


def slow_choice(node: np.void, children: np.ndarray, params: dict[str, float]) -> int:
    """What puct_child must choose: the formula in plain Python, the first of equals."""
    tried = [child for child in children if child["visits"] > 0]
    visits = sum(int(child["visits"]) for child in tried)
    own = 1.0 - float(node["wins"]) / max(int(node["visits"]) - 1, 1)
    mean = sum(float(child["wins"]) for child in tried) / visits if visits else own
    untried = mean - params["untried_reduction"] * math.sqrt(sum(float(child["probability"]) for child in tried))
    values, c = [], slow_exploration(node, visits, params)
    for child in children:
        n = int(child["visits"])
        value = float(child["wins"]) / n if n else untried
        values.append(value + c * float(child["probability"]) * math.sqrt(max(visits, 1)) / (1 + n))
        if child["move"] == FORBIDDEN:
            values[-1] = -math.inf
    return int(np.argmax(values))


@pytest.mark.parametrize("tried", [0.0, 0.4, 1.0])
def test_selection_agrees_with_the_formula_in_plain_python(tried: float) -> None:
    random, shared = np.random.default_rng(5), np.zeros(1, SHARED)
    params = shared["params"]
    for _ in range(300):
        count = int(random.integers(1, 30))
        nodes = np.zeros(1 + count, NODE)
        children = nodes[1:]
        nodes[ROOT]["first_child"], nodes[ROOT]["child_count"] = 1, count
        children["visits"] = random.integers(1, 50, count) * (random.random(count) < tried)
        children["wins"] = children["visits"] * random.random(count)
        children["probability"] = random.dirichlet(np.full(count, 0.3))
        children["move"] = np.where(random.random(count) < 0.1, FORBIDDEN, 21 + np.arange(count))
        children["move"][-1] = PASS
        nodes[ROOT]["visits"] = 2 + children["visits"].sum()
        nodes[ROOT]["wins"] = random.random() * nodes[ROOT]["visits"]
        nodes[ROOT]["square_sum"] = nodes[ROOT]["wins"] * random.random()
        chosen = {"puct_exploration": 2.0, "puct_growth": 1.0, "puct_spread": 1.0, "untried_reduction": 0.5}
        chosen = {name: random.random() * most for name, most in chosen.items()}
        for name, value in chosen.items():
            params[name] = value
        expected = slow_choice(nodes[ROOT], children, chosen)
        assert choose_by_puct(nodes, ROOT, shared, BLACK, 1, 0) == 1 + expected


def test_a_policy_is_read_row_by_row_from_the_top_and_the_pass_last() -> None:
    assert [place_in_policy(point_at(3, column), 3) for column in (1, 2, 3)] == [0, 1, 2]
    assert place_in_policy(point_at(1, 3), 3) == 8
    assert place_in_policy(PASS, 3) == 9


def test_priors_are_the_policy_among_the_legal_moves() -> None:
    """A softmax over the children only, however large the logits; what is not a child takes no part."""
    nodes, logits = np.zeros(4, NODE), np.full(10, 500.0, np.float32)
    nodes["move"][1:] = point_at(3, 1), point_at(1, 3), PASS
    logits[[0, 8, 9]] = 300.0, 300.0 + math.log(2.0), 300.0
    set_priors_by_policy(nodes, 1, 3, 3, logits)
    assert nodes["probability"][1:].tolist() == pytest.approx([0.25, 0.5, 0.25])
    assert (nodes["prior_visits"] == 0.0).all()


@pytest.mark.parametrize(
    ("priors", "limited"),
    [
        ([0.02, 0.08, 0.9], [0.14, 0.56, 0.3]),
        ([0.3, 0.6, 0.1], [0.3, 0.6, 0.1]),
        ([0.0, 0.0, 1.0], [0.35, 0.35, 0.3]),
        ([1.0], [1.0]),
    ],
)
def test_a_pass_leaves_the_others_room(priors: list[float], limited: list[float]) -> None:
    """However sure of it the network is, unless it is the only move. The pass comes last here."""
    nodes = np.zeros(1 + len(priors), NODE)
    nodes["move"][1:] = [point_at(1, column + 1) for column in range(len(priors) - 1)] + [PASS]
    nodes["probability"][1:] = priors
    leave_pass_at_most(nodes, 1, len(priors), 0.3)
    assert nodes["probability"][1:].tolist() == pytest.approx(limited)


# ---------------------------------------------------------------- trees with known visits


def apportion(priors: dict[str, float], seats: int) -> dict[str, int]:
    """Seats by the method of D'Hondt: each goes to the largest prior / (1 + seats so far)."""
    given = dict.fromkeys(priors, 0)
    for _ in range(seats):
        given[max(priors, key=lambda name: priors[name] / (1 + given[name]))] += 1
    return {name: count for name, count in given.items() if count}


def test_when_all_values_are_equal_the_visits_are_apportioned_by_priors() -> None:
    """Maximizing prior / (1 + n) is the method of D'Hondt."""
    priors = {"A1": 0.45, "B2": 0.3, "C3": 0.16, "A3": 0.09}
    logits = {point_at(int(name[1]), "ABC".index(name[0]) + 1): math.log(prior) for name, prior in priors.items()}
    for simulations in (1, 2, 5, 20):
        result = run(Game(3), HandMade(point_logits(3, logits)), simulations)
        assert visits_by_vertex(result) == apportion(priors, simulations)
        assert result.win_rate == 0.5


def test_the_first_simulation_goes_to_the_likeliest_move() -> None:
    network = HandMade(point_logits(5, {point_at(2, 4): 1.0}, 0.0))
    result = run(Game(5), network, 1)
    assert visits_by_vertex(result) == {"D2": 1}
    assert network.asked == 2, "the root and its child"
    assert result.new_simulations == 1


def test_an_untried_move_counts_less_the_more_of_the_policy_was_tried() -> None:
    """With a reduction that no exploration outweighs, only the likeliest move is ever tried; without one, all are."""
    network = HandMade()
    assert len(run(Game(3), network, 9, untried_reduction=1.0, puct_exploration=0.01).candidates) == 1
    assert len(run(Game(3), network, 9, untried_reduction=0.0, puct_exploration=0.01).candidates) == 9


def test_a_value_is_that_of_the_side_to_move() -> None:
    """The network always says that whoever is to move loses: so every move of ours wins, and we win."""
    for game in (Game(3), played(3, 21)):
        result = run(game, HandMade(value=lambda planes: -3.0 if planes[OWN].sum() + planes[OPPONENT].sum() > 0 else 0.0), 8)
        chance = 1.0 / (1.0 + math.exp(-3.0))
        assert all(candidate.win_rate >= 0.5 for candidate in result.candidates if candidate.visits == 1)
        assert result.candidates[-1].win_rate == pytest.approx(chance)


def played(size: int, *points: int) -> Game:
    """A game with these moves."""
    game = Game(size)
    for point in points:
        game.play(game.to_play, point)
    return game


CAPTURE = """
    . . . . .
    . X X . .
    X O O a .
    . X X . .
    . . . . O
"""


def lead_on_board(planes: np.ndarray) -> float:
    """Stones of the side to move minus the opponent's."""
    return float(planes[OWN].sum() - planes[OPPONENT].sum())


@pytest.mark.parametrize("threads", [1, 2])
def test_it_finds_the_capture_when_the_value_counts_stones(threads: int, diagram: Diagram, marks: Marks) -> None:
    network = HandMade(value=lead_on_board, score=lead_on_board)
    for to_play in (BLACK, WHITE):
        result = run(diagram(CAPTURE, to_play), network, 400, threads=threads)
        if to_play == BLACK:
            assert result.best.point == marks(CAPTURE)["a"]
            assert result.best.win_rate > 0.9 and result.score > 2.0
        assert result.best.variation[0] == result.best.point


def test_a_capture_gets_a_look_although_the_network_never_thinks_of_it(diagram: Diagram, marks: Marks) -> None:
    """The network wants the corner only; what playouts would suggest keeps a small prior, which is enough to find out."""
    corner, capture = point_at(5, 5), marks(CAPTURE)["a"]
    network = HandMade(point_logits(5, {corner: 0.0}), value=lead_on_board)
    assert run(diagram(CAPTURE), network, 400).best.point == corner
    assert run(diagram(CAPTURE), network, 400, tactics_prior=0.01).best.point == capture


def test_the_score_is_the_lead_of_the_side_to_move() -> None:
    """White leads by five wherever the network looks."""
    network = HandMade(score=lambda planes: -5.0 if planes[OWN].sum() == planes[OPPONENT].sum() else 5.0)
    result = run(Game(5), network, 20)
    assert result.score == pytest.approx(-5.0)


# ---------------------------------------------------------------- the tree


@pytest.mark.parametrize("threads", [1, 2])
def test_the_tree_is_sound(threads: int) -> None:
    search = new_search(HandMade(value=lead_on_board), threads=threads, puct_exploration=2.0)
    game = Game(5)
    for _ in range(3):
        search.prepare(game, game.to_play, KOMI)
        result = search.run(Limits(simulations=300))
        assert_sound(search)
        tree = tree_of(search)
        assert tree.visits >= 300
        assert all(0.0 <= candidate.win_rate <= 1.0 for candidate in result.candidates)
        game.play(game.to_play, result.best.point)


def test_the_share_of_the_playouts_goes_by_the_board_unless_it_is_set() -> None:
    default = SearchParams()
    assert (share_of_playouts(default, 9), share_of_playouts(default, 11)) == (0.3, 0.3)
    assert (share_of_playouts(default, 13), share_of_playouts(default, 19)) == (0.6, 0.6)
    assert {share_of_playouts(replace(default, playout_share=0.0), size) for size in (9, 19)} == {0.0}
    assert share_of_playouts(replace(default, playout_share=0.5), 9) == 0.5


def test_one_seed_one_tree() -> None:
    trees = []
    for _ in range(2):
        search = new_search(HandMade(value=lead_on_board), playout_share=0.5)
        search.prepare(Game(5), BLACK, KOMI)
        search.run(Limits(simulations=200))
        trees.append(tree_of(search))
    assert trees[0] == trees[1]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_full_pool_goes_on_without_new_nodes(threads: int) -> None:
    """The network is not asked again for a leaf that got no children: the cache knows it."""
    network, game = HandMade(), Game(19)
    search = new_search(network, threads=threads, memory=16)
    search.prepare(game, BLACK, KOMI)
    result = search.run(Limits(simulations=1500))
    tree = search._arrays.shared[0]
    assert tree["capacity"] - tree["next_free"] < 4096, "the pool must be full for this test"
    assert result.simulations >= 1500
    game.play(BLACK, result.best.point)
    search.prepare(game, WHITE, KOMI)
    assert search.run(Limits(simulations=1500)).simulations >= 1500


def moves_in_tree(search: Search, index: int) -> set[int]:
    """The moves of all nodes below this one."""
    node = search._arrays.nodes[index]
    first = int(node["first_child"])
    moves = {int(child["move"]) for child in search._children(index)}
    for child in range(first, first + int(node["child_count"]) if first > 0 else first):
        moves |= moves_in_tree(search, child)
    return moves


@pytest.mark.parametrize(("rules", "forbids"), [(CHINESE, True), (JAPANESE, False)])
def test_superko_cuts_walks_off(rules: Rules, forbids: bool) -> None:
    """On 2x2 positions repeat soon; what superko forbids is never selected again, and every simulation asked for is made."""
    search = new_search(HandMade(), puct_exploration=3.0)
    game = Game(2, rules)
    search.prepare(game, BLACK, 0.5)
    result = search.run(Limits(simulations=500))
    assert result.new_simulations >= 500
    assert (FORBIDDEN in moves_in_tree(search, ROOT)) == forbids


def test_moves_to_be_avoided_are_not_searched() -> None:
    search = new_search(HandMade(point_logits(3, {21: 5.0}, 0.0)))
    search.prepare(Game(3), BLACK, KOMI, avoid={(BLACK, 21): 1})
    result = search.run(Limits(simulations=30))
    assert 21 not in [candidate.point for candidate in result.candidates]


def test_ownership_comes_from_playouts(diagram: Diagram) -> None:
    game = diagram("""
        . X O . O
        X X O O .
        . X O . O
        X X O O .
        . X O . O
    """)
    result = run(game, HandMade(), 60)
    sign = [1 if point % 20 <= 2 else -1 for point in board_points(5)]
    assert (result.ownership[list(board_points(5))] * sign > 0.8).all()
    assert result.best.ownership is not None


# ---------------------------------------------------------------- the move


def candidate(point: int, visits: int, win_rate: float) -> Candidate:
    """A move at the root."""
    return Candidate(point, visits, win_rate, 0.0, [point], lower_bound=lower_bound(win_rate, visits))


def test_the_move_with_the_highest_lower_bound_comes_first_when_it_has_visits_enough() -> None:
    most, better, lucky = candidate(21, 1000, 0.5), candidate(22, 800, 0.6), candidate(23, 20, 0.99)
    assert by_lower_bound([most, better, lucky]) == [better, most, lucky]
    assert by_lower_bound([most, lucky]) == [most, lucky]
    assert by_lower_bound([]) == []


def test_a_draw_by_visits_follows_them() -> None:
    random, moves = np.random.default_rng(1), [candidate(21, 75, 0.5), candidate(22, 25, 0.5)]
    drawn = [drawn_by_visits(moves, 1.0, random) for _ in range(2000)]
    assert sum(each[0].point == 21 for each in drawn) / 2000 == pytest.approx(0.75, abs=0.04)
    assert all(sorted(each, key=lambda item: item.point) == moves for each in drawn)
    cold = [drawn_by_visits(moves, 0.1, random)[0].point for _ in range(100)]
    assert cold == [21] * 100


def test_noise_changes_the_priors_at_the_root_once() -> None:
    search = new_search(HandMade(), root_noise=0.25, noise_total=0.5)
    game = Game(5)
    seen = []
    for _ in range(2):
        search.prepare(game, BLACK, KOMI)
        result = search.run(Limits(simulations=10))
        seen.append({to_vertex(each.point): each.prior for each in result.candidates} | dict(result.unvisited))
        assert sum(each.prior for each in result.candidates) + sum(prior for _, prior in result.unvisited) == pytest.approx(1.0)
    assert max(seen[0].values()) > 0.1, "without noise every point has 1/25"
    assert max(seen[0].values()) == max(seen[1].values()), "the same position, the same noise"


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_a_temperature_takes_the_priors_at_the_root_to_a_power(temperature: float) -> None:
    found = []
    for each in (1.0, temperature):
        search = new_search(HandMade(point_logits(5, {21: 2.0, 22: 1.0}, 0.0)), root_temperature=each)
        search.prepare(Game(5), BLACK, KOMI)
        result = search.run(Limits(simulations=10))
        found.append({item.point: item.prior for item in result.candidates} | dict(result.unvisited))
        assert sum(found[-1].values()) == pytest.approx(1.0)
    plain, changed = found
    assert changed[21] / changed[22] == pytest.approx((plain[21] / plain[22]) ** (1 / temperature), rel=1e-4)


def test_a_forgotten_tree_is_searched_anew_and_known_answers_are_used() -> None:
    network = HandMade()
    search = new_search(network, cached_positions=1000)
    asked: list[int] = []
    for forget in (search.forget_tree, search.forget_tree, search.clear):
        forget()
        assert search.prepare(Game(5), BLACK, KOMI) == 0
        assert search.run(Limits(simulations=50)).new_simulations == 50
        asked.append(network.asked - sum(asked))
    assert asked[1] < asked[0] / 2 < asked[2]


def test_bounds_of_the_parameters_are_checked() -> None:
    wrongs: list[dict[str, Any]] = [{"playout_share": 1.5}, {"temperature": -1.0}, {"evaluator": "guess"}, {"precision": "f8"}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            SearchParams(**wrong)


# ---------------------------------------------------------------- what suits the network


def test_parameters_that_are_not_set_suit_the_network() -> None:
    chosen = SearchParams(puct_exploration=0.7)
    strong, other = puct_settings(chosen, is_strong=True), puct_settings(chosen, is_strong=False)
    assert strong == WITH_STRONG_NETWORK | {"puct_exploration": 0.7}
    assert other == WITH_OTHER_NETWORK | {"puct_exploration": 0.7}


def test_results_add_their_squares_under_puct() -> None:
    """Hand-made values of one half: a square of 0.25 for each visit, and no spread."""
    search = new_search(HandMade(), score_weight=0.0)
    search.prepare(Game(5), BLACK, KOMI)
    search.run(Limits(simulations=50))
    root = search._arrays.nodes[ROOT]
    assert float(root["square_sum"]) == pytest.approx(0.25 * int(root["visits"]))
