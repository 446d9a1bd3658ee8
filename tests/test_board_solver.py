"""The solver on the engine's board: the answers of exhaustive search, and of the solver of small regions, which has no board."""

import random
from collections.abc import Callable

import pytest
from solver_reference import Reference, TooLarge, colors_of

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, STRIDE, WHITE, board_points, from_vertex, opponent, point_at, to_vertex
from gtp_engine.go.rules import JAPANESE
from gtp_engine.solver.bits import ATTACKER, CAPTURE, DEFENDER, NEITHER, TWO_EYES
from gtp_engine.solver.board_graph import CONNECT, UNLIMITED
from gtp_engine.solver.board_question import BoardQuestion, BoardSolver, join
from gtp_engine.solver.problem import read_diagram
from gtp_engine.solver.question import Answer, Budget
from gtp_engine.solver.region import Region, RegionError, build_region, find_region, make_region
from gtp_engine.solver.status import Outcome, Solver, Status

SIDES = (ATTACKER, DEFENDER)
NODES = 20_000  # of a question, where two solvers are compared
MOST_STATES = 1_200  # of the exhaustive search of one question

Diagram = Callable[..., Game]
Case = tuple[Game, Region]


def random_game(rng: random.Random, size: int, empty: tuple[int, int]) -> Game | None:
    """A small random board nearly full, after a move or two, which may take a ko or stones; None when the drawn stones are not possible."""
    points = list(board_points(size))
    rng.shuffle(points)
    game = Game(size, JAPANESE)
    try:
        game.set_up([(rng.choice((BLACK, WHITE)), point) for point in points[rng.randint(*empty) :]], BLACK)
    except ValueError:
        return None
    for _ in range(rng.randint(0, 2)):
        legal = game.legal_points(game.to_play)
        if legal:
            game.play(game.to_play, rng.choice(legal))
    return game


def random_case(rng: random.Random, size: int, empty: tuple[int, int], is_open: bool = False) -> Case | None:
    """A region of a random board with one target chain or several; `is_open`: nobody plays on some of the empty points."""
    game = random_game(rng, size, empty)
    if game is None:
        return None
    stones = [point for point in board_points(size) if game.color_at(point) != EMPTY]
    first = rng.choice(stones)
    others = [point for point in stones if game.color_at(point) == game.color_at(first) and rng.random() < 0.2]
    targets = {stone for point in [first, *others] for stone in game.chain_at(point)}
    beside = {point + step for point in targets for step in (1, -1, STRIDE, -STRIDE)}
    everything = {point for point in board_points(size) if game.color_at(point) == EMPTY}
    playable = {point for point in everything if point in beside or not is_open or rng.random() < 0.6}
    return game, build_region(game, targets, opponent(game.color_at(first)), playable, set())


def cases(seed: int, count: int, size: int, empty: tuple[int, int], is_open: bool = False) -> list[Case]:
    """So many random cases."""
    rng = random.Random(seed)
    found: list[Case] = []
    while len(found) < count:
        case = random_case(rng, size, empty, is_open)
        found += [case] if case else []
    return found


def colors_on(game: Game) -> tuple[int, ...]:
    """The board as the reference has it."""
    return colors_of(set(game.stones(BLACK)), set(game.stones(WHITE)), game.size)


def compare_with_reference(case: Case, rng: random.Random, counts: dict[str, int]) -> None:
    """One goal, one rule for kos and a number of threats, both sides first. Leaves out what is too large for the reference."""
    game, region = case
    goal, ko_winner = rng.choice((CAPTURE, CAPTURE, TWO_EYES)), rng.choice((NEITHER, ATTACKER, DEFENDER))
    threats = rng.choice((UNLIMITED, 1, 2)) if ko_winner != NEITHER else UNLIMITED
    reference = Reference(region, colors_on(game), goal, ko_winner, MOST_STATES)
    reference.threats = threats
    question = BoardQuestion(game, region, (goal, ko_winner), Budget(), threats)
    for side in SIDES:
        try:
            expected = Answer.YES if reference.can_force(side) else Answer.NO
        except TooLarge:
            continue
        assert question.ask(question.start(side)) is expected, (goal, ko_winner, threats, side, colors_on(game))
        counts[expected.value] += 1
        counts["ko"] += question.has_kos


def compare_many(seed: int, count: int) -> dict[str, int]:
    """Compare so many random positions with the reference; how many answers there were of which kind."""
    rng = random.Random(seed)
    counts = {"yes": 0, "no": 0, "ko": 0}
    for size, share, empty, is_open in ((3, 0.6, (2, 5), False), (4, 0.2, (2, 4), False), (4, 0.2, (3, 6), True)):
        for case in cases(seed, int(share * count), size, empty, is_open):
            compare_with_reference(case, rng, counts)
    return counts


def test_hundreds_of_regions_agree_with_exhaustive_search() -> None:
    counts = compare_many(seed=1, count=200)
    assert min(counts.values()) > 5, counts


@pytest.mark.slow
def test_ten_thousand_regions_agree_with_exhaustive_search() -> None:
    counts = compare_many(seed=2, count=10_000)
    assert min(counts.values()) > 500, counts


# ---------------------------------------------------------------- connections


