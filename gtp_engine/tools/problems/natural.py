"""Problems like in a book: a few stones in a corner or at a side, enclosed by the attacker, on an otherwise empty board.

Their outcome is proved with the stones of the wall assumed to be safe, as in a book. `collection` has whole boards on which a problem
decides the game.
"""

import math
import random
from dataclasses import dataclass

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.engine.solver.question import Budget
from gtp_engine.engine.solver.region import Region, RegionError, find_region
from gtp_engine.engine.solver.status import Outcome, Report, Solver
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, opponent, point_at
from gtp_engine.go.rules import CHINESE
from gtp_engine.sgf import dump_problem
from gtp_engine.tools.problems.shapes import CORNER, SIDE, Local, around, eye_space, hunt
from gtp_engine.tools.problems.trial import Trial

SIZE = 9  # lines of the board
NODES = 20_000  # of each question
MOST_EMPTY = 12  # points of a region
MOST_STONES = 28
MOST_RIGHT = 2  # first moves that solve a problem
CORNER_SHARE = 0.6  # share of the problems in a corner; the others are at a side
BASE, PER_DOUBLING, PER_MOVE = (
    300.0,
    75.0,
    40.0,
)  # of a rating: at first, for each doubling of the proof's positions, for each move of its line
GRADES = ((800.0, "very easy"), (1050.0, "easy"), (1300.0, "medium"), (1550.0, "hard"), (math.inf, "very hard"))
CLOSE = 75.0  # difference from the requested rating that is close enough
DRAWN = 30  # problems of which the nearest one is taken if none is close enough


@dataclass(frozen=True)
class BookProblem:
    """A problem and its proof."""

    game: Game
    targets: frozenset[int]
    solver: Solver
    report: Report  # of the side that plays

    @property
    def rating(self) -> float:
        """Its difficulty on the rating scale of people, estimated from the size of the proof and the length of its line."""
        return BASE + PER_DOUBLING * math.log2(self.solver.node_count()) + PER_MOVE * min(len(self.report.line), 12)

    def trial(self) -> Trial:
        """For a person to solve it."""
        return Trial(self.solver, self.report, self.game.copy(), self.targets)

    def sgf(self) -> str:
        """The position with marked targets, in the form that `gtp-engine solve` reads."""
        return dump_problem(self.game, 0.0, self.game.to_play, sorted(self.targets), grade_of(self.rating))


def grade_of(rating: float) -> str:
    """A rating in words."""
    return next(word for most, word in GRADES if rating < most)


def problem_near(rating: float, rng: random.Random) -> BookProblem:
    """A new problem for this rating."""
    drawn: list[BookProblem] = []
    while len(drawn) < DRAWN:
        problem = attempt(rng)
        if problem is not None:
            drawn.append(problem)
            if abs(problem.rating - rating) <= CLOSE:
                return problem
    return min(drawn, key=lambda problem: abs(problem.rating - rating))


def attempt(rng: random.Random) -> BookProblem | None:
    """Draw a shape and prove it; None if it is no problem."""
    local = draw(rng)
    side, defender = rng.choice((ATTACKER, DEFENDER)), rng.choice((BLACK, WHITE))
    game = walled(local, defender, side)
    stones = [point_at(*point) for point, owner in local.stones.items() if owner == DEFENDER]
    if game is None or not stones:
        return None
    chains: list[list[int]] = [game.chain_at(point) for point in sorted(stones)]
    targets = frozenset(sorted(chains, key=len)[-1])
    try:
        region = find_region(game, targets)
    except RegionError:
        return None
    if not is_one_fight(region, local, stones):
        return None
    return solved(game, targets, region, side)


def draw(rng: random.Random) -> Local:
    """An eye space, closed or with gaps, or a few stones to catch."""
    places = (CORNER,) if rng.random() < CORNER_SHARE else (SIDE,)
    kind = rng.randrange(4)
    if kind == 0:
        return eye_space(rng, SIZE, (3, 6), 0, 1, places)
    return eye_space(rng, SIZE, (3, 7), 3, 2, places) if kind < 3 else hunt(rng, SIZE, places)


def walled(local: Local, defender: int, side: int) -> Game | None:
    """The position with the attacker's stones around the fight; None if it has too many stones, or a chain without liberties."""
    colors = {DEFENDER: defender, ATTACKER: opponent(defender)}
    stones = {point: colors[owner] for point, owner in local.stones.items()}
    stones |= dict.fromkeys(around(local.inside, SIZE) - local.friends, colors[ATTACKER]) | dict.fromkeys(local.friends, defender)
    if len(stones) > MOST_STONES:
        return None
    game = Game(SIZE, CHINESE)
    try:
        game.set_up(sorted((color, point_at(*point)) for point, color in stones.items()), colors[side])
    except ValueError:
        return None
    return game


def is_one_fight(region: Region, local: Local, stones: list[int]) -> bool:
    """True if the region is small and within the wall, and all stones of the defender are part of it."""
    inside = {point_at(*point) for point in local.inside}
    return 0 < region.empty_count() <= MOST_EMPTY and set(stones) <= set(region.points) <= inside


def solved(game: Game, targets: frozenset[int], region: Region, side: int) -> BookProblem | None:
    """The problem with its proof; None if the first move doesn't matter, or not enough is proved."""
    solver = Solver(game, region, Budget(NODES))
    solver.solve()
    report, passed = solver.reports[side], solver.reports[1 - side]
    if not 0 < len(report.moves) <= MOST_RIGHT or not report.moves_are_complete or report.repeats or passed.repeats:
        return None
    if Outcome.LIVES in (report.outcome, passed.outcome):
        return None
    return BookProblem(game, targets, solver, report)
