"""Grades task 4."""

import random

import pytest
from course import load

from gtp_engine.textbook.mcts import Node, most_visited
from gtp_engine.textbook.tictactoe import TicTacToe

play_round = load("uct").play_round


def searched(text: str, rounds: int) -> Node:
    """The root after so many rounds."""
    root, rng = Node(TicTacToe.from_text(text)), random.Random(1)
    for _ in range(rounds):
        play_round(root, rng)
    return root


def nodes_below(node: Node) -> list[Node]:
    """The node and all that follow it."""
    return [node, *(below for child in node.children.values() for below in nodes_below(child))]


def test_a_round_adds_a_node() -> None:
    root = searched("... ... ...", 9)
    assert len(root.children) == root.visits == 9
    assert all(child.visits == 1 and not child.children and child.parent is root for child in root.children.values())


def test_visits_and_wins_add_up() -> None:
    """Each round through a node went to one of its children, but for the first; what is won is shared out."""
    root = searched("X.. .O. ...", 300)
    for node in nodes_below(root):
        assert sum(node.wins) == pytest.approx(node.visits)
        if node.children:
            visits = sum(child.visits for child in node.children.values())
            assert visits == node.visits - (node is not root)


@pytest.mark.parametrize(("text", "move"), [("XX. OO. ...", "a1"), ("X.X .O. ...", "a2"), ("XX. .O. ...", "a3")])
def test_it_finds_the_move_that_wins_or_saves(text: str, move: str) -> None:
    position = TicTacToe.from_text(text)
    found = most_visited(searched(text, 1500)).move
    assert found in right_moves(position)


def right_moves(position: TicTacToe) -> list[str]:
    """By minimax."""
    from gtp_engine.textbook.minimax import best_moves, values_of_moves

    return best_moves(values_of_moves(position, known={}))


def test_good_moves_get_most_visits_and_none_is_given_up() -> None:
    root = searched("XX. OO. ...", 1000)
    winning = most_visited(root)
    assert winning.visits > 500
    assert all(child.visits > 3 for child in root.children.values())
