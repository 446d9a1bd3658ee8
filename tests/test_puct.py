"""PUCT: which child is selected, and what a search makes of hand-made priors and values."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand_made import NEVER, HandMade
from kernels_network import place_in_policy
from trees import NO_LIFTS, assert_sound, plain_params, tree_of

from gtp_engine.engine.network.katago.inputs import OPPONENT, OWN
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import Candidate, SearchResult, by_lower_bound, drawn_by_visits, lower_bound
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.engine.search.tree import FORBIDDEN, ROOT
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, point_at, to_vertex
from gtp_engine.go.rules import CHINESE, JAPANESE, Rules

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]
KOMI = 7.5


def new_search(network: HandMade, **changes: Any) -> Search:
    """A search that asks `network`, by plain PUCT: no margin in a result, no reduction, its priors as they are, the board as it lies."""
    plain = {"untried_reduction": 0.0, "root_untried_reduction": 0.0, "own_opinion": 0.0, "symmetry": False, "pass_prior": 1.0} | NO_LIFTS
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
    assert len(run(Game(3), network, 9, root_untried_reduction=1.0, puct_exploration=0.01).candidates) == 1
    assert len(run(Game(3), network, 9, root_untried_reduction=0.0, puct_exploration=0.01).candidates) == 9


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


def test_one_seed_one_tree() -> None:
    trees = []
    for _ in range(2):
        search = new_search(HandMade(value=lead_on_board), playout_share=0.5)
        search.prepare(Game(5), BLACK, KOMI)
        search.run(Limits(simulations=200))
        trees.append(tree_of(search))
    assert trees[0] == trees[1]


@pytest.mark.parametrize("threads", [1, 2])
def test_room_is_made_in_a_full_pool(threads: int) -> None:
    network, game = HandMade(), Game(19)
    search = new_search(network, threads=threads, memory=16)
    search.prepare(game, BLACK, KOMI)
    result = search.run(Limits(simulations=1500))
    tree = search._arrays.shared[0]
    assert tree["next_free"] < tree["capacity"] < 1500 * 300, "each answer makes some 350 nodes: the pool must have been full"
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


def test_of_moves_that_win_alike_the_one_with_the_larger_lead_is_preferred() -> None:
    """Black wins with both, by 15 points with a stone in the corner and by 5 without."""

    def is_black(planes: np.ndarray) -> bool:
        """Whether Black is to play: White has as many stones as Black then."""
        return bool(planes[OWN].sum() == planes[OPPONENT].sum())

    def lead(planes: np.ndarray) -> float:
        """Of the side to move."""
        black = planes[OWN if is_black(planes) else OPPONENT]
        return (15.0 if black[0, 0] else 5.0) * (1.0 if is_black(planes) else -1.0)

    corner, center = point_at(5, 1), point_at(3, 3)
    network = HandMade(point_logits(5, {corner: 0.0, center: 0.0}), value=lambda planes: 3.0 if is_black(planes) else -3.0, score=lead)
    with_leads, without = (run(Game(5), network, 200, lead_weight=weight) for weight in (0.15, 0.0))
    visits = [{candidate.point: candidate.visits for candidate in result.candidates} for result in (with_leads, without)]
    assert with_leads.best.point == corner
    assert visits[0][corner] > 2 * visits[0][center]
    assert visits[1][corner] < 2 * visits[1][center]


# ---------------------------------------------------------------- the move


def candidate(point: int, visits: int, win_rate: float) -> Candidate:
    """A move at the root."""
    return Candidate(point, visits, win_rate, 0.0, [point], lower_bound=lower_bound(win_rate, visits))


def test_the_move_with_the_highest_lower_bound_comes_first_when_it_has_visits_enough() -> None:
    most, better, lucky = candidate(21, 1000, 0.5), candidate(22, 800, 0.6), candidate(23, 20, 0.99)
    assert by_lower_bound([most, better, lucky], lambda candidate: 0.0) == [better, most, lucky]
    assert by_lower_bound([most, better, lucky], lambda candidate: 0.2 if candidate is most else 0.0) == [most, better, lucky]
    assert by_lower_bound([most, lucky], lambda candidate: 0.0) == [most, lucky]
    assert by_lower_bound([], lambda candidate: 0.0) == []


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


def test_results_add_their_squares_under_puct() -> None:
    """Hand-made values of one half: a square of 0.25 for each visit, and no spread."""
    search = new_search(HandMade())
    search.prepare(Game(5), BLACK, KOMI)
    search.run(Limits(simulations=50))
    root = search._arrays.nodes[ROOT]
    assert float(root["square_sum"]) == pytest.approx(0.25 * int(root["visits"]))
