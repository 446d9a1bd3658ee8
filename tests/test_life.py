"""Life and death that is proved: safe areas, and groups with one small eye space."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from drawings import TWO_HEADED_DRAGON

from gtp_engine.go.count import neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.life import Finding, Life, chains_of, enclosures, judge_eye_spaces, safe_area
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points, to_vertex
from gtp_engine.go.rules import CHINESE, JAPANESE, Rules

Diagram = Callable[..., Game]


def area(game: Game, color: int) -> set[str]:
    """The vertices of the safe area."""
    return {to_vertex(point) for point in safe_area(game, color)}


def findings(game: Game) -> dict[str, Finding]:
    """What is proved of each eye space, by the vertex of its lowest point; whoever surrounds others is taken to live."""
    everything = game.stones(BLACK) + game.stones(WHITE)
    return {to_vertex(min(finding.enclosure.points)): finding for finding in judge_eye_spaces(game, everything)}


# ---------------------------------------------------------------- safe areas


def test_two_eyes_are_safe_and_one_is_not(diagram: Diagram) -> None:
    game = diagram("""
        . X . X O
        X X X X O
        O O O O O
        . . O . .
        . . O X .
    """)
    assert area(game, BLACK) == {"A4", "B4", "C4", "D4", "A5", "B5", "C5", "D5"}
    assert area(game, WHITE) == set()


def test_dead_stones_in_an_eye_do_not_matter(diagram: Diagram) -> None:
    """The space on the left holds a white stone, and each of its empty points touches the wall."""
    game = diagram("""
        . O X . X
        X X X X X
        O O O O O
        . . O . .
        . . O . .
    """)
    assert area(game, BLACK) == {to_vertex(point) for point in board_points(5) if to_vertex(point)[1] in "45"}


def test_false_eyes_shared_by_two_chains_are_enough(diagram: Diagram) -> None:
    """The two-headed dragon: A5 and J5 are false for anybody who looks at them one by one."""
    game = diagram(TWO_HEADED_DRAGON)
    black = {to_vertex(point) for point in game.stones(BLACK)}
    assert area(game, BLACK) == black | {"A5", "J5"}
    assert {to_vertex(point) for point in game.stones(WHITE)} <= area(game, WHITE)


def test_a_false_eye_is_none(diagram: Diagram) -> None:
    game = diagram("""
        . X . X O
        X O X X O
        O O O X O
        . O O O O
        O . O . O
    """)
    assert area(game, BLACK) == set()


@pytest.mark.parametrize("seed", range(3))
def test_safe_stones_survive_anything(seed: int) -> None:
    """At the end of random games: the opponent plays alone, at random, and never takes one."""
    dice = np.random.default_rng(seed)
    game = Game(5)
    while game.passes() < 2 and len(game.moves) < 60:
        legal = game.legal_points(game.to_play)
        game.play(game.to_play, int(dice.choice([*legal, PASS])))
    for color in (BLACK, WHITE):
        safe = safe_area(game, color)
        alone = game.copy()
        for _ in range(60):
            legal = [point for point in board_points(5) if not alone.why_illegal(BLACK + WHITE - color, point)]
            alone.play(BLACK + WHITE - color, int(dice.choice([*legal, PASS])))
            alone.play(color, PASS)
        assert {point for point in safe if game.color_at(point) == color} <= set(alone.stones(color))


def slow_safe_area(game: Game, color: int) -> set[int]:
    """Benson's algorithm with sets, as its paper words it."""
    safe = chains_of(game, color)
    regions = list(enclosures(game, color, safe))
    liberties = {chain: {beside for point in chain for beside in neighbors(point, game.size)} for chain in safe}
    empty = {region: {point for point in region.points if game.color_at(point) == EMPTY} for region in regions}
    while True:
        regions = [region for region in regions if region.walls <= safe]
        vital = [(chain, region) for region in regions for chain in region.walls if empty[region] <= liberties[chain]]
        eyes = Counter(chain for chain, _ in vital)
        kept = {chain for chain in safe if eyes[chain] >= 2}
        if kept == safe:
            return {point for chain in safe for point in chain} | {point for _, region in vital for point in region.points}
        safe = kept


