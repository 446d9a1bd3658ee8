"""Statuses that hang together: positions of our own games in which a proof rested on stones that were dead, and what witnesses do."""

from collections.abc import Callable

import numpy as np
import pytest
from test_verdict import SETTLED, drawn, plain, told

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.statuses import NOTHING, SIGN, Claim, Statuses
from gtp_engine.engine.player.verdict import Verdicts, judge
from gtp_engine.engine.playout.policy import playout_policy
from gtp_engine.engine.playout.status import estimate_ownership
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.solver.region import stones_beside
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, POINTS, WHITE, board_points, from_vertex, opponent
from gtp_engine.go.rules import CHINESE, JAPANESE, TROMP_TAYLOR

Diagram = Callable[..., Game]

# The White chain on A12 seems to take the black one below it, if nobody asks whether it lives itself.
A_DEAD_CHAIN_AROUND = """
    . . . . . . . . O O O O O X . . . . .
    . O O . . . . O O X O X O X . . . X X
    O O X O O O . x O X X X X X . X . X O
    O X X X X X O O X . . X . . . . X O O
    O X . X O X O O X . o o X . . o X X O
    X X X X O O O . O X X X . . X X O O O
    . . o X X X O O O X . . . o X O . . .
    o o o X X O O . O X . . o . X O . . .
    . X X O X X O O X . . X X . X O . . .
    . . X O O O O O X . X . o o X O . . .
    . . . X O O O X X X . o . o X X O O .
    . . . X X O O X O X X o o o X O . O .
    . . . X O O O O O O X o X . X O . O O
    . . . . X O . O O O X X . X X O O X O
    . X X . X O O O X X X . X . X O X X X
    . o X X . X X X X o . X X X . X . . .
    . . o . X . X o . . o X . . X X X X X
    . o X X X o X o o . . X . . X o o o o
    . . . . . . . . . o . X . X X X o . .
"""
NEITHER_TAKEN_NOR_ALIVE = """
    O O O O . . . . O X X . X
    O X O . O . . O O X . X .
    X X X O O O O O X X . . X
    . X . X X X X X o X . X O
    . X . X o . . . o X X O O
    . . X o . . X X o X O O .
    . . X o o o . o X X O . O
    . . X o . . . o . . X O O
    . X . X o o X . . . X O X
    . o X . X X . X . X X X X
    . o X X . . . . . . . . .
    . o X . . . . . . . . . .
    . X . . . . . . . . . . .
"""
SMALL_SEKI = """
    . . O B . W
    . . O B . W
    . O O B W W
    . O X W W X
    . O X X X X
    . O X . X .
"""
TO_BE_CAPTURED = """
    X . X X O O O . .
    X X X X X O O . .
    . X O X O O . O .
    X X O O . O x O .
    . X X O . O . . .
    . . X O . O . . .
    . X X O O . O . .
    . X O O . O . . .
    . X O . . . . . .
"""


@pytest.mark.parametrize("drawing", [A_DEAD_CHAIN_AROUND, NEITHER_TAKEN_NOR_ALIVE, SMALL_SEKI, TO_BE_CAPTURED], ids=[19, 13, 6, 9])
def test_positions_that_were_judged_wrong(drawing: str, diagram: Diagram) -> None:
    game = drawn(drawing, diagram, JAPANESE)
    verdict = judge(game)
    assert told(game, verdict) == plain(drawing)
    assert verdict.is_settled or game.size > 9, "the two large games were not over when they ended"


@pytest.mark.parametrize("seed", range(12))
def test_of_two_chains_that_touch_one_lives(seed: int) -> None:
    """In positions that random moves have made, full of stones in atari and shared eyes."""
    dice = np.random.default_rng(seed)
    game = Game(6)
    for _ in range(50):
        legal = game.legal_points(game.to_play)
        game.play(game.to_play, int(dice.choice(legal)) if legal else PASS)
    hopeless = judge(game).hopeless
    for point in hopeless:
        others = {other for other in stones_beside(game, [point]) if game.color_at(other) == opponent(game.color_at(point))}
        assert others.isdisjoint(hopeless)


