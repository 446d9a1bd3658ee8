"""Framed problems: how they are told from games, and who searches them."""

import pytest
from conftest import draw_game
from drawings import LOST_BESIDE, SEKI
from readings import engine

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.evaluator import PlayoutEvaluator
from gtp_engine.engine.search.params import MOST_PACKED
from gtp_engine.go.game import Game
from gtp_engine.go.packed import packed_share
from gtp_engine.go.points import WHITE


def evaluator_of(built: Engine) -> type:
    """What evaluates the position in which the engine has searched last."""
    return type(built._search._search._evaluator)


def test_framed_problems_are_left_to_playouts() -> None:
    """The network has seen games only; a position like one from a game is still its own, whoever asks for it by name gets it."""
    assert packed_share(draw_game(SEKI)) > MOST_PACKED > packed_share(draw_game(LOST_BESIDE))
    kinds = []
    for drawing, size, evaluator in ((SEKI, 13, "auto"), (LOST_BESIDE, 9, "auto"), (SEKI, 13, "mixed")):
        built = engine(drawing, WHITE, size=size, evaluator=evaluator, playouts=20)
        built.choose_move(WHITE)
        kinds.append(evaluator_of(built) is PlayoutEvaluator)
    assert kinds == [True, False, False]


def test_packed_stones_are_counted() -> None:
    """Black A1, A2, B1 and B2; White J9: of A1 and of J9 all neighbors have their color."""
    corner = """
        . . . . . . . O O
        . . . . . . . . O
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X . . . . . . .
        X X . . . . . . .
    """
    assert packed_share(draw_game(corner)) == pytest.approx(2 / 7)
    assert packed_share(Game(9)) == 0.0
