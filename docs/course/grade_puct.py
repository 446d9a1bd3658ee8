"""Grades task 5."""

import pytest
from course import load

from gtp_engine.textbook.game import Move, Position
from gtp_engine.textbook.minimax import best_moves, values_of_moves
from gtp_engine.textbook.puct import GuidedNode, know_nothing
from gtp_engine.textbook.tictactoe import TicTacToe

play_round = load("puct").play_round
FAVORITE = "b2"


def guide(position: Position) -> tuple[dict[Move, float], float]:
    """Likes one move, and finds every position a little good for the player to move."""
    moves = position.legal_moves()
    return {move: 8.0 if move == FAVORITE else 1.0 for move in moves}, 0.25


def root_of(text: str) -> GuidedNode:
    """A root as the search makes it: priors that add up to 1, one visit."""
    position = TicTacToe.from_text(text)
    priors, value = guide(position)
    return GuidedNode(position, {move: prior / sum(priors.values()) for move, prior in priors.items()}, value)


def test_the_first_round_takes_the_likeliest_move_and_believes_the_guide() -> None:
    root = root_of("... ... ...")
    assert play_round(root, guide, 1.5) == pytest.approx(-0.25)
    assert list(root.children) == [FAVORITE]
    assert (root.visits, root.value_sum) == (2, pytest.approx(0.0))
    child = root.children[FAVORITE]
    assert (child.visits, child.value_sum) == (1, pytest.approx(0.25))
    assert sum(child.priors.values()) == pytest.approx(1.0)


def test_the_bonus_decides_which_moves_are_tried() -> None:
    """After 100 rounds the favorite has most visits, every move some; the sums are those of the rounds."""
    root = root_of("... ... ...")
    worth = [play_round(root, guide, 1.5) for _ in range(100)]
    assert root.visits == 101 and root.value_sum == pytest.approx(0.25 + sum(worth))
    visits = {move: root.visits_of(move) for move in root.priors}
    assert max(visits, key=lambda move: visits[move]) == FAVORITE
    assert min(visits.values()) >= 1 and sum(visits.values()) == 100


def test_a_finished_game_is_worth_its_result() -> None:
    """X has won; a round there is a loss for O, who would move, and is counted."""
    won = GuidedNode(TicTacToe.from_text("XXX OO. ..."), {}, -1.0)
    assert play_round(won, guide, 1.5) == -1.0
    assert (won.visits, won.value_sum) == (2, -2.0)


@pytest.mark.parametrize("text", ["XX. OO. ...", "X.. .O. X..", "XX. .O. ..."])
def test_with_a_guide_that_knows_nothing_it_finds_the_best_move(text: str) -> None:
    position = TicTacToe.from_text(text)
    moves = position.legal_moves()
    root = GuidedNode(position, dict.fromkeys(moves, 1 / len(moves)), 0.0)
    for _ in range(600):
        play_round(root, know_nothing, 1.5)
    assert max(moves, key=root.visits_of) in best_moves(values_of_moves(position, known={}))
