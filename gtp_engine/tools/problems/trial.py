"""A person's attempt to solve a problem: the proof judges and answers each move."""

from copy import copy
from dataclasses import dataclass, field

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER, NEITHER
from gtp_engine.engine.solver.graph import PASS_MOVE
from gtp_engine.engine.solver.question import Answer, Budget, Question, Rule
from gtp_engine.engine.solver.region import RegionError, find_region
from gtp_engine.engine.solver.status import Outcome, Report, Solver, best_child, line_from
from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS

LINE_MOVES = 9  # of a refutation to show
SOLUTION_MOVES = 15
SETTLED_NODES = 4_000  # of the question whether the goal is already reached
SAVE = "save the marked stones"
GOALS = {  # by whether the attacker plays: the goal of the first move
    True: {Outcome.DEAD: "kill the marked stones", Outcome.KO: "get a ko for the marked stones", Outcome.SEKI: "get a seki"},
    False: {Outcome.KO: "get a ko for the marked stones", Outcome.SEKI: "get a seki"},
}


class NotProved(Exception):
    """A move can't be judged within the budget of the proof."""


@dataclass(frozen=True)
class Reply:
    """The result of a tried move."""

    is_right: bool
    is_over: bool = False  # True: the problem is solved
    answer: int | None = None  # after a right move: the opponent's answer, a point
    refutation: tuple[int, ...] = ()  # after a wrong one: the opponent's move and the continuation, points and PASS
    text: str = ""  # after a wrong one: a sentence


@dataclass
class Trial:
    """One problem, from its first move to the last one to find."""

    solver: Solver
    report: Report  # of the side that plays, with moves
    game: Game  # with the person to move; moves are played on it
    targets: frozenset[int]
    _tests: list[tuple[Rule, Answer]] = field(init=False)  # the questions that distinguish right moves from wrong ones
    _nodes: dict[Rule, int] = field(init=False)  # the current node of each question, and of each without ko threats

    def __post_init__(self) -> None:
        self.begin_again()

    def begin_again(self) -> None:
        """Go back to the position of the problem."""
        self._tests = self.solver.move_tests(self.report)
        shown = self.report.shown_by, self.report.answer
        self._tests += [shown] if shown not in self._tests else []
        rules = {tested for rule, _ in self._tests for tested in (rule, (rule[0], NEITHER))}
        self._nodes = {rule: self.solver.question(rule).start(self.report.side) for rule in rules}
        while self.game.moves:
            self.game.undo()

    @property
    def goal(self) -> str:
        """The goal in a few words."""
        goals = GOALS[self.report.side == ATTACKER]
        return goals.get(self.report.outcome, SAVE)

    def solution(self) -> list[int]:
        """A line from here to the end, points."""
        trial = copy(self)
        trial.game = self.game.copy()
        line = list[int]()
        while len(line) < SOLUTION_MOVES:
            line.append(trial.right_move())
            reply = trial.play(line[-1])
            line += [reply.answer] if reply.answer is not None else []
            if reply.is_over:
                break
        return line

    def right_move(self) -> int:
        """The move that solves the problem from here in the fewest moves."""
        point = self._right_move()
        assert point is not None  # the problem is not over
        return point

    def play(self, point: int) -> Reply:
        """Play the person's legal move. A wrong one doesn't change the position. Raises NotProved."""
        if point not in self.solver.region.points:
            return Reply(False, text="That changes nothing in the fight.")
        after = self._after(point)
        wrong = self._first_failure(after)
        if wrong is not None:
            return self._refuted(wrong, after)
        self._nodes = after
        self.game.play(self.game.to_play, point)
        answer = None if self.report.outcome is Outcome.KO else self._proofs_move()  # a ko is decided elsewhere
        if answer is None or answer == PASS_MOVE or not self.game.is_legal(self.game.to_play, answer):  # a proof may retake a ko at once
            return Reply(True, is_over=True)
        self._nodes = self._after(answer)
        self.game.play(self.game.to_play, answer)
        if self._right_move() is None:
            self._tests = [(self.report.shown_by, self.report.answer)]  # no move passes all: the question that shows the result decides
        return Reply(True, self._right_move() is None or self._is_settled(), answer)

    def _is_settled(self) -> bool:
        """True if the goal is reached whatever the person plays next."""
        standing = {point for point in self.targets if self.game.color_at(point) == self.solver.region.color(DEFENDER)}
        is_attack = self.report.side == ATTACKER
        if not standing:
            return is_attack
        try:
            region = find_region(self.game, standing)
        except RegionError:
            return False
        outcome = Solver(self.game, region, Budget(SETTLED_NODES)).outcome(1 - self.report.side, asks_life=False).outcome
        return outcome is (Outcome.DEAD if is_attack else Outcome.LIVES) and self.report.outcome is not Outcome.SEKI

    # ---------------------------------------------------------------- the proof

    def _proof(self) -> tuple[Question, int]:
        """The question that shows the result, and its current node."""
        return self.solver.question(self.report.shown_by), self._nodes[self.report.shown_by]

    def _proofs_move(self) -> int | None:
        """The proof's move from here, a point or PASS_MOVE; None if everything is decided."""
        question, node = self._proof()
        choice = best_child(question, node, question.distances(self.report.answer), self.report.answer)
        return None if choice is None else choice[0]

    def _right_move(self) -> int | None:
        """See right_move; None if no move is needed, or no legal one is known."""
        question, node = self._proof()
        distances = question.distances(self.report.answer)
        children = sorted(question.children(node), key=lambda child: int(distances[child[1]]))
        return next((point for point, _ in children if point != PASS_MOVE and self._is_right(point)), None)

    def _after(self, point: int) -> dict[Rule, int]:
        """The nodes of the questions after a move. Raises NotProved."""
        nodes: dict[Rule, int] = {}
        for rule, node in self._nodes.items():
            question = self.solver.question(rule)
            question.expand(node)
            children = dict(question.children(node))
            if point not in children:
                raise NotProved
            nodes[rule] = children[point]
        return nodes

    def _first_failure(self, after: dict[Rule, int]) -> Rule | None:
        """The question that shows that the move was wrong; None if it was right. Raises NotProved."""
        answers = {rule: self.solver.question(rule).ask(after[rule]) for rule, _ in self._tests}
        for rule, expected in self._tests:
            if answers[rule] not in (expected, Answer.UNKNOWN):
                return rule
        if answers[self.report.shown_by] is Answer.UNKNOWN:
            raise NotProved
        return None

    def _is_right(self, point: int) -> bool:
        """True if the person reaches the goal with this move."""
        try:
            return self.game.is_legal(self.game.to_play, point) and self._first_failure(self._after(point)) is None
        except NotProved:
            return False

    def _refuted(self, rule: Rule, after: dict[Rule, int]) -> Reply:
        """The opponent's refutation of a wrong move."""
        question = self.solver.question(rule)
        answer = question.known(after[rule])
        line = tuple(PASS if point == PASS_MOVE else point for point in line_from(question, after[rule], answer))[:LINE_MOVES]
        return Reply(False, refutation=line, text=self._failure_text(rule, after))

    def _failure_text(self, rule: Rule, after: dict[Rule, int]) -> str:
        """The result of a wrong move in words."""
        plain, expected = (rule[0], NEITHER), dict(self._tests)[rule]
        if rule != plain and self.solver.question(plain).ask(after[plain]) is expected:
            return "That makes it a ko, which is not needed."
        return "The marked stones live." if self.report.side == ATTACKER else "The marked stones are lost."
