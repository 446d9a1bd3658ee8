"""Safe areas: stones that nobody can ever take."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from drawings import TWO_HEADED_DRAGON

from gtp_engine.go.count import empty_regions, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.life import chains_of, safe_area
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points, to_vertex

Diagram = Callable[..., Game]


def area(game: Game, color: int) -> set[str]:
    """The vertices of the safe area."""
    return {to_vertex(point) for point in safe_area(game, color)}


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
    chain_at = {point: chain for chain in safe for point in chain}
    masked = {point: color if game.color_at(point) == color else EMPTY for point in board_points(game.size)}
    regions = [region for region in empty_regions(masked, game.size) if region.border]
    liberties = {chain: {beside for point in chain for beside in neighbors(point, game.size)} for chain in safe}
    empty = {region: {point for point in region.points if game.color_at(point) == EMPTY} for region in regions}
    while True:
        regions = [region for region in regions if all(chain_at[point] in safe for point in region.border)]
        walls = [(chain, region) for region in regions for chain in {chain_at[point] for point in region.border}]
        vital = [(chain, region) for chain, region in walls if empty[region] <= liberties[chain]]
        eyes = Counter(chain for chain, _ in vital)
        kept = {chain for chain in safe if eyes[chain] >= 2}
        if kept == safe:
            return {point for chain in safe for point in chain} | {point for _, region in vital for point in region.points}
        safe = kept


@pytest.mark.parametrize(("size", "games", "step"), [(2, 20, 20), (5, 60, 20), (9, 8, 20), (19, 1, 90)])
def test_safe_area_is_that_of_the_slow_algorithm(size: int, games: int, step: int) -> None:
    """After every `step` moves of random games, played on past their end so that eyes and captures abound."""
    dice, points = np.random.default_rng(size), list(board_points(size))
    safe_points = 0
    for _ in range(games):
        game = Game(size)
        for move in range(3 * size * size):
            drawn = dice.permutation(points)
            game.play(game.to_play, next((int(point) for point in drawn if game.is_legal(game.to_play, int(point))), PASS))
            if move % step == step - 1 or move == 3 * size * size - 1:
                for color in (BLACK, WHITE):
                    safe = safe_area(game, color)
                    assert safe == slow_safe_area(game, color)
                    safe_points += len(safe)
    assert safe_points > 0 or size == 2


# ---------------------------------------------------------------- eye spaces
