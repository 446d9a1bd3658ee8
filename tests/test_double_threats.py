"""Two proofs that hold each, but not both together: one move attacks two living chains, or helps two dead ones."""

from collections.abc import Callable

import numpy as np
import pytest
from test_verdict import drawn, plain, told

from gtp_engine.engine.player.double_threats import has_double_threat
from gtp_engine.engine.player.statuses import Statuses
from gtp_engine.engine.player.verdict import FIRST_NODES, MOST_NODES, judge
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, POINTS, from_vertex

Diagram = Callable[..., Game]

# White G4 threatens F5 and F3, after which one of Black's chains on the right is caught in a snapback.
TWO_LIVING_CHAINS = """
    . O . O O O X
    O O O O O X X
    X X X X X . .
    . X . X X X .
    X X X X X . .
    O O O O O X X
    . O . O O O O
"""
# White C1 threatens to connect A1 and E1.
TWO_DEAD_CHAINS = """
    . X O . O X . X X
    X X O O O X X X .
    . X O . O X X X X
    X X O O O X X X X
    X X O X X X X . X
    . X O X X X X X X
    X X O X X X X X X
    X X O X X X X X X
    o . . . o X X . X
"""


def at(game: Game, vertex: str) -> int:
    """The point of a vertex."""
    return from_vertex(vertex, game.size)


def statuses_of(game: Game) -> Statuses:
    """What is proved, where the witness knows nothing."""
    statuses = Statuses(game, np.zeros(POINTS), MOST_NODES)
    statuses.find(FIRST_NODES)
    return statuses


def test_a_position_with_a_double_threat_on_living_chains_is_not_decided(diagram: Diagram) -> None:
    game = drawn(TWO_LIVING_CHAINS, diagram)
    assert has_double_threat(game, statuses_of(game), FIRST_NODES)
    verdict = judge(game)
    assert told(game, verdict) == plain(TWO_LIVING_CHAINS)
    assert not verdict.is_decided


@pytest.mark.parametrize("answer", ["F5", "F3", "G4"])
def test_it_is_settled_once_its_owner_has_played_there(answer: str, diagram: Diagram) -> None:
    game = drawn(TWO_LIVING_CHAINS, diagram)
    game.play(BLACK, at(game, answer))
    assert not has_double_threat(game, statuses_of(game), FIRST_NODES)
    assert judge(game).is_settled


def test_each_of_the_dead_chains_is_taken_but_not_both(diagram: Diagram) -> None:
    game = drawn(TWO_DEAD_CHAINS, diagram)
    statuses = statuses_of(game)
    assert {min(claim.chain): claim.owner for claim in statuses.claims}.items() >= {(at(game, "A1"), BLACK), (at(game, "E1"), BLACK)}
    assert has_double_threat(game, statuses, FIRST_NODES)


def test_one_dead_chain_alone_is_no_double_threat(diagram: Diagram) -> None:
    game = drawn(TWO_DEAD_CHAINS.replace("o . . . o", "o . . . ."), diagram)
    assert not has_double_threat(game, statuses_of(game), FIRST_NODES)


def test_without_positions_left_nothing_is_proved(diagram: Diagram) -> None:
    game = drawn(TWO_LIVING_CHAINS, diagram)
    statuses = statuses_of(game)
    statuses.nodes_left = 0
    assert not has_double_threat(game, statuses, FIRST_NODES)
