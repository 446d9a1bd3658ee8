"""What the move model makes of a node's first numbers."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from kernels_solver import order_moves_of

from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, DEFENDER, NEITHER, TWO_EYES
from gtp_engine.engine.solver.graph import PASS_MOVE
from gtp_engine.engine.solver.move_order import FIRST_WEIGHT, MOST_ADDED
from gtp_engine.engine.solver.question import Answer, Budget, FirstMoves, Question
from gtp_engine.engine.solver.region import make_region
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex, to_vertex

Diagram = Callable[..., Game]

# White's three stones on the left are in question. White can put the black stone E3 in atari on D3 and on E2.
CORNER = """
    . . . . . . .
    . . . . . . .
    . . . X X X .
    X X X O O O X
    O O O . X O X
    . . . . . O X
    . . . . . X .
"""


def question_about(game: Game, goal: int, first_moves: FirstMoves | None = None) -> Question:
    """Whether Black takes the white stones on the left, or they get two eyes, everywhere around them."""
    targets = {from_vertex(vertex, 7) for vertex in ("A3", "B3", "C3")}
    playable = {from_vertex(f"{column}{row}", 7) for column in "ABCDE" for row in (1, 2, 3)} - targets - {from_vertex("E3", 7)}
    region = make_region(game, targets, BLACK, playable, set())
    return Question(game, region, (goal, NEITHER), Budget(), first_moves=first_moves)


def first_numbers(question: Question, node: int) -> dict[str, tuple[int, int]]:
    """(proof, disproof) behind each move of a node, by vertex; without the pass."""
    return {
        to_vertex(point): (int(question.nodes[child]["proof"]), int(question.nodes[child]["disproof"]))
        for point, child in question.children(node)
        if point != PASS_MOVE
    }


def order(question: Question, node: int) -> None:
    """Order the moves of this node, which are known."""
    arrays = question.task, question.nodes, question.edges, question.positions, question.starts, question.move_judge
    order_moves_of(*arrays, node)


def numbers_around_ordering(question: Question, side: int) -> tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]]]:
    """first_numbers of the position that was given, with `side` to play, before its moves are ordered and after."""
    node = question.start(side)
    question.expand(node)
    before = first_numbers(question, node)
    order(question, node)
    return before, first_numbers(question, node)


@pytest.mark.parametrize(("goal", "side"), [(CAPTURE, ATTACKER), (CAPTURE, DEFENDER), (TWO_EYES, ATTACKER), (TWO_EYES, DEFENDER)])
def test_unlikely_moves_wait(goal: int, side: int, diagram: Diagram) -> None:
    question = question_about(diagram(CORNER, WHITE), goal)
    before, after = numbers_around_ordering(question, side)
    mine = 0 if side == question.prover else 1  # the number that the side to play wants to be small
    more = {vertex: after[vertex][mine] - before[vertex][mine] for vertex in before}
    assert all(after[vertex][1 - mine] == before[vertex][1 - mine] for vertex in before)
    assert min(more.values()) == 0
    assert 0 < max(more.values()) <= MOST_ADDED
    assert len(more) > 5


def test_an_atari_is_likelier_than_a_move_in_the_corner(diagram: Diagram) -> None:
    before, after = numbers_around_ordering(question_about(diagram(CORNER, WHITE), TWO_EYES), DEFENDER)
    assert after["E2"][0] - before["E2"][0] < after["A1"][0] - before["A1"][0]


def test_moves_that_were_searched_keep_their_numbers(diagram: Diagram) -> None:
    question = question_about(diagram(CORNER, WHITE), CAPTURE)
    node = question.start(ATTACKER)
    question.expand(node)
    searched = question.children(node)[0][1]
    question.expand(searched)
    before = question.nodes[: question.node_count].copy()
    order(question, node)
    changed = np.flatnonzero(question.nodes["proof"][: len(before)] != before["proof"])
    assert len(changed)
    assert searched not in changed


def test_two_moves_are_not_ordered(diagram: Diagram) -> None:
    game = diagram("X O . .\nX O O O\n. X X X\n. . . .", WHITE)
    targets = {from_vertex("B4", 4)}
    region = make_region(game, targets, BLACK, {from_vertex("C4", 4), from_vertex("D4", 4)}, set())
    before, after = numbers_around_ordering(Question(game, region, (TWO_EYES, NEITHER), Budget()), DEFENDER)
    assert after == before
    assert len(before) == 2


def test_the_position_is_left_as_it_was(diagram: Diagram) -> None:
    question = question_about(diagram(CORNER, WHITE), CAPTURE)
    node = question.start(ATTACKER)
    question.expand(node)
    order(question, node)
    start = question.starts[ATTACKER]
    for name in ("to_play", "last_move", "previous_move", "hash", "ko_point"):
        assert question.positions[0][name] == start[name], name


def test_the_search_comes_back_and_orders(diagram: Diagram) -> None:
    question = question_about(diagram(CORNER, WHITE), CAPTURE)
    question.ask(question.start(ATTACKER))
    assert int(question.nodes["returns"][: question.node_count].max()) > 0
    assert question.move_judge[0][0]["looks"]["move_count"] > 0, "no node was ordered"


# What a network may say of Black's first moves: E1 above all, then B2, where the move model sees nothing.
FIRST_MOVES = {BLACK: {from_vertex("E1", 7): 0.9, from_vertex("B2", 7): 0.09, from_vertex("D3", 7): 0.01, PASS: 1e-6}}


def test_a_network_orders_the_first_moves(diagram: Diagram) -> None:
    before, after = numbers_around_ordering(question_about(diagram(CORNER, WHITE), CAPTURE, FIRST_MOVES), ATTACKER)
    more = {vertex: after[vertex][0] - before[vertex][0] for vertex in before}
    assert (more["E1"], more["B2"], more["D3"]) == (0, int(FIRST_WEIGHT * math.log(10)), int(FIRST_WEIGHT * math.log(90)))
    assert {more[vertex] for vertex in more.keys() - {"E1", "B2", "D3"}} == {MOST_ADDED}


def test_where_the_network_says_nothing_the_move_model_orders(diagram: Diagram) -> None:
    """Of the other color's first moves, and of a position further on."""
    game = diagram(CORNER, WHITE)
    plain, told = question_about(game, CAPTURE), question_about(game, CAPTURE, FIRST_MOVES)
    assert numbers_around_ordering(told, DEFENDER) == numbers_around_ordering(plain, DEFENDER)
    after = []
    for question in (plain, told):
        start = question.start(ATTACKER)
        question.expand(start)
        child = next(node for point, node in question.children(start) if to_vertex(point) == "E1")
        question.expand(child)
        order(question, child)
        after.append(first_numbers(question, child))
    assert after[0] == after[1]


def test_a_bad_network_changes_no_answer(diagram: Diagram) -> None:
    game = diagram(CORNER, WHITE)
    answers = []
    for first_moves in (None, FIRST_MOVES):
        question = question_about(game, CAPTURE, first_moves)
        answers.append([question.ask(question.start(side)) for side in (ATTACKER, DEFENDER)])
    assert answers[0] == answers[1]
    assert Answer.UNKNOWN not in answers[0]
