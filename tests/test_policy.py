"""The heavy policy: what it suggests on drawn boards, why, and how often playouts follow."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from kernels import draw_uniform_moves
from kernels_policy import draw_policy_moves

from gtp_engine.engine.playout.explain import Suggestion, explain
from gtp_engine.engine.playout.playout import PLAYOUT_SCRATCH
from gtp_engine.engine.playout.policy import HEAVY, LIGHT, REASONS, playout_policy
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, POINTS, WHITE, opponent, to_vertex

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

KINDS = ("answer_atari", "nakade", "two_liberties", "pattern", "capture")
NEVER = SearchParams(**dict.fromkeys(KINDS, 0.0), avoid_self_atari=0.0)  # type: ignore[arg-type]  # probabilities
ALWAYS = SearchParams(**dict.fromkeys(KINDS, 1.0), avoid_self_atari=1.0)  # type: ignore[arg-type]


def play_last(game: Game, point: int, color: int) -> Game:
    """The game with the move whose answer is asked for."""
    game.play(color, point)
    return game


def suggested(game: Game, params: SearchParams = ALWAYS) -> dict[str, set[str]]:
    """The vertices suggested, by reason."""
    found: dict[str, set[str]] = {}
    for suggestion in explain(game, playout_policy(params)):
        found.setdefault(suggestion.reason, set()).add(to_vertex(suggestion.point))
    return found


def drawn(game: Game, params: SearchParams, count: int = 400) -> Counter[str]:
    """How often the next move of a playout is each vertex."""
    hits = np.zeros(POINTS, np.int64)
    draw_policy_moves(game.positions.copy(), playout_policy(params), np.zeros(1, PLAYOUT_SCRATCH), count, hits)
    return Counter({to_vertex(int(point)): int(hits[point]) for point in np.flatnonzero(hits)})


# ---------------------------------------------------------------- each suggestion, with its reason

# name: (reason, the only vertices suggested for it, the last move's color, drawing). `l` is the last move.
EXAMPLES: dict[str, tuple[str, set[str], int, str]] = {
    "the last stone stands in atari": (
        "capture the last stone",
        {"C2"},
        WHITE,
        """
        . . . . .
        . . X . .
        . X l X .
        . . . . .
        . . . . .
        """,
    ),
    "take what put us into atari": (
        "save by capture",
        {"C5"},
        WHITE,
        """
        . . . . .
        l X O X .
        . O X . .
        . . . . .
        . . . . .
        """,
    ),
    "run from atari": (
        "escape",
        {"C2"},
        WHITE,
        """
        . . . . .
        . . l . .
        . O X O .
        . . . . .
        . . . . .
        """,
    ),
    "the vital point of the space just closed": (
        "nakade",
        {"B5"},
        BLACK,
        """
        . . . l O
        X X X X O
        O O O O O
        . . . . .
        . . . . .
        """,
    ),
    "a chain with two liberties extends": (
        "extend",
        {"C2", "D3"},
        WHITE,
        """
        . . . . .
        . . l . .
        . O X . .
        . . . . .
        . . . . .
        """,
    ),
    "a capture left over from before": (
        "capture",
        {"A4"},
        WHITE,
        """
        O X . . .
        . X . . .
        . . . . .
        . . . l .
        . . . . .
        """,
    ),
}


@pytest.mark.parametrize("swap", [False, True], ids=["", "colors exchanged"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_move_is_suggested_for_its_reason(name: str, swap: bool, diagram: Diagram, marks: Marks) -> None:
    reason, expected, color, drawing = EXAMPLES[name]
    last = marks(drawing)["l"]
    if swap:
        drawing, color = drawing.translate(str.maketrans("XO", "OX")), opponent(color)
    game = play_last(diagram(drawing, color), last, color)
    assert suggested(game).get(reason) == expected


def test_atari_is_given_where_the_chain_gains_least(diagram: Diagram, marks: Marks) -> None:
    """White's last stone has two liberties; from the side of the wall it would run into the open."""
    drawing = """
        . . . . . . .
        . . . . . . .
        . . X . . . .
        . X l . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """
    game = play_last(diagram(drawing, WHITE), marks(drawing)["l"], WHITE)
    assert suggested(game)["give atari"] <= {"D4", "C3"}


def test_patterns_are_looked_for_around_both_last_moves(diagram: Diagram, marks: Marks) -> None:
    """Hane around the last two stones; nothing at the older ones."""
    drawing = """
        . . . . . . .
        . . . . . . .
        . . X l . . .
        . . . . . . .
        . X . . . . .
        . O . . . . .
        . . . . . m .
    """
    game = diagram(drawing, BLACK)
    for mark, color in (("m", BLACK), ("l", WHITE)):
        game.play(color, marks(drawing)[mark])
    around = suggested(game, replace(NEVER, pattern=1.0))["pattern"]
    assert {"D4", "D6"} <= around
    assert around <= {"C4", "D4", "E4", "E5", "E6", "D6", "C6"}


