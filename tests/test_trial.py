"""Problems as a book shows them, and what a person who tries to solve one is told."""

import random

import pytest
from conftest import draw_game

from gtp_engine.engine.solver.problem import Problem, parse_sgf
from gtp_engine.engine.solver.question import Budget
from gtp_engine.go.points import BLACK, WHITE, from_vertex, to_vertex
from gtp_engine.interfaces.browser.exercises import ProblemExercise
from gtp_engine.tools.problems.brought_proof import trial_of
from gtp_engine.tools.problems.natural import BookProblem, grade_of, problem_near
from gtp_engine.tools.problems.trial import Reply, Trial

# Black kills the corner with the middle of three points.
THREE_IN_A_ROW = """
    . . . O X . . . .
    O O O O X . . . .
    X X X X X . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
NEITHER_MATTERS = """
    . O . O X . . . .
    O O O O X . . . .
    X X X X X . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def drawn_trial(drawing: str, to_play: int, target: str = "") -> Trial:
    """The trial of a drawn problem."""
    game = draw_game(drawing, to_play)
    trial, reason = trial_of(Problem("drawn", game, {from_vertex(target, 9)} if target else set(), set()), Budget(50_000))
    assert trial is not None, reason
    return trial


def vertices(line: tuple[int, ...] | list[int]) -> list[str]:
    return [to_vertex(point) for point in line]


@pytest.mark.parametrize("target", ["A8", ""])
def test_a_right_move_solves_and_a_wrong_one_is_refuted(target: str) -> None:
    trial = drawn_trial(THREE_IN_A_ROW, BLACK, target)
    assert trial.goal == "kill the marked stones" and to_vertex(trial.right_move()) == "B9"
    reply = trial.play(from_vertex("A9", 9))
    assert not reply.is_right and reply.text == "The marked stones live." and vertices(reply.refutation)[0] == "B9"
    assert trial.play(from_vertex("J1", 9)) == Reply(False, text="That changes nothing in the fight.")
    assert trial.play(from_vertex("B9", 9)) == Reply(True, is_over=True, answer=from_vertex("A9", 9))  # nothing saves them now


def test_the_other_side_saves_its_stones() -> None:
    trial = drawn_trial(THREE_IN_A_ROW, WHITE, "A8")
    assert trial.goal == "save the marked stones"
    reply = trial.play(from_vertex("C9", 9))
    assert not reply.is_right and reply.text == "The marked stones are lost."
    assert trial.play(from_vertex("B9", 9)) == Reply(True, is_over=True)


def test_a_problem_that_nothing_can_be_proved_of_is_told() -> None:
    marked = Problem("drawn", draw_game(NEITHER_MATTERS, BLACK), {from_vertex("A8", 9)}, set())
    assert trial_of(marked, Budget(50_000)) == (None, "No first move could be proved to be right.")
    assert trial_of(Problem("drawn", draw_game(NEITHER_MATTERS, BLACK), set(), set()), Budget(5_000))[0] is None


@pytest.fixture(scope="module")
def problems() -> list[BookProblem]:
    """Easy and hard ones."""
    rng = random.Random(69)
    return [problem_near(rating, rng) for rating in (700.0, 900.0, 1100.0, 1300.0, 1500.0) for _ in range(3)]


def test_problems_are_small_and_grow_harder(problems: list[BookProblem]) -> None:
    assert all(1 <= len(problem.report.moves) <= 2 for problem in problems)
    assert all(len(problem.game.stones(BLACK)) + len(problem.game.stones(WHITE)) <= 28 for problem in problems)
    means = [sum(problem.rating for problem in problems[i : i + 3]) / 3 for i in (0, 3, 6, 9, 12)]
    assert means == sorted(means) and means[0] < 850 < 1350 < means[-1]
    assert (grade_of(700.0), grade_of(1200.0), grade_of(1900.0)) == ("very easy", "medium", "very hard")


def test_every_first_move_is_judged_as_the_solver_proved_it(problems: list[BookProblem]) -> None:
    for problem in problems:
        game, trial = problem.game, problem.trial()
        for point in problem.solver.region.points:
            if game.is_legal(game.to_play, point):
                trial.begin_again()
                assert trial.play(point).is_right == (point in problem.report.moves), problem.sgf()


def test_the_right_moves_lead_to_the_end(problems: list[BookProblem]) -> None:
    for problem in problems:
        exercise = ProblemExercise(problem.trial())
        assert exercise.solution()[0] in problem.report.moves
        assert set(problem.report.moves) & set(exercise.hint(random.Random(1)))
        replies: list[Reply | None] = []
        while not replies or not (replies[-1] and replies[-1].is_over):
            exercise.try_move(exercise.right_move(), replies.append)
            assert replies[-1] is not None and replies[-1].is_right and len(replies) < 20


def test_a_problem_is_the_same_after_it_was_written(problems: list[BookProblem]) -> None:
    for problem in problems:
        read = parse_sgf(problem.sgf(), "written")
        assert (read.targets, read.game.to_play) == (set(problem.targets), problem.game.to_play)
        trial, _ = trial_of(read, Budget(20_000))
        assert trial is not None and trial.report.moves == problem.report.moves