def compare_connections(seed: int, count: int) -> dict[str, int]:
    """Compare so many random questions whether two chains can be joined; how many answers there were of which kind."""
    rng = random.Random(seed)
    counts = {"yes": 0, "no": 0}
    for size, empty in ((3, (3, 5)), (4, (3, 5))):
        for _ in range(count // 2):
            game = random_game(rng, size, empty)
            stones = game.stones(rng.choice((BLACK, WHITE))) if game else []
            ends = (rng.choice(stones), rng.choice(stones)) if stones else (0, 0)
            if game is None or game.chain_at(ends[0]) == game.chain_at(ends[1]):
                continue
            question = join(game, ends, {point for point in board_points(size) if game.color_at(point) == EMPTY}, Budget())
            reference = Reference(question.region, colors_on(game), CONNECT, NEITHER, MOST_STATES)
            reference.ends = frozenset(list(board_points(size)).index(point) for point in ends)
            for side in SIDES:
                try:
                    expected = Answer.YES if reference.can_force(side) else Answer.NO
                except TooLarge:
                    continue
                assert question.ask(question.start(side)) is expected, (ends, side, colors_on(game))
                counts[expected.value] += 1
    return counts


def test_connections_agree_with_exhaustive_search() -> None:
    counts = compare_connections(seed=3, count=200)
    assert min(counts.values()) > 10, counts


@pytest.mark.parametrize(
    ("drawing", "first", "answer"),
    [
        ("X . .\n. X .\n. . .", ATTACKER, Answer.YES),  # two ways: one for each player
        ("X . .\nO X .\n. . .", ATTACKER, Answer.NO),
        ("X . .\nO X .\n. . .", DEFENDER, Answer.YES),
    ],
)
def test_a_diagonal_is_connected_or_cut(drawing: str, first: int, answer: Answer, diagram: Diagram) -> None:
    game = diagram(drawing)
    playable = {point for point in (from_vertex("A2", 3), from_vertex("B3", 3)) if game.color_at(point) == EMPTY}
    question = join(game, (from_vertex("A3", 3), from_vertex("B2", 3)), playable, Budget())
    assert question.ask(question.start(first)) is answer


def test_stones_to_connect_must_be_two_of_one_color(diagram: Diagram) -> None:
    game = diagram("X . O\n. . .\n. . .")
    for ends in (("A3", "C3"), ("A3", "B2"), ("A1", "B1")):
        with pytest.raises(RegionError, match="two stones of one color"):
            join(game, (from_vertex(ends[0], 3), from_vertex(ends[1], 3)), set(), Budget())


# ---------------------------------------------------------------- against the solver of small regions


def outcomes(solver: Solver) -> list[tuple[str, list[str], int | None, bool]]:
    """What a solver says of both sides first."""
    solver.solve()
    reports = [solver.reports[side] for side in SIDES]
    return [(report.outcome.value, sorted(map(to_vertex, report.moves)), report.first_threat, report.repeats) for report in reports]


def compare_solvers(seed: int, count: int) -> dict[str, int]:
    """Compare whole solutions of random regions of up to twelve empty points; how often each outcome was."""
    counts: dict[str, int] = {}
    for is_open, size, empty in ((False, 4, (4, 7)), (False, 5, (5, 8)), (True, 5, (8, 12)), (True, 7, (12, 18))):
        for game, region in cases(seed, count // 4, size, empty, is_open):
            solvers = Solver(region, Budget(NODES)), BoardSolver(game, region, Budget(NODES))
            old, new = outcomes(solvers[0]), outcomes(solvers[1])
            if any(question.node_count > NODES // 2 for solver in solvers for question in solver.questions.values()):
                continue  # the budget may have been spent somewhere
            if any(repeats for *_, repeats in old + new):
                continue  # one proof rests on an endless repetition, and another may not
            assert old == new, colors_on(game)
            for outcome, *_ in new:
                counts[outcome] = counts.get(outcome, 0) + 1
    return counts


def test_whole_solutions_are_those_of_the_other_solver() -> None:
    counts = compare_solvers(seed=4, count=200)
    assert {"dead", "alive", "seki", "ko"} <= counts.keys(), counts


@pytest.mark.slow
def test_ten_thousand_solutions_are_those_of_the_other_solver() -> None:
    counts = compare_solvers(seed=5, count=10_000)
    assert min(counts.values()) > 100, counts


def test_dead_stones_are_no_friends_to_connect_with(diagram: Diagram) -> None:
    """Both black stones stand where White lives without a move; the one was taken for safe, and so for a way out of the other."""
    game = diagram("""
        O O O O O O
        X . X . . O
        O O O O O O
        . O . O . O
        O O O O O O
        . O . O . O
    """)
    region = find_region(game, [from_vertex("A5", 6)])
    assert BoardSolver(game, region, Budget()).solve() is Status.DEAD


# ---------------------------------------------------------------- kos


@pytest.mark.parametrize(
    ("drawing", "threats"),
    [
        (". . O O\nX . # O\n. O O O\nO # # .", 1),
        ("O O # #\n# . # #\n# O O O\nO . . .", 2),
    ],
)
def test_how_many_threats_a_ko_takes(drawing: str, threats: int) -> None:
    problem = read_diagram(drawing, "ko")
    playable = {point for point in board_points(4) if problem.game.color_at(point) == EMPTY}
    attacker = opponent(problem.game.color_at(min(problem.targets)))
    solver = BoardSolver(problem.game, build_region(problem.game, problem.targets, attacker, playable, set()), Budget())
    solver.solve()
    kos = [report for report in solver.reports.values() if report.outcome is Outcome.KO]
    assert [report.threats for report in kos] == [threats]


@pytest.mark.parametrize("nodes", [200, 2_000, 10_000])
def test_a_budget_is_kept(nodes: int) -> None:
    game = Game(9, JAPANESE)
    game.set_up([(BLACK, point_at(5, 5))], WHITE)
    region = make_region(game, {point_at(5, 5)}, WHITE, {point for point in board_points(9) if 0 < abs(point - point_at(5, 5)) < 65}, set())
    question = BoardQuestion(game, region, (TWO_EYES, NEITHER), Budget(nodes))
    assert question.ask(question.start(ATTACKER)) is Answer.UNKNOWN
    assert nodes // 2 < question.node_count <= nodes
