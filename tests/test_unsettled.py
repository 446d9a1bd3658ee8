"""What a network overlooks: moves near unsettled chains, and moves whose shapes the move model knows, get a part of its prior."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand_made import NEVER, HandMade
from kernels_network import lift_points, points_near_unsettled
from trees import NO_LIFTS, plain_params

from gtp_engine.engine.network.features import MOVE_MODEL, OPPONENT, OWN
from gtp_engine.engine.network.look import planes_of
from gtp_engine.engine.playout.playout import TALLY
from gtp_engine.engine.search.params import SearchParams, puct_settings
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.engine.search.tree import NODE, ROOT
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, POINTS, WHITE, board_points, from_vertex, to_vertex

Diagram = Callable[..., Game]
KOMI = 7.5
DRAWING = """
    . . . O X . . . .
    O O O O X . . . .
    X X X X X . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . X .
"""
NEAR_ONE_STONE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . * .
    . . . . . . * * *
    . . . . . * * * *
"""


def shown(drawing: str) -> set[str]:
    """The vertices with a star in a drawing of 9x9."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    return {f"{'ABCDEFGHJ'[column]}{9 - row}" for row, line in enumerate(rows) for column, symbol in enumerate(line) if symbol == "*"}


def near_unsettled(game: Game, votes: int, doubtful: dict[str, int]) -> set[str]:
    """The points that count as near unsettled chains after so many votes; all are Black's but the `doubtful` ones, Black minus White."""
    tally, near = np.zeros(1, TALLY), np.ones(POINTS, np.uint8)
    tally[0]["playouts"] = votes
    tally[0]["ownership"] = votes
    for vertex, owned in doubtful.items():
        tally[0]["ownership"][from_vertex(vertex, 9)] = owned
    points_near_unsettled(game.positions, tally, near)
    return {to_vertex(point) for point in board_points(9) if near[point]}


def test_points_within_two_steps_of_a_stone_of_doubtful_owner(diagram: Diagram) -> None:
    game = diagram(DRAWING)
    assert near_unsettled(game, 20, {"H1": 13}) == shown(NEAR_ONE_STONE)
    assert near_unsettled(game, 20, {"H1": -13}) == shown(NEAR_ONE_STONE)
    assert near_unsettled(game, 20, {"H1": 14}) == set(), "17 of 20 votes say the same"
    assert near_unsettled(game, 20, {"H1": -20}) == set(), "dead, and nobody doubts it"
    assert near_unsettled(game, 20, {"G5": 0}) == set(), "no stone is there"
    assert near_unsettled(game, 3, {"H1": 1}) == set(), "so few votes say nothing"


def test_moves_near_share_their_part_and_the_others_keep_theirs() -> None:
    nodes, near = np.zeros(5, NODE), np.zeros(POINTS, np.uint8)
    moves = [from_vertex(vertex, 9) for vertex in ("A1", "B1", "C1")] + [PASS]
    nodes["move"][1:] = moves
    nodes["probability"][1:] = [0.001, 0.3, 0.6, 0.099]
    near[moves[:2]] = 1
    for _ in range(2):  # the second time changes nothing
        lift_points(nodes, 1, 4, near, 0.1)
        assert nodes["probability"][1:].tolist() == pytest.approx([0.05, 0.3, 0.6, 0.099])


# ---------------------------------------------------------------- in a search


def only_the_lowest_line(planes: np.ndarray) -> np.ndarray:
    """Logits [S, S] of a policy that knows no other moves; row 0 is the top one."""
    logits = np.full(planes.shape[1:], NEVER)
    logits[-1] = 0.0
    return logits


def priors(game: Game, network: HandMade, simulations: int, **changes: Any) -> dict[str, float]:
    """The prior of each move at the root after so many simulations, with playouts that vote; only what `changes` name lifts any."""
    params = plain_params(**({"symmetry": False, "policy": "heavy"} | NO_LIFTS | changes))
    search = Search(params, network.evaluator(params, 0.0))
    search.prepare(game, game.to_play, KOMI)
    search.run(Limits(simulations=simulations))
    root = search._arrays.nodes[ROOT]
    first = int(root["first_child"])
    children = search._arrays.nodes[first : first + int(root["child_count"])]
    return {to_vertex(int(child["move"])): float(child["probability"]) for child in children}


def test_a_killing_move_that_the_network_never_thinks_of_is_looked_at(diagram: Diagram) -> None:
    """The point that makes two eyes, or one. Playouts see the corner live and die, so it is unsettled."""
    game = diagram(DRAWING)
    network = HandMade(only_the_lowest_line)
    assert priors(game, network, 200)["B9"] < 1e-9
    lifted = priors(game, network, 200, unsettled_share=0.1)
    assert 0.1 / 81 < lifted["B9"] <= 0.1
    assert lifted["G5"] < 1e-9, "far from everything"


def test_a_side_that_is_losing_looks_at_more(diagram: Diagram) -> None:
    """The network says so at once."""
    game = diagram(DRAWING)
    losing = HandMade(only_the_lowest_line, value=lambda planes: -4.0 if planes[OWN].sum() > planes[OPPONENT].sum() else 4.0)
    even = HandMade(only_the_lowest_line)
    assert priors(game, losing, 200, losing_share=0.5)["B9"] > 0.5 / 81
    assert priors(game, losing, 200, losing_share=0.5, losing_rate=0.01)["B9"] < 1e-9
    assert priors(game, even, 200, losing_share=0.5)["B9"] < 1e-9


def test_the_root_is_looked_at_again_when_the_search_finds_it_lost(diagram: Diagram) -> None:
    """The network takes the position for even and finds every move to be lost: after 15 simulations it is known, after 16 it counts."""
    game = diagram(DRAWING)
    at_first = len(game.stones(BLACK)) + len(game.stones(WHITE))

    def value(planes: np.ndarray) -> float:
        own, opponent = planes[OWN].sum(), planes[OPPONENT].sum()
        if own + opponent == at_first:
            return 0.0
        return -4.0 if own > opponent else 4.0

    network = HandMade(only_the_lowest_line, value=value)
    assert priors(game, network, 10, losing_share=0.5)["B9"] < 1e-9
    assert priors(game, network, 40, losing_share=0.5)["B9"] > 0.5 / 81


def test_no_move_gets_much_less_than_the_move_model_gives_it(diagram: Diagram) -> None:
    game = diagram(DRAWING)
    plane = planes_of(game, KOMI, BLACK)[MOVE_MODEL].astype(np.float64)  # see features.py: 1 + a tenth of the logarithm
    model = {f"{'ABCDEFGHJ'[column]}{9 - row}": np.exp(10.0 * (plane[row, column] - 1.0)) for row in range(9) for column in range(9)}
    found = priors(game, HandMade(only_the_lowest_line), 1, model_share=0.2)
    upper = [vertex for vertex in found if vertex != "pass" and vertex[1] != "1" and model[vertex] > 0.001]
    assert len(upper) > 10
    for vertex in upper:
        assert found[vertex] == pytest.approx(0.2 * model[vertex], rel=0.01)


def test_a_network_that_judges_well_by_itself_is_not_helped() -> None:
    strong = puct_settings(SearchParams(), is_strong=True, size=19)
    assert [strong[name] for name in ("unsettled_share", "losing_share", "model_share")] == [0.0, 0.0, 0.0]
