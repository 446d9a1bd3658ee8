"""What is left to play at the end where territory counts: borders that are open, and kos that nobody has ended."""

from collections.abc import Callable

import pytest

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.verdict import judge, open_points
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.count import can_stand, closed_regions, empty_regions, find_seki, living_colors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex, opponent
from gtp_engine.go.rules import CHINESE, JAPANESE, Rules

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

# Black a makes two points of territory; after White a Black b leaves one. With E7 Black has two eyes either way.
OPEN_BORDER = """
    . O O X . X X
    . . O X X X .
    . O . O O X b
    . . O . O X a
    . . . . O O O
    . O . . . . .
    . . . . . . .
"""
# The same, when White has played a and Black b.
CLOSED_BORDER = OPEN_BORDER.replace("a", "O").replace("b", "X")
# White c takes a stone, or Black ends the ko there.
KO = """
    . . X O . . .
    X . X O . O .
    . X X O O . .
    . X c X O . .
    X . X O . . O
    . X X O . O .
    . . X O . . .
"""
# Black a takes one stone, and White three.
SNAPBACK = """
    . . . . .
    . . . . .
    . . O O .
    . O X X O
    . X O a O
"""


def regions(game: Game, point: int) -> list[set[int]]:
    """What each color surrounds after a move on the neutral region with the point."""
    colors = living_colors(game, ())
    (region,) = (each for each in empty_regions(colors, game.size) if point in each.points)
    return [set().union(*(each.points for each in closed_regions(game, colors, region, color))) for color in (BLACK, WHITE)]


def test_what_one_more_move_surrounds(diagram: Diagram, marks: Marks) -> None:
    """Of the moves that close a border the one that leaves most; White's leave nothing."""
    game, at = diagram(OPEN_BORDER), marks(OPEN_BORDER)
    assert regions(game, at["a"]) == [{at["b"], from_vertex("G6", 7)}, set()]


def test_a_border_that_can_not_be_closed_leaves_nothing(diagram: Diagram) -> None:
    """Black would be in atari."""
    game = diagram(
        """
        . . . . .
        . O . . .
        O O O O .
        X X X O .
        . . O . .
        """
    )
    assert regions(game, from_vertex("A1", 5)) == [set(), set()]


def test_a_group_whose_border_is_open_is_in_no_seki(diagram: Diagram) -> None:
    """It has one point of territory before the border is closed."""
    for drawing in (OPEN_BORDER, CLOSED_BORDER):
        assert find_seki(diagram(drawing), ()) == set()
    assert find_seki(diagram(OPEN_BORDER.replace("X . X X", "X X X X")), ()) == set()


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_an_open_border_is_not_settled_where_territory_counts(color: int, diagram: Diagram, marks: Marks) -> None:
    game = diagram(OPEN_BORDER, color, JAPANESE)
    verdict = judge(game)
    assert not verdict.is_settled
    assert marks(OPEN_BORDER)["a"] in open_points(game, color, verdict)
    assert verdict.count.owners[from_vertex("E7", 7)] == BLACK
    assert judge(diagram(CLOSED_BORDER, color, JAPANESE)).is_settled


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_border_is_closed_before_a_pass(color: int, diagram: Diagram, marks: Marks) -> None:
    """Also in answer to a pass, and by who wins."""
    engine = engine_at(diagram(OPEN_BORDER, opponent(color), JAPANESE), color)
    engine.state.play(opponent(color), PASS)
    assert engine.genmove(color) == marks(OPEN_BORDER)["a"]


def engine_at(game: Game, winner: int) -> Engine:
    """An engine that stands at `game`, with a komi by which `winner` leads."""
    engine = Engine(SearchParams(playouts=100, seed=1, memory=16, threads=1, resign=False), game.rules, 40.5, game.size)
    engine.state.komi = -60.5 if winner == BLACK else 40.5
    engine.state.set_game(game)
    return engine


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE], ids=lambda rules: rules.name)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_ko_that_nobody_has_ended_is_not_settled(color: int, rules: Rules, diagram: Diagram) -> None:
    assert not judge(diagram(KO, color, rules)).is_settled
    assert judge(diagram(KO.replace("c", "X"), color, rules)).is_settled


def test_to_take_a_ko_costs_nothing_but_not_to_take_it_back(diagram: Diagram, marks: Marks) -> None:
    """Else two kos would be taken for ever."""
    game, point = diagram(KO, WHITE, JAPANESE), marks(KO)["c"]
    assert open_points(game, WHITE, judge(game)) == {point}
    game.play(WHITE, point)
    game.play(BLACK, PASS)
    game.play(WHITE, PASS)
    assert game.is_legal(BLACK, point + 1) and game.brings_back(BLACK, point + 1) and not game.repeats_position(BLACK, point + 1)
    assert not game.brings_back(BLACK, PASS) and not game.brings_back(BLACK, from_vertex("A1", 7))
    assert open_points(game, BLACK, judge(game)) == set()


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_last_ko_is_taken_or_ended_before_a_pass(color: int, diagram: Diagram, marks: Marks) -> None:
    engine = engine_at(diagram(KO, opponent(color), JAPANESE), color)
    engine.state.play(opponent(color), PASS)
    assert engine.genmove(color) == marks(KO)["c"]


def test_who_takes_one_stone_and_loses_three_can_not_stand(diagram: Diagram, marks: Marks) -> None:
    game = diagram(SNAPBACK)
    assert not can_stand(game, BLACK, marks(SNAPBACK)["a"])
    assert can_stand(diagram(KO), WHITE, marks(KO)["c"])
    assert can_stand(game, WHITE, marks(SNAPBACK)["a"])