def test_a_lost_ladder_is_no_escape(diagram: Diagram, marks: Marks) -> None:
    """With ladder reading the stone is given up; without, it runs."""
    drawing = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . l . . . . .
        . . O X . . . . .
        . . . O O . . . .
        . . . . . . . . .
        . . . . . . . . .
    """
    game = play_last(diagram(drawing, WHITE), marks(drawing)["l"], WHITE)
    assert "escape" not in suggested(game)
    assert suggested(game, replace(ALWAYS, ladders=False))["escape"] == {"E4"}


def test_a_ko_that_may_not_be_retaken_is_not_suggested(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        . . X O .
        . X O l O
        . . X O .
        . . . . .
        . . . . .
    """
    game = play_last(diagram(drawing), marks(drawing)["l"], BLACK)
    ko = to_vertex(game.ko_point())
    assert ko == "C4"
    assert ko not in {vertex for vertices in suggested(game).values() for vertex in vertices}
    assert ko not in drawn(game, ALWAYS) and ko not in drawn(game, NEVER)


@pytest.mark.parametrize("name", EXAMPLES)
def test_probabilities_add_up(name: str, diagram: Diagram, marks: Marks) -> None:
    """No more than all; with every kind certain the first kind that has a move takes everything."""
    _, _, color, drawing = EXAMPLES[name]
    game = play_last(diagram(drawing, color), marks(drawing)["l"], color)
    for params in (SearchParams(), ALWAYS, NEVER):
        found: list[Suggestion] = explain(game, playout_policy(params))
        total = sum(suggestion.probability for suggestion in found)
        assert all(suggestion.reason in REASONS for suggestion in found)
        assert total == pytest.approx(1.0) if params is ALWAYS else 0.0 <= total <= 1.0
        if params is NEVER:
            assert total == 0.0


# ---------------------------------------------------------------- what playouts make of it


@pytest.mark.parametrize("name", EXAMPLES)
def test_certain_suggestions_are_followed(name: str, diagram: Diagram, marks: Marks) -> None:
    """At probability 1 playouts play what explain says, in its proportions; also at the default probabilities."""
    _, _, color, drawing = EXAMPLES[name]
    game = play_last(diagram(drawing, color), marks(drawing)["l"], color)
    for params in (ALWAYS, SearchParams()):
        expected: Counter[str] = Counter()
        for suggestion in explain(game, playout_policy(params)):
            expected[to_vertex(suggestion.point)] += suggestion.probability  # type: ignore[assignment]  # shares, not counts
        hits = drawn(game, params, 4000)
        for vertex, probability in expected.items():
            assert hits[vertex] / 4000 >= probability - 0.05, f"{vertex}: {hits}"
        if params is ALWAYS:
            assert set(hits) == {vertex for vertex, probability in expected.items() if probability > 0}


@pytest.mark.parametrize("name", EXAMPLES)
def test_at_probability_zero_playouts_are_uniform(name: str, diagram: Diagram, marks: Marks) -> None:
    _, _, color, drawing = EXAMPLES[name]
    game = play_last(diagram(drawing, color), marks(drawing)["l"], color)
    uniform = np.zeros(POINTS, np.int64)
    draw_uniform_moves(game.positions.copy(), 4000, uniform)
    hits = drawn(game, NEVER, 4000)
    assert set(hits) == {to_vertex(int(point)) for point in np.flatnonzero(uniform)}
    assert max(hits.values()) < 2 * min(hits.values())


def test_the_light_policy_is_uniform(diagram: Diagram, marks: Marks) -> None:
    """It has no suggestions, whatever the probabilities say: its playouts are those of the heavy one at probability 0."""
    assert playout_policy(replace(ALWAYS, policy="light"))["policy"] == LIGHT
    assert playout_policy(ALWAYS)["policy"] == HEAVY


def test_self_atari_is_left_out_as_often_as_asked(diagram: Diagram) -> None:
    """On A5 White would stand in atari with two stones."""
    game = diagram(
        """
        . O . . .
        X X . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        WHITE,
    )
    share = {avoid: drawn(game, replace(NEVER, avoid_self_atari=avoid), 4000)["A5"] / 4000 for avoid in (0.0, 0.5, 1.0)}
    assert share[0.0] > share[0.5] > share[1.0] == 0.0


def test_eyes_are_not_filled_and_then_it_is_time_to_pass(diagram: Diagram) -> None:
    game = diagram(
        """
        . X . X .
        X X X X X
        O O O O O
        O . O . O
        O O O O O
        """
    )
    for color in (BLACK, WHITE):
        game.positions[0]["to_play"] = color
        for params in (ALWAYS, NEVER, SearchParams()):
            assert set(drawn(game, params)) == {to_vertex(PASS)}
