"""Problems without marks: all likely questions are asked, with more and more nodes, until the one that decides most is answered."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.engine.solver.guess import Guess, Guesser
from gtp_engine.engine.solver.problem import Problem
from gtp_engine.engine.solver.question import Budget, FirstMoves
from gtp_engine.engine.solver.region import Region, RegionError, make_region
from gtp_engine.engine.solver.report import Solution
from gtp_engine.engine.solver.status import Outcome, Report, Solver, is_better, status_of
from gtp_engine.go.game import Game
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, WHITE, to_color_name, vertices

FIRST_NODES, SECOND_NODES = 4_096, 12_000  # of each question in the first rounds
GROWTH = 6  # times as many nodes in each round after those
ENOUGH = 0.6  # share of the stones of an unanswered question: an answer about so many is accepted as what was meant
TRUSTED = 4  # stones at stake: with fewer, another question was often meant, and a search that disagrees is right more often than the proof


@dataclass
class Case:
    """One guess, searched in its regions one after the other."""

    game: Game
    guess: Guess
    side: int  # who plays first in the problem: ATTACKER or DEFENDER
    budget: Budget
    first_moves: FirstMoves | None = None  # see Question
    step: int = 0  # index of the region
    solver: Solver | None = None
    unsettled: "AnsweredQuestion | None" = None  # the answer in the largest solved region, if the first move decides there
    settled: "AnsweredQuestion | None" = None  # the same, if it does not

    @property
    def is_over(self) -> bool:
        """True if every region was solved or can't be searched."""
        return self.step >= len(self.guess.regions)

    @property
    def value(self) -> float:
        """The gain of the first move in stones, as far as it is known."""
        return self.unsettled.value if self.unsettled else 0.0

    def search(self) -> None:
        """Continue with the budget's nodes for each question."""
        while not self.is_over and not self.budget.is_over():
            if self.solver is None:
                region = region_of(self.game, self.guess, self.guess.regions[self.step])
                if region is None:
                    self.step += 1
                    continue
                self.solver = Solver(self.game, region, self.budget, self.first_moves)
            reports = [self.solver.outcome(side, False) for side in (self.side, 1 - self.side)]
            if Outcome.UNKNOWN in (reports[0].outcome, reports[1].outcome):
                return
            self.take(self.solver, reports[0], reports[1])
            self.solver = None
            self.step += 1

    def take(self, solver: Solver, report: Report, passed: Report) -> None:
        """Keep the result of one region, in place of that of a smaller one."""
        report.line = list(solver.line(report))
        if not is_better(report, passed):
            self.unsettled, self.settled = None, AnsweredQuestion(self.guess, solver, report, passed)
            return
        solver.find_moves(report)
        if not report.moves:  # there were no nodes left for it
            report.moves, report.moves_are_complete = report.line[:1], False
        self.unsettled, self.settled = AnsweredQuestion(self.guess, solver, report, passed), None


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question and its answer, usually one that the first move decides."""

    guess: Guess
    solver: Solver
    report: Report  # the side that plays first in the problem plays
    passed: Report  # the other side plays first

    @property
    def value(self) -> float:
        """The gain of the first move in stones."""
        is_ko = Outcome.KO in (self.report.outcome, self.passed.outcome)
        return self.guess.value * (0.8 if is_ko else 1.0)


def region_of(game: Game, guess: Guess, playable: frozenset[int]) -> Region | None:
    """The region with these empty points; None if it is too large or the targets can't be taken in it."""
    try:
        region = make_region(game, set(guess.targets), guess.attacker, set(playable), safe_area(game, BLACK) | safe_area(game, WHITE))
    except RegionError:
        return None
    return region if region.targets.bit_count() == len(guess.targets) else None


def ask_everything(
    game: Game, color: int, budget: Budget, threads: int = 1, first_moves: FirstMoves | None = None, may_be_settled: bool = False
) -> AnsweredQuestion | None:
    """The question that decides most when `color` plays first; None if the budget is used up before one is answered.

    With `may_be_settled`, if no first move decides anything: the largest question with the same outcome whoever plays first.
    An answer isn't final before the largest region of its question was searched: with more room, fewer first moves are right.
    `threads` questions are searched at a time. The budget's nodes are for each question, its seconds for all.
    `first_moves`: a network's policy for the position, see Question.
    """
    guesses = Guesser(game).guesses()
    sides = [ATTACKER if guess.attacker == color else DEFENDER for guess in guesses]
    cases = [Case(game, guess, side, budget, first_moves) for guess, side in zip(guesses, sides, strict=True)]
    best: Case | None = None
    with ThreadPoolExecutor(threads) as pool:
        for nodes in rounds(budget.nodes):
            budget.nodes = nodes
            search_all(cases, pool, budget)
            best = max((case for case in cases if case.unsettled), key=lambda case: case.value, default=None)
            open_value = max((case.guess.value for case in cases if not case.is_over and case.unsettled is None), default=0)
            if budget.is_over() or all(case.is_over for case in cases) or (best and best.is_over and best.value >= ENOUGH * open_value):
                break
    if best is None and may_be_settled and all(case.is_over for case in cases):
        best = max((case for case in cases if case.settled), key=lambda case: case.guess.value, default=None)
        return best.settled if best else None
    return best.unsettled if best else None


def search_all(cases: Sequence[Case], pool: ThreadPoolExecutor, budget: Budget) -> None:
    """Continue all cases; after Ctrl-C those in progress end soon."""
    try:
        for _ in pool.map(Case.search, cases):
            pass
    except BaseException:
        budget.stop()
        raise


def answer_move(answered: AnsweredQuestion | None, likely: Sequence[int]) -> int | None:
    """The proved first move to answer with; None if none is proved, or if so little is at stake that the search is better trusted.

    `likely`: a search's moves, best first. Of several proved moves, the first of these is taken.
    """
    if answered is None:
        return None
    for move in likely:
        if move in answered.report.moves:
            return move
    return answered.report.line[0] if answered.guess.value >= TRUSTED and answered.report.line else None


def rounds(most: int) -> Iterator[int]:
    """The numbers of nodes of the rounds, growing up to `most`."""
    nodes, following = FIRST_NODES, SECOND_NODES
    while nodes < most:
        yield nodes
        nodes, following = following, GROWTH * following
    yield most


def solution_of(problem: Problem, color: int, answered: AnsweredQuestion, seconds: float) -> Solution:
    """The solution with the question that was answered for `color` to play first, found in so many seconds."""
    solver, report, passed = answered.solver, answered.report, answered.passed
    solver.reports = {report.side: report, passed.side: passed}
    passed.line = list(solver.line(passed))
    region = solver.region
    status = status_of([report, passed])
    assumed = f"nothing is marked; assumed question: the status of {stones_text(region)} when {to_color_name(color)} plays first"
    return Solution(problem, region, solver, status, seconds, assumed)


def stones_text(region: Region) -> str:
    """`black's 5 stones A1 A2 A3 A4 A5`."""
    stones = [point for i, point in enumerate(region.points) if region.targets >> i & 1]
    names = vertices(stones)
    return f"{to_color_name(region.color(DEFENDER))}'s {'stone' if len(stones) == 1 else f'{len(stones)} stones'} {names}"
