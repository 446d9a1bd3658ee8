"""The status of targets: the outcome with either side first, the moves that decide, and a line of play. Each part is proved.

Kos: a question is first asked without ko threats on either side. If kos occur, it is asked again with the loser winning every ko. If that
changes the answer, the outcome is a ko, and the loser of the first answer must find the first threat.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, DEFENDER, NEITHER, TWO_EYES
from gtp_engine.engine.solver.fixpoint import UNREACHED
from gtp_engine.engine.solver.graph import PASS_MOVE
from gtp_engine.engine.solver.question import Answer, Budget, FirstMoves, Question, Rule
from gtp_engine.engine.solver.region import Region
from gtp_engine.go.game import Game

SIDES = (ATTACKER, DEFENDER)


class Outcome(Enum):
    """The outcome for the targets with one side to play first, from best to worst for the attacker."""

    DEAD = "dead"  # taken against every defense, kos included
    KO = "ko"  # depends on who wins a ko
    SEKI = "seki"  # not taken, kos included, but without two safe eyes
    ALIVE = "alive"  # not taken, and safe even if the defender then always passes; or not taken because of endless repetition
    LIVES = "lives"  # not taken; the budget was used up before it was known whether by two eyes or by seki
    UNKNOWN = "unknown"  # the budget was used up before


class Status(Enum):
    """The answer in one word."""

    ALIVE = "alive"
    DEAD = "dead"
    UNSETTLED = "unsettled"  # depends on who plays first, without ko
    KO = "ko"  # a ko with at least one side first
    SEKI = "seki"
    LIVES = "lives"  # alive or seki
    UNKNOWN = "unknown"


@dataclass
class Report:
    """The outcome for the targets when `side` plays first."""

    side: int  # ATTACKER or DEFENDER
    outcome: Outcome
    shown_by: Rule  # the question whose proof shows the outcome; in a ko, how the ko arises
    answer: Answer  # to that question
    first_threat: int | None = None  # with KO: the side that must find the first ko threat
    repeats: bool = False  # with ALIVE: only because the fight never ends (double ko), which superko may forbid
    moves: list[int] = field(default_factory=list)  # the first moves that reach the outcome, if a pass would not
    moves_are_complete: bool = True  # False: the budget was used up before every move was tried
    line: list[int] = field(default_factory=list)  # a line of play from here: points of the board and PASS_MOVE


class Solver:
    """Solves one region of a game's position. Its questions share the budget's time; each has its own nodes.

    `first_moves`: a network's policy for the position, see Question.
    """

    def __init__(self, game: Game, region: Region, budget: Budget, first_moves: FirstMoves | None = None) -> None:
        self.game, self.region, self.budget, self.first_moves = game, region, budget, first_moves
        self.questions: dict[Rule, Question] = {}
        self.reports: dict[int, Report] = {}

    def question(self, rule: Rule) -> Question:
        """The question with this goal and ko winner. The same object each time, so that it keeps its results."""
        if rule not in self.questions:
            self.questions[rule] = Question(self.game, self.region, rule, self.budget, self.first_moves)
        return self.questions[rule]

    def node_count(self) -> int:
        """The number of positions in all questions together."""
        return sum(question.node_count for question in self.questions.values())

    def ask(self, rule: Rule, side: int) -> Answer:
        """The answer with `side` to play first."""
        question = self.question(rule)
        return question.ask(question.start(side))

    # ---------------------------------------------------------------- outcomes

    def solve(self, sides: tuple[int, ...] = SIDES) -> Status:
        """Fill `reports` for these sides to play first, and the status. With one side only, the status is that side's outcome."""
        for side in sides:
            self.reports[side] = self.outcome(side)
        for side in sides:
            report, passed = self.reports[side], self.reports.get(1 - side)
            if passed is not None and is_better(report, passed):
                self.find_moves(report)
            report.line = list(self.line(report))
        return status_of([self.reports[side] for side in sides])

    def outcome(self, side: int, asks_life: bool = True) -> Report:
        """The report for `side` to play first. It tells life from seki only with `asks_life`."""
        rule = (CAPTURE, NEITHER)
        answer = self.ask(rule, side)
        if answer is Answer.UNKNOWN:
            return Report(side, Outcome.UNKNOWN, rule, answer)
        loser = DEFENDER if answer is Answer.YES else ATTACKER
        if self.question(rule).has_kos:
            rule = (CAPTURE, loser)
            with_threats = self.ask(rule, side)
            if with_threats is Answer.UNKNOWN:
                return Report(side, Outcome.UNKNOWN, rule, with_threats)
            if with_threats is not answer:
                shown_by = rule if loser == side else (CAPTURE, NEITHER)
                return Report(side, Outcome.KO, shown_by, Answer.YES if side == ATTACKER else Answer.NO, first_threat=loser)
        if answer is Answer.YES:
            return Report(side, Outcome.DEAD, rule, answer)
        return self.life(side, rule) if asks_life else Report(side, Outcome.LIVES, rule, Answer.NO)

    def life(self, side: int, rule: Rule) -> Report:
        """The report for targets that are alive or in seki: `rule` has shown that they are not taken, whoever has ko threats."""
        eyes = (TWO_EYES, NEITHER)
        answer = self.ask(eyes, side)
        if answer is Answer.YES:
            return Report(side, Outcome.ALIVE, eyes, answer)
        question = self.question(rule)
        if question.distances(Answer.NO)[question.start(side)] == UNREACHED:
            return Report(side, Outcome.ALIVE, rule, Answer.NO, repeats=True)
        return Report(side, Outcome.SEKI if answer is Answer.NO else Outcome.LIVES, rule, Answer.NO)

    # ---------------------------------------------------------------- moves

    def find_moves(self, report: Report) -> None:
        """Fill in the first moves that reach the outcome."""
        tests: list[tuple[Rule, Answer]] = []
        while tests != self.move_tests(report):  # a move may lead to the first ko
            tests = self.move_tests(report)
            report.moves, report.moves_are_complete = self.moves_that_pass(tests, report.side)

    def moves_that_pass(self, tests: list[tuple[Rule, Answer]], side: int) -> tuple[list[int], bool]:
        """(moves, are_complete): the first moves of `side` after which every question has its answer in `tests`."""
        after = [self.moves(rule, side) for rule, _ in tests]
        moves, are_complete = [], True
        for point in after[0]:
            answers = [self.question(rule).ask(nodes[point]) for (rule, _), nodes in zip(tests, after, strict=True)]
            if Answer.UNKNOWN in answers:
                are_complete = False
            elif answers == [expected for _, expected in tests]:
                moves.append(point)
        return moves, are_complete

    def move_tests(self, report: Report) -> list[tuple[Rule, Answer]]:
        """The questions, with their answers, that a move must pass to reach the outcome."""
        eyes = (TWO_EYES, NEITHER)
        has_kos = self.question((CAPTURE, NEITHER)).has_kos
        survival = ((CAPTURE, ATTACKER if has_kos else NEITHER), Answer.NO)
        if report.outcome is Outcome.ALIVE and not report.repeats:
            return [(eyes, Answer.YES), survival]  # two eyes that need a ko are not enough
        if report.outcome is Outcome.SEKI:
            return [(eyes, Answer.NO)] if report.side == ATTACKER else [survival]
        if report.outcome is Outcome.DEAD:
            return [((CAPTURE, DEFENDER if has_kos else NEITHER), Answer.YES)]
        return [(report.shown_by, report.answer)]

    def moves(self, rule: Rule, side: int) -> dict[int, int]:
        """The node after each first move of `side`, without passes."""
        question = self.question(rule)
        start = question.start(side)
        question.expand(start)
        return {point: node for point, node in question.children(start) if point != PASS_MOVE}

    # ---------------------------------------------------------------- a line of play

    def line(self, report: Report) -> Iterator[int]:
        """A line of play by the proof of a report."""
        if report.answer is Answer.UNKNOWN:
            return iter(())
        question = self.question(report.shown_by)
        return line_from(question, question.start(report.side), report.answer)

    def tries(self, report: Report) -> Iterator[tuple[int, list[int]]]:
        """(point, line) for each first move that doesn't reach the report's outcome; the line refutes it."""
        if not report.moves:
            return
        for rule, expected in self.move_tests(report):
            question = self.question(rule)
            for point, node in self.moves(rule, report.side).items():
                answer = question.known(node)
                if point not in report.moves and answer not in (expected, Answer.UNKNOWN):
                    yield point, list(line_from(question, node, answer))


