"""PUCT's choice of a child: the formula, and priors from a policy."""

import math

import numpy as np
import pytest
from kernels_network import choose_by_puct, leave_pass_at_most, place_in_policy, set_priors_by_policy

from gtp_engine.engine.search.puct import root_exploration
from gtp_engine.engine.search.tree import FORBIDDEN, NODE, ROOT
from gtp_engine.engine.search.workspace import SHARED
from gtp_engine.go.points import BLACK, PASS, point_at


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
    mean = 1.0 - float(node["wins"]) / max(int(node["visits"]) - 1, 1)
    share = sum(float(child["probability"]) for child in tried)
    if visits:
        own = share**2 * mean + (1.0 - share**2) * (1.0 - float(node["own_result"]))
        siblings = sum(float(child["wins"]) for child in tried) / visits
        mean = params["own_opinion"] * own + (1.0 - params["own_opinion"]) * siblings
    expected = 0.8 * float(node["score_sum"]) / max(int(node["visits"]), 1)

    def bonus(record: np.void, results: int) -> float:
        """For Black, on a board of 9 lines."""
        lead = float(record["score_sum"]) / results
        return params["lead_weight"] * math.atan((lead - expected) / 6.75) / (math.pi / 2)

    untried = mean - params["root_untried_reduction"] * math.sqrt(share) + bonus(node, max(int(node["visits"]) - 1, 1))
    values, c = [], slow_exploration(node, visits, params)
    for child in children:
        n = int(child["visits"])
        value = float(child["wins"]) / n + bonus(child, n) if n else untried
        values.append(value + c * float(child["probability"]) * math.sqrt(max(visits, 1)) / (1 + n))
        if child["move"] == FORBIDDEN:
            values[-1] = -math.inf
    return int(np.argmax(values))


@pytest.mark.parametrize("tried", [0.0, 0.4, 1.0])
def test_selection_agrees_with_the_formula_in_plain_python(tried: float) -> None:
    random, shared = np.random.default_rng(5), np.zeros(1, SHARED)
    shared["root"]["board_size"] = 9
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
        nodes[ROOT]["own_result"] = random.random()
        nodes["score_sum"] = nodes["visits"] * random.normal(3.0, 10.0, 1 + count)
        chosen = {
            "puct_exploration": 2.0,
            "puct_growth": 1.0,
            "puct_spread": 1.0,
            "root_untried_reduction": 0.5,
            "own_opinion": 1.0,
            "lead_weight": 0.5,
        }
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


def test_c_at_the_root_follows_its_visits_and_the_spread_of_its_results() -> None:
    for results in (np.full(998, 0.5), np.tile([0.0, 1.0], 499)):
        nodes, shared = np.zeros(3, NODE), np.zeros(1, SHARED)
        nodes["visits"] = 999, 600, 398
        nodes[ROOT]["wins"], nodes[ROOT]["square_sum"] = results.sum(), np.square(results).sum()
        nodes[ROOT]["first_child"], nodes[ROOT]["child_count"] = 1, 2
        chosen = {"puct_exploration": 0.5, "puct_growth": 0.45, "puct_spread": 0.85}
        for name, value in chosen.items():
            shared["params"][name] = value
        expected = slow_exploration(nodes[ROOT], 998, chosen)
        assert root_exploration(nodes, shared) == pytest.approx(expected, rel=1e-4)
        assert expected > 1.5 if results[0] == 0.0 else expected < 0.2
