"""The solver: known shapes, kos, seki, repetition, regions, budgets."""

import random

import pytest

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER, NEITHER, TWO_EYES
from gtp_engine.engine.solver.problem import read_diagram
from gtp_engine.engine.solver.question import Budget, Question
from gtp_engine.engine.solver.region import RegionError, build_region, find_region
from gtp_engine.engine.solver.report import Solution, solve
from gtp_engine.engine.solver.status import Outcome, Report, Status
from gtp_engine.go.game import Game
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, EMPTY, WHITE, board_points, from_vertex, to_vertex
from gtp_engine.go.rules import JAPANESE


def solve_drawing(drawing: str, nodes: int = 300_000) -> Solution:
    """The drawn problem with both colors first."""
    return solve(read_diagram(drawing, "drawing"), (BLACK, WHITE), Budget(nodes))


def report(solution: Solution, color: int) -> Report:
    """What was found with `color` first."""
    found = solution.report(color)
    assert found is not None
    return found


def moves(solution: Solution, color: int) -> str:
    """The first moves of `color` that reach its outcome."""
    return " ".join(map(to_vertex, report(solution, color).moves))


# ---------------------------------------------------------------- shapes

STRAIGHT_THREE = """
    . . . # O . .
    # # # # O . .
    O O O O O . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_three_points_in_a_row_are_unsettled() -> None:
    solution = solve_drawing(STRAIGHT_THREE)
    assert solution.status is Status.UNSETTLED
    assert (moves(solution, BLACK), moves(solution, WHITE)) == ("B7", "B7")
    assert [report(solution, color).outcome for color in (BLACK, WHITE)] == [Outcome.ALIVE, Outcome.DEAD]


def test_a_square_of_four_is_dead() -> None:
    assert solve_drawing(". . # O .\n . . # O .\n # # # O .\n O O O O .\n . . . . .").status is Status.DEAD


def test_a_row_of_four_is_alive() -> None:
    solution = solve_drawing(". . . . #\n # # # # #\n O O O O O\n . . . . .\n . . . . .")
    assert solution.status is Status.ALIVE
    assert not report(solution, WHITE).repeats


def test_four_points_around_the_corner_are_a_ko() -> None:
    """White takes the ko first, so Black must find the first threat."""
    solution = solve_drawing(". . . # O\n . # # # O\n # # O O O\n O O O . .\n . . . . .")
    assert solution.status is Status.KO
    white_first = report(solution, WHITE)
    assert (white_first.outcome, moves(solution, WHITE)) == (Outcome.KO, "B5")
    assert white_first.first_threat == DEFENDER
    assert report(solution, BLACK).outcome is Outcome.ALIVE


def test_stones_inside_that_neither_can_attack_are_a_seki() -> None:
    solution = solve_drawing("""
        . O O O . # O
        # # # # # # O
        O O O O O O O
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """)
    assert solution.status is Status.SEKI


def test_two_kos_that_never_end_are_told() -> None:
    """Three by three points in the corner: the attacker can keep the fight going for ever, and the target is not taken."""
    solution = solve_drawing("""
        . . . # O . .
        . . . # O . .
        . . . # O . .
        # # # # O . .
        O O O O O . .
        . . . . . . .
        . . . . . . .
    """)
    assert solution.status is Status.ALIVE
    assert report(solution, WHITE).repeats


def test_all_targets_must_be_taken() -> None:
    """White can take the stone on A1 and not the other chain, which has two eyes."""
    drawing = """
        . X . X O
        X X X X O
        O O O O O
        O . O . O
        # . O O O
    """
    game = read_diagram(drawing, "x").game
    corner, wall = from_vertex("A1", 5), from_vertex("B5", 5)
    for targets, status in (({corner}, Status.DEAD), ({wall}, Status.ALIVE), ({corner, wall}, Status.ALIVE)):
        problem = read_diagram(drawing, "x")
        problem.targets = targets
        assert solve(problem, (BLACK, WHITE), Budget()).status is status, targets
    assert game.color_at(corner) == BLACK


def test_a_race_with_equal_liberties_is_for_who_plays_first() -> None:
    solution = solve_drawing("""
        O . # O . X X
        O . # O . X X
        O O # O X X X
        O O O X X X X
        O O O X X X X
        . O O X X X .
        O . O X X . X
    """)
    assert solution.status is Status.UNSETTLED
    assert (moves(solution, BLACK), moves(solution, WHITE)) == ("E6 E7", "B6 B7")
    assert not solution.region.assumed, "both sides around have two eyes"


def test_a_line_of_play_ends_with_the_capture() -> None:
    solution = solve_drawing(STRAIGHT_THREE)
    game = read_diagram(STRAIGHT_THREE, "x", to_play=WHITE).game
    for point in report(solution, WHITE).line:
        game.play(game.to_play, point if point > 0 else 1)
    assert game.color_at(from_vertex("A6", 7)) != BLACK


# ---------------------------------------------------------------- regions and budgets


def test_stones_around_are_named_unless_they_have_two_eyes() -> None:
    solution = solve_drawing(STRAIGHT_THREE)
    assert " ".join(map(to_vertex, sorted(solution.region.assumed))) == "A5 B5 C5 D5 E5 E6 E7"
    assert "assumed to be safe, not proved: A5 B5" in solution.as_text()


def test_a_marked_region_is_taken_as_it_is() -> None:
    """Only the marked points are played on; a stone that reaches another empty point has got away."""
    problem = read_diagram(". . . # * . .\n# # # # * . .\nO O O O O . .\n" + ". . . . . . .\n" * 4, "marked")
    with pytest.raises(RegionError, match="liberties outside the region: A7 B7 C7"):
        find_region(problem.game, problem.targets, problem.marked)


@pytest.mark.parametrize(
    ("drawing", "targets", "sentence"),
    [
        (". . #\n. . .\n. . .", {"A1"}, "there is no stone on A1; name a stone"),
        (". . X\n. . .\nO . .", {"A1", "C3"}, "the targets have both colors"),
        (". . X\n. . .\nO . .", set[str](), "no stone is marked as target"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(drawing: str, targets: set[str], sentence: str) -> None:
    game = read_diagram(drawing, "x").game
    with pytest.raises(RegionError, match=sentence):
        find_region(game, {from_vertex(text, 3) for text in targets})


def test_a_region_too_large_is_refused_with_its_size() -> None:
    game = Game(19)
    game.play(BLACK, from_vertex("D4", 19))
    with pytest.raises(RegionError, match="the region has 360 empty points and 1 stones, and at most 64"):
        find_region(game, {from_vertex("D4", 19)})


def test_a_spent_budget_is_no_answer() -> None:
    drawing = ". . . . . . .\n" * 3 + ". . . # . . .\n" + ". . . . . . .\n" * 3
    solution = solve_drawing(drawing, nodes=5_000)
    assert solution.status is Status.UNKNOWN
    assert "unknown after" in solution.as_text()
    quick = solve(read_diagram(drawing, "x"), (BLACK, WHITE), Budget(10**8, seconds=0.2))
    assert quick.status is Status.UNKNOWN


# ---------------------------------------------------------------- Benson


def test_stones_that_need_no_answer_are_those_of_benson() -> None:
    """`living` on bits against the whole-board function in plain Python, on random boards with everything in the region."""
    rng = random.Random(3)
    compared = living = 0
    while compared < 150:
        size = 5
        points = list(board_points(size))
        rng.shuffle(points)
        weights = (0.75, 0.25)
        stones = [(rng.choices((BLACK, WHITE), weights)[0], point) for point in points[rng.randint(4, 7) :]]
        game = Game(size, JAPANESE)
        try:
            game.set_up(stones, WHITE)
        except ValueError:
            continue
        targets = set(game.chain_at(game.stones(BLACK)[0]))
        region = build_region(game, targets, WHITE, {p for p in board_points(size) if game.color_at(p) == EMPTY}, set())
        question = Question(game, region, (TWO_EYES, NEITHER), Budget())
        is_living = int(question.nodes[question.start(ATTACKER)]["proof"]) == 0
        assert is_living == (targets <= safe_area(game, BLACK)), game.stones(BLACK)
        compared += 1
        living += is_living
    assert 10 < living < 140
