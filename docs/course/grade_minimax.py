"""Grades task 1."""

import pytest
from course import load

from gtp_engine.textbook.explicit_tree import alternating
from gtp_engine.textbook.hexapawn import Hexapawn
from gtp_engine.textbook.tictactoe import TicTacToe

best_value = load("minimax").best_value


def test_the_end_of_a_game() -> None:
    """X has won, and O would be to move: a loss for O."""
    assert best_value(TicTacToe.from_text("XXX OO. ...")) == -1


@pytest.mark.parametrize(("text", "value"), [("XX. OO. ...", 1), ("XX. O.. O..", 1), ("X.. .O. ..X", 0), ("XOX .O. ...", 0)])
def test_positions_of_tic_tac_toe(text: str, value: int) -> None:
    assert best_value(TicTacToe.from_text(text)) == value


def test_a_tree_with_numbers() -> None:
    """You choose a row, the opponent a column: the best of the rows' least numbers."""
    assert best_value(alternating([[4, -2, 5], [-3, 3, 1], [0, 3, -1]])) == -1


def test_hexapawn_is_won_by_the_second_player() -> None:
    assert best_value(Hexapawn()) == -1
