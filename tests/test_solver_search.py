"""The solver's answers are those of exhaustive search, and its budget is kept."""

import random
from collections.abc import Callable

import pytest
from solver_reference import Reference, TooLarge, colors_of

from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, CAPTURE_ANY, DEFENDER, NEITHER, TWO_EYES
from gtp_engine.engine.solver.question import Answer, Budget, Question
from gtp_engine.engine.solver.region import Region, build_region, find_region, make_region
from gtp_engine.engine.solver.status import Solver, Status
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, STRIDE, WHITE, board_points, from_vertex, opponent, point_at
from gtp_engine.go.rules import JAPANESE

SIDES = (ATTACKER, DEFENDER)
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
    """One goal and one rule for kos, both sides first. Leaves out what is too large for the reference."""
    game, region = case
    goal, ko_winner = rng.choice((CAPTURE, CAPTURE_ANY, TWO_EYES)), rng.choice((NEITHER, ATTACKER, DEFENDER))
    reference = Reference(region, colors_on(game), goal, ko_winner, MOST_STATES)
    question = Question(game, region, (goal, ko_winner), Budget())
    for side in SIDES:
        try:
            expected = Answer.YES if reference.can_force(side) else Answer.NO
        except TooLarge:
            continue
        assert question.ask(question.start(side)) is expected, (goal, ko_winner, side, colors_on(game))
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


def test_a_hundred_regions_agree_with_exhaustive_search() -> None:
    counts = compare_many(seed=1, count=100)
    assert min(counts.values()) > 2, counts


@pytest.mark.slow
def test_ten_thousand_regions_agree_with_exhaustive_search() -> None:
    counts = compare_many(seed=2, count=10_000)
    assert min(counts.values()) > 500, counts


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
    assert Solver(game, region, Budget()).solve() is Status.DEAD


@pytest.mark.parametrize("nodes", [200, 2_000, 10_000])
def test_a_budget_is_kept(nodes: int) -> None:
    game = Game(9, JAPANESE)
    game.set_up([(BLACK, point_at(5, 5))], WHITE)
    region = make_region(game, {point_at(5, 5)}, WHITE, {point for point in board_points(9) if 0 < abs(point - point_at(5, 5)) < 65}, set())
    question = Question(game, region, (TWO_EYES, NEITHER), Budget(nodes))
    assert question.ask(question.start(ATTACKER)) is Answer.UNKNOWN
    assert nodes // 2 < question.node_count <= nodes
