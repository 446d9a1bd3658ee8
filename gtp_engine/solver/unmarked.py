"""Problems without marks: all that may be meant is asked, with more and more nodes, until the question that decides most is answered."""

from collections.abc import Iterator
from dataclasses import dataclass

from gtp_engine.go.game import Game
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, WHITE, to_color_name, to_vertex
from gtp_engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.solver.board_question import BoardSolver
from gtp_engine.solver.guess import Guess, Guesser
from gtp_engine.solver.problem import Problem
from gtp_engine.solver.question import Budget
from gtp_engine.solver.region import Region, RegionError, make_region
from gtp_engine.solver.report import Solution
from gtp_engine.solver.status import Outcome, Report, is_better, status_of

FIRST_NODES = 2_000  # of each question in the first round
GROWTH = 6  # times as many nodes in the next round
ENOUGH = 0.6  # of the stones that an unanswered question is about: with so many, an answer is taken for what was meant


@dataclass
class Case:
    """One guess, in its regions one after the other."""

    game: Game
    guess: Guess
    side: int  # who plays first in the problem: ATTACKER or DEFENDER
    budget: Budget
    step: int = 0  # which region
    solver: BoardSolver | None = None
    found: "DecidingQuestion | None" = None  # the answer in the largest region that was solved and in which the first move decides

    @property
    def is_over(self) -> bool:
        """Was every region solved, or found to be of no use?"""
        return self.step >= len(self.guess.regions)

    def search(self, nodes: int) -> None:
        """Go on with so many nodes for each question."""
        self.budget.nodes = nodes
        while not self.is_over and not self.budget.is_over():
            if self.solver is None:
                region = region_of(self.game, self.guess, self.guess.regions[self.step])
                if region is None:
                    self.step += 1
                    continue
                self.solver = BoardSolver(self.game, region, self.budget)
            reports = [self.solver.outcome(side, False) for side in (self.side, 1 - self.side)]
            if Outcome.UNKNOWN in (reports[0].outcome, reports[1].outcome):
                return
            self.take(self.solver, reports[0], reports[1])
            self.solver = None
            self.step += 1

    def take(self, solver: BoardSolver, report: Report, passed: Report) -> None:
        """Keep what was proved in one region: the larger the region, the more it counts."""
        if not is_better(report, passed):
            if self.found is not None and self.found.report.outcome is not report.outcome:
                self.found = None
            return
        if self.found is not None and self.found.report.outcome is report.outcome:
            self.step = len(self.guess.regions)  # the same in two regions
        report.line = list(solver.line(report))
        self.found = DecidingQuestion(self.guess, solver, report, passed)


@dataclass(frozen=True)
class DecidingQuestion:
    """A question in which the first move decides, and its answer."""

    guess: Guess
    solver: BoardSolver
    report: Report  # the side that plays first in the problem plays
    passed: Report  # the other side plays first

    @property
    def value(self) -> float:
        """How much the first move gains."""
        is_ko = Outcome.KO in (self.report.outcome, self.passed.outcome)
        return self.guess.value * (0.8 if is_ko else 1.0)


def region_of(game: Game, guess: Guess, playable: frozenset[int]) -> Region | None:
    """The region with these empty points; None when it is too large or the targets can't be taken in it."""
    try:
        region = make_region(game, set(guess.targets), guess.attacker, set(playable), safe_area(game, BLACK) | safe_area(game, WHITE))
    except RegionError:
        return None
    return region if region.targets.bit_count() == len(guess.targets) else None


def ask_everything(game: Game, color: int, budget: Budget) -> DecidingQuestion | None:
    """The question that decides most when `color` plays first; None when none was found within the budget."""
    guesses = Guesser(game).guesses()
    cases = [Case(game, guess, ATTACKER if guess.attacker == color else DEFENDER, budget) for guess in guesses]
    best: DecidingQuestion | None = None
    for nodes in rounds(budget.nodes):
        best = None
        for case in cases:
            case.search(nodes)
            if case.found is not None and (best is None or case.found.value > best.value):
                best = case.found
        open_value = max((case.guess.value for case in cases if not case.is_over and case.found is None), default=0)
        if budget.is_over() or open_value == 0 or (best is not None and best.value >= ENOUGH * open_value):
            break
    return best


def rounds(most: int) -> Iterator[int]:
    """Numbers of nodes, growing up to `most`."""
    nodes = min(FIRST_NODES, most)
    while True:
        yield nodes
        if nodes >= most:
            return
        nodes = min(most, nodes * GROWTH)


def solve_unmarked(problem: Problem, color: int, budget: Budget) -> Solution | None:
    """What the problem asks when `color` plays first, with its answer; None when no question was found in which that decides anything."""
    started, most = budget.clock(), budget.nodes
    found = ask_everything(problem.game, color, budget)
    if found is None:
        return None
    solver, report, passed = found.solver, found.report, found.passed
    solver.reports = {report.side: report, passed.side: passed}
    budget.nodes = most
    line = report.line
    solver.find_moves(report)
    if not report.moves:  # no time was left for it
        report.moves, report.moves_are_complete = line[:1], False
    passed.line = list(solver.line(passed))
    region = solver.region
    status = status_of([report, passed])
    assumed = f"nothing is marked: asked was what becomes of {stones_text(region)} when {to_color_name(color)} plays first"
    return Solution(problem, region, solver, status, budget.clock() - started, assumed)


def stones_text(region: Region) -> str:
    """`black's 5 stones A1 A2 A3 A4 A5`."""
    stones = [point for i, point in enumerate(region.points) if region.targets >> i & 1]
    names = " ".join(to_vertex(point) for point in stones)
    return f"{to_color_name(region.color(DEFENDER))}'s {'stone' if len(stones) == 1 else f'{len(stones)} stones'} {names}"