def line_from(question: Question, node: int, answer: Answer) -> Iterator[int]:
    """A line of play by a proof, the winner's shortest and the loser's longest way. Ends when the game is decided or a position repeats."""
    distances = question.distances(answer)
    visited = set[int]()
    while node not in visited:
        visited.add(node)
        choice = best_child(question, node, distances, answer)
        if choice is None:
            return
        yield choice[0]
        node = choice[1]


def best_child(question: Question, node: int, distances: np.ndarray, answer: Answer) -> tuple[int, int] | None:
    """(point, node) of the proof's move at this node; None at the end."""
    children = question.children(node)
    winner = question.prover if answer is Answer.YES else 1 - question.prover
    if question.side_to_play(node) != winner:
        moves = [child for child in children if child[0] != PASS_MOVE] or children
        return max(moves, key=lambda child: int(distances[child[1]]), default=None)
    right = [child for child in children if question.known(child[1]) is answer]
    return min(right, key=lambda child: int(distances[child[1]]), default=None)


def is_better(report: Report, passed: Report) -> bool:
    """True if this outcome is better for the side to play first than the outcome `passed` of a pass."""
    if Outcome.UNKNOWN in (report.outcome, passed.outcome):
        return False
    gain = rank(report) - rank(passed)
    return gain < 0 if report.side == ATTACKER else gain > 0


def rank(report: Report) -> int:
    """The rank of an outcome, better for the defender first. A ko is worse for the side that must find the first threat."""
    if report.outcome is Outcome.KO:
        return 1 if report.first_threat == DEFENDER else 2
    return {Outcome.DEAD: 0, Outcome.SEKI: 3, Outcome.LIVES: 3, Outcome.ALIVE: 4, Outcome.UNKNOWN: 0}[report.outcome]


def status_of(reports: list[Report]) -> Status:
    """The status that follows from these outcomes."""
    outcomes = {report.outcome for report in reports}
    for outcome in (Outcome.UNKNOWN, Outcome.KO):
        if outcome in outcomes:
            return Status(outcome.value)
    if len(outcomes) == 1:
        return Status(outcomes.pop().value)
    return Status.LIVES if Outcome.LIVES in outcomes and Outcome.DEAD not in outcomes else Status.UNSETTLED
