"""Grades task 2."""

import math
import random

import pytest
from course import load

from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.explicit_tree import ExplicitTree, alternating
from gtp_engine.textbook.minimax import value
from gtp_engine.textbook.tictactoe import TicTacToe

search = load("alphabeta").search
WIDTH, DEPTH = 4, 5


def random_tree(rng: random.Random) -> ExplicitTree:
    """A game of DEPTH moves with WIDTH moves in each position."""

    def branch(depth: int) -> object:
        return rng.randint(-50, 50) if depth == 0 else [branch(depth - 1) for _ in range(WIDTH)]

    return alternating(branch(DEPTH))  # type: ignore[arg-type]  # numbers in lists in lists


@pytest.mark.parametrize("seed", range(10))
def test_it_finds_what_minimax_finds(seed: int) -> None:
    tree = random_tree(random.Random(seed))
    assert search(tree, -math.inf, math.inf) == value(tree, tree.next_player, Counter())


@pytest.mark.parametrize("seed", range(10))
def test_the_bounds_hold(seed: int) -> None:
    """With a narrow window the answer is the value, or on its side of the window."""
    rng = random.Random(seed)
    tree = random_tree(rng)
    right = value(tree, tree.next_player, Counter())
    for alpha in rng.sample(range(-50, 50), 5):
        beta = alpha + 10
        found = search(tree, alpha, beta)
        assert found == right if alpha < right < beta else (right <= found <= alpha if right <= alpha else beta <= found <= right)


def test_it_leaves_out_most_of_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer than half of the positions of tic-tac-toe after three moves that minimax looks at."""
    looked_at = 0
    apply_move = TicTacToe.apply_move

    def counted(self: TicTacToe, move: str) -> TicTacToe:
        nonlocal looked_at
        looked_at += 1
        return apply_move(self, move)

    position = TicTacToe.from_text("X.. .O. X..")
    counter = Counter()
    right = value(position, position.next_player, counter)
    monkeypatch.setattr(TicTacToe, "apply_move", counted)
    assert search(position, -math.inf, math.inf) == right
    assert looked_at < counter.nodes / 2