@pytest.mark.parametrize(("size", "games"), [(2, 20), (5, 60), (9, 8), (19, 1)])
def test_safe_area_is_that_of_the_slow_algorithm(size: int, games: int) -> None:
    """After every twentieth move of random games, played on past their end so that eyes and captures abound."""
    dice = np.random.default_rng(size)
    safe_points = 0
    for _ in range(games):
        game = Game(size)
        for move in range(3 * size * size):
            legal = game.legal_points(game.to_play)
            game.play(game.to_play, int(dice.choice(legal)) if legal else PASS)
            if move % 20 == 19 or move == 3 * size * size - 1:
                for color in (BLACK, WHITE):
                    safe = safe_area(game, color)
                    assert safe == slow_safe_area(game, color)
                    safe_points += len(safe)
    assert safe_points > 0 or size == 2


# ---------------------------------------------------------------- eye spaces


def test_one_small_eye_space_decides(diagram: Diagram) -> None:
    """A5's group has nothing but a three-point space; E1's nothing but one point."""
    game = diagram("""
        . . . X O
        X X X X O
        O O O O O
        . O . O X
        O . O X .
    """)
    assert findings(game)["A5"].life is Life.UNSETTLED
    assert findings(game)["E1"].life is Life.DEAD
    game.play(WHITE, 20 * 5 + 2)
    assert findings(game)["A5"].life is Life.DEAD


def test_nothing_is_said_of_a_group_with_another_space(diagram: Diagram) -> None:
    """Two eyes in different places, or a way out."""
    two_eyes = diagram("""
        . X . X O
        X X X X O
        O O O O O
        . O . O .
        . . . . .
    """)
    assert "A5" not in findings(two_eyes) and "C5" not in findings(two_eyes)
    way_out = diagram("""
        . X O . .
        X X O . .
        . . . . .
        . O . O .
        . . . . .
    """)
    assert "A5" not in findings(way_out)


def test_nothing_is_said_when_who_surrounds_may_die(diagram: Diagram) -> None:
    drawing = """
        . O . X O
        X X X X O
        O O O O O
        . O . O .
        O O O O O
    """
    game = diagram(drawing)
    assert findings(game)["A5"].life is Life.DEAD
    assert not [finding for finding in judge_eye_spaces(game, ()) if finding.life is not Life.ALIVE]


def test_a_living_space_and_its_invaders(diagram: Diagram) -> None:
    """Four in a row with a stone at its end live, and the stone is dead. In the seki both stay."""
    game = diagram("""
        O . . . X
        X X X X X
        O O O O O
        . O . O .
        O O O O O
    """)
    assert findings(game)["A5"].life is Life.ALIVE
    assert findings(game)["A5"].invaders_are_dead
    seki = diagram("""
        . O O O O .
        X X X X X X
        O O O O O O
        . O . O . O
        O O O O O O
        O O O O O O
    """)
    assert findings(seki)["A6"].life is Life.ALIVE
    assert not findings(seki)["A6"].invaders_are_dead


@pytest.mark.parametrize(("rules", "life"), [(JAPANESE, Life.DEAD), (CHINESE, Life.UNSETTLED)])
def test_bent_four_in_the_corner(rules: Rules, life: Life, diagram: Diagram) -> None:
    """Where stones are agreed on after the game it is dead as it stands; where it must be played out, it is a ko still to come."""
    game = diagram(
        """
        O O O . X O .
        . X X X X O O
        X X O O O O .
        O O O . O O O
        . O O O O . O
        O . O . O O O
        O O O O O O O
        """,
        BLACK,
        rules,
    )
    assert findings(game)["A6"].life is life
