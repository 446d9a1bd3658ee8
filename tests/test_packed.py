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
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex, opponent

# Black A1, A2, B1 and B2; White J9: of A1 and of J9 all neighbors have their color.
CORNERS = """
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


def moves_to(drawing: str) -> list[tuple[int, int]]:
    """Moves that make what is drawn on an empty board, those of Black first."""
    return [(color, point) for color in (BLACK, WHITE) for point in draw_game(drawing).stones(color)]


def test_packed_stones_are_counted() -> None:
    assert packed_share(draw_game(CORNERS)) == pytest.approx(2 / 7)
    assert packed_share(Game(9)) == 0.0


def test_what_the_players_fill_in_turn_does_not_count() -> None:
    """A winner who passes while the opponent plays on must not be left to playouts, which few at a time fill their own eyes."""
    game = Game(9)
    for color, point in moves_to(CORNERS):
        if game.moves and game.moves[-1][0] == color:
            game.play(opponent(color), PASS)
        game.play(color, point)
    assert packed_share(game) == 0.0


def test_what_moves_of_one_color_after_another_make_is_set_up() -> None:
    """Clients that cannot send set-up stones send them as moves. What is played on from there changes nothing."""
    game = Game(9)
    for color, point in moves_to(CORNERS):
        game.play(color, point)
    set_up = packed_share(game)
    assert set_up > MOST_PACKED
    game.play(BLACK, from_vertex("E5", 9))
    game.play(WHITE, from_vertex("E6", 9))
    assert packed_share(game) == set_up