def test_no_proof_rests_on_what_is_not_true(diagram: Diagram) -> None:
    game = drawn(A_DEAD_CHAIN_AROUND, diagram, JAPANESE)
    statuses = Statuses(game, estimate_ownership(game, playout_policy(SearchParams())), 10_000)
    statuses.find(1_000)
    assert statuses.claims
    assert all(statuses.life(point) > 0 for claim in statuses.claims for point in claim.relies)


def test_claims_that_deny_each_other_do_not_count(diagram: Diagram) -> None:
    """Each says that the other's chain is taken, and relies on its own. The witness has no idea."""
    game = diagram("X X O O\n. . . .\n. . . .\n. . . .")
    statuses = Statuses(game, np.zeros(POINTS), 0)
    black, white = frozenset(game.stones(BLACK)), frozenset(game.stones(WHITE))
    claims = [Claim(black, WHITE, white, NOTHING), Claim(white, BLACK, black, NOTHING)]
    assert statuses.consistent(claims) == []
    statuses.witness = np.full(POINTS, 0.5)  # Black lives, so White is taken
    assert statuses.consistent(claims) == [claims[1]]


@pytest.mark.parametrize(("around", "white_owns"), [(WHITE, True), (BLACK, False)])
def test_only_what_dead_stones_enclose_is_their_takers(around: int, white_owns: bool, diagram: Diagram) -> None:
    """The white stone is in the space of a proof; whose it is goes by what is proved of the chain around it, else by the witness."""
    game = diagram("O X . . .\n. X . . .\nX X . . .\n. . . . .\n. . . . .")
    statuses = Statuses(game, np.full(POINTS, 0.9), 0)
    (corner,), chain = game.stones(WHITE), frozenset(game.stones(BLACK))
    space = frozenset(board_points(5))
    statuses._count([Claim(frozenset({0}), WHITE, NOTHING, space, takers=chain), Claim(chain, around, NOTHING, NOTHING)])
    assert statuses._is_within_dead(frozenset({corner})) is white_owns


# ---------------------------------------------------------------- a network as a witness


@pytest.mark.parametrize(("agrees", "is_settled"), [(True, True), (False, False)])
def test_a_network_that_disagrees_unsettles(agrees: bool, is_settled: bool, diagram: Diagram) -> None:
    game = drawn(SETTLED["two territories"], diagram)
    owners = judge(game).ownership
    assert judge(game, owners if agrees else -owners).is_settled is is_settled


def test_a_verdict_is_kept_while_the_position_stands(diagram: Diagram) -> None:
    game = drawn(SETTLED["two eyes"], diagram)
    asked: list[Game] = []
    keeper = Verdicts(lambda position: asked.append(position))
    first = keeper.verdict(game)
    assert keeper.verdict(game.copy()) is first and len(asked) == 1
    game.rules = JAPANESE
    assert keeper.verdict(game) is not first
    game.rules = CHINESE
    game.play(game.to_play, PASS)
    keeper.verdict(game)
    assert len(asked) == 3
    keeper.forget()
    keeper.verdict(game)
    assert len(asked) == 4


# ---------------------------------------------------------------- where every stone counts as alive


def test_the_winner_captures_before_it_passes(diagram: Diagram) -> None:
    """White wins without it, and wins more with it; Black can do nothing, and passes."""
    board = TO_BE_CAPTURED
    game = drawn(board, diagram, TROMP_TAYLOR, WHITE)
    verdict = judge(game)
    assert verdict.is_decided and not verdict.is_settled
    engine = Engine(SearchParams(playouts=50, seed=1, memory=16, threads=1, resign=False), game.rules, 7.5, game.size)
    engine.state.set_game(game)
    score = engine.score()
    while engine.genmove(WHITE) != PASS:
        engine.state.play(BLACK, PASS)
    assert game.color_at(from_vertex("G6", 9)) != BLACK
    assert SIGN[WHITE] * (engine.score() - score) > 0
