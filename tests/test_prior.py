"""Priors: what the looks of a move are worth before the first simulation, on drawn boards."""

from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest

from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.engine.search.tree import ROOT
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex, opponent, to_vertex

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

NAMES = [item.name.removeprefix("prior_") for item in fields(SearchParams) if item.name.startswith("prior_")]
NOTHING = {f"prior_{name}": 0.0 for name in NAMES}


def priors(game: Game, **changes: float) -> dict[str, tuple[float, float]]:
    """(won, all) prior visits of each move for the player to move, with only the named priors switched on; moves without any left out."""
    params = SearchParams(memory=16, seed=1, threads=1, **(NOTHING | {f"prior_{name}": value for name, value in changes.items()}))  # type: ignore[arg-type]
    search = Search(params)
    search.prepare(game, game.to_play, 7.5)
    search.run(Limits(simulations=4))
    root = search._arrays.nodes[ROOT]
    first = int(root["first_child"])
    children: np.ndarray = search._arrays.nodes[first : first + int(root["child_count"])]
    return {to_vertex(int(c["move"])): (float(c["prior_wins"]), float(c["prior_visits"])) for c in children if c["prior_visits"] > 0}


# name of the prior: (the vertices that get it, drawing); `l` is the opponent's last move, X is to play
EXAMPLES = {
    "capture": (
        {"A4", "E2"},
        """
        O X . . .
        . X . . .
        . . . . X
        . . . X .
        . l . X O
        """,
    ),
    "escape": (
        {"C2"},
        """
        . . . . .
        . . l . .
        . O X O .
        . . . . .
        . . . . .
        """,
    ),
    "nakade": (
        {"B5"},
        """
        . . . l X
        O O O O X
        X X X X X
        . . . . .
        . . . . .
        """,
    ),
    "ladder": (
        {"D5"},
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X l . . . . .
        . . . X X . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
    ),
}


@pytest.mark.parametrize("swap", [False, True], ids=["", "colors exchanged"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_good_looks_are_visits_won(name: str, swap: bool, diagram: Diagram, marks: Marks) -> None:
    expected, drawing = EXAMPLES[name]
    last, player = marks(drawing)["l"], BLACK
    if swap:
        drawing, player = drawing.translate(str.maketrans("XO", "OX")), WHITE
    game = diagram(drawing, opponent(player))
    game.play(opponent(player), last)
    found = priors(game, **{name: 10.0})
    assert set(found) == expected
    assert set(found.values()) == {(10.0, 10.0)}


def test_every_move_starts_even(diagram: Diagram) -> None:
    game = Game(5)
    found = priors(game, even=8.0)
    assert len(found) == 25 + 1 and set(found.values()) == {(4.0, 8.0)}


def test_self_atari_is_visits_lost(diagram: Diagram, marks: Marks) -> None:
    """So is a pass."""
    drawing = """
        . a X . .
        X X . . .
        . . . . .
        . . . . O
        . . . O b
    """
    game, at = diagram(drawing, WHITE), marks(drawing)
    found = priors(game, self_atari=16.0)
    assert {vertex for vertex, prior in found.items() if prior == (0.0, 16.0)} >= {to_vertex(at["a"]), to_vertex(PASS)}
    assert to_vertex(at["b"]) not in found
    assert to_vertex(at["a"]) not in priors(diagram(drawing, BLACK), self_atari=16.0), "Black connects there"


def test_nearer_to_the_last_move_is_better(diagram: Diagram, marks: Marks) -> None:
    """Full visits beside it, fewer with distance, none far away; a chain is one place."""
    game = Game(9)
    game.play(BLACK, from_vertex("E5", 9))
    found = priors(game, near=12.0)
    assert found["E6"] == found["D5"] == (12.0, 12.0)
    assert found["E7"] == found["D6"] == (8.0, 8.0)
    assert found["E8"] == found["C6"] == (4.0, 4.0)
    assert "E9" not in found and "A1" not in found
    drawing = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X X X X l .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """
    game = diagram(drawing)
    game.play(BLACK, marks(drawing)["l"])
    assert priors(game, near=12.0)["A4"] == (12.0, 12.0), "beside the other end of the last stone's chain"


def test_nothing_is_near_after_a_pass() -> None:
    game = Game(5)
    game.play(BLACK, PASS)
    assert priors(game, near=12.0) == {}


def test_patterns_are_worth_visits(diagram: Diagram) -> None:
    game = diagram("""
        . . . . .
        . X O . .
        . . . . .
        . . . . .
        . . . . .
    """)
    found = priors(game, pattern=8.0)
    assert {"B3", "C3", "B5", "C5"} <= set(found) and set(found.values()) == {(8.0, 8.0)}
    assert "E1" not in found


@pytest.mark.parametrize("size", [13, 19])
def test_the_third_line_is_good_and_the_edge_bad_far_from_stones(size: int) -> None:
    found = priors(Game(size), edge=10.0)
    assert {found[f"C{row}"] for row in range(3, size - 1)} == {(10.0, 10.0)}
    assert {found[f"B{row}"] for row in range(2, size)} | {found["A1"]} == {(0.0, 10.0)}
    assert "E5" not in found
    near = Game(size)
    near.play(BLACK, from_vertex("D4", size))
    assert "C3" not in priors(near, edge=10.0) and "A1" not in priors(near, edge=10.0)


def test_small_boards_know_no_lines() -> None:
    assert priors(Game(9), edge=10.0) == {}


def test_priors_add_up(diagram: Diagram, marks: Marks) -> None:
    """Everything at once: what each gives alone, summed."""
    _, drawing = EXAMPLES["escape"]
    game = diagram(drawing, WHITE)
    game.play(WHITE, marks(drawing)["l"])
    weights = dict.fromkeys(NAMES, 8.0)
    together = priors(game, **weights)
    alone = [priors(game, **{name: 8.0}) for name in NAMES]
    for vertex, prior in together.items():
        shares = [found.get(vertex, (0.0, 0.0)) for found in alone]
        assert prior == pytest.approx(tuple(map(sum, zip(*shares, strict=True))))


def test_without_priors_no_move_has_any() -> None:
    search = Search(SearchParams(memory=16, seed=1, threads=1, priors=False))
    search.prepare(Game(5), BLACK, 7.5)
    search.run(Limits(simulations=4))
    root = search._arrays.nodes[ROOT]
    first = int(root["first_child"])
    assert not search._arrays.nodes[first : first + int(root["child_count"])]["prior_visits"].any()
