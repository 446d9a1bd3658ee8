"""Practice at the board: problems for the person's level, missed problems, mistakes of their own games, collections."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gtp_engine.engine.solver.problem import Problem, ProblemError, parse_sgf, read_problems
from gtp_engine.engine.solver.question import Budget
from gtp_engine.go.game import Game
from gtp_engine.go.points import EMPTY, from_vertex, to_color_name, to_vertex
from gtp_engine.go.rules import CHINESE
from gtp_engine.interfaces.browser.desk import Answer, BadRequest, Desk, NotPossible, Request
from gtp_engine.interfaces.browser.exercises import Exercise, MistakeExercise, ProblemExercise
from gtp_engine.interfaces.browser.game_tree import GameNode, GameTree
from gtp_engine.interfaces.browser.objections import Objections
from gtp_engine.interfaces.person.game import why_not
from gtp_engine.sgf import SgfError, dump_problem, parse
from gtp_engine.tools.practice.maker import Maker
from gtp_engine.tools.practice.notebook import MISTAKE, PROBLEM, Entry, Notebook, Notes, default_path, now
from gtp_engine.tools.problems.brought_proof import trial_of
from gtp_engine.tools.problems.natural import BookProblem, grade_of
from gtp_engine.tools.problems.trial import Reply
from gtp_engine.tools.review.development import FEWEST_GAMES, GameTally, developments, tally_from

SOURCES = PROBLEMS, MISTAKES, COLLECTION = ("problems", "mistakes", "collection")
NODES, SECONDS = 200_000, 10.0  # of the proof of a problem that wasn't generated here
MOST_PROBLEMS = 5_000  # of a collection
KOMI = 7.5


@dataclass
class Shown:
    """The displayed state of an exercise."""

    exercise: Exercise
    tree: GameTree
    node: GameNode
    text: str = ""
    verdict: str = ""  # "right", "wrong", "solved"; empty before the first try
    line: tuple[int, ...] = ()  # a refutation or the solution, from `node`
    is_judged: bool = False  # True: the first try, a hint or the solution has counted
    is_over: bool = False


class PracticeView:
    """One exercise at a time, the same on all pages. Begins with the first request; results are written to the notebook."""

    def __init__(self, desk: Desk, path: Path | None = None) -> None:
        """`path`: of the notebook; None: the person's own."""
        self.desk = desk
        self.notebook = Notebook(path or default_path())
        self._maker, self._rng = Maker(), random.Random()
        self._objections = Objections(desk)
        self._source = ""
        self._problems: list[Problem] = []  # the opened collection
        self._number = 0  # of the displayed one
        self._shown: Shown | None = None
        self._serial = 0  # of the requested exercise
        self._text = ""  # in place of an exercise
        self._notes = Notes()

    # ---------------------------------------------------------------- requests

    def do_practice(self, request: Request) -> Answer:
        """Begin with exercises of one of SOURCES, or go to the next one."""
        source = request.get("source", self._source or PROBLEMS)
        if source not in SOURCES:
            raise BadRequest(f"there are no exercises {source!r}")
        if source == COLLECTION and not self._problems:
            raise NotPossible("Open a collection of problems first.")
        self._source = source
        self._next()
        return {}

    def do_try(self, request: Request) -> Answer:
        """The person's move at `vertex`."""
        shown = self._under_way()
        try:
            point = from_vertex(str(request.get("vertex")), shown.tree.size)
        except ValueError as error:
            raise NotPossible("There is no such point.") from error
        game = shown.exercise.game
        if reason := why_not(game, point):
            raise NotPossible(reason)
        shown.line, shown.verdict, shown.text = (), "", "Looking …"

        def answer(reply: Reply | None) -> None:
            """Called when the move is judged; by then another exercise may be displayed."""
            with self.desk.lock:
                if self._shown is shown:
                    self._take(shown, point, reply)

        shown.exercise.try_move(point, answer)
        self._tell()
        return {}

    def do_hint(self, request: Request) -> Answer:
        """Mark some points, one of which is right. The exercise counts as missed."""
        shown = self._under_way()
        self._judge(shown, False)
        shown.node.marks |= dict.fromkeys(shown.exercise.hint(self._rng), "circle")
        shown.line, shown.verdict, shown.text = (), "", "One of the marked points is right."
        self._tell()
        return {}

    def do_solution(self, request: Request) -> Answer:
        """Show the solution. The exercise counts as missed."""
        shown = self._under_way()
        self._judge(shown, False)
        self._end(shown, "solution", "This is the solution.", tuple(shown.exercise.solution()))
        self._tell()
        return {}

    def do_progress(self, request: Request) -> Answer:
        """The person's progress: {"games": number of reviewed games, "fewest": number needed for a statement, "progress": rows}."""
        games = tallies_in(self.notebook.read().games)
        return {"games": len(games), "fewest": FEWEST_GAMES, "progress": [development.as_dict() for development in developments(games)]}

    def open(self, data: bytes) -> Answer:
        """Open a collection of problems: an SGF file, or drawn boards. Raises BadRequest if it has no problem."""
        refused: list[str] = []
        problems = []
        for problem in read_problems(data, "collection", refused.append):
            problems.append(problem)
            if len(problems) == MOST_PROBLEMS:
                break
        if not problems:
            raise BadRequest(f"this is no collection of problems: {refused[0] if refused else 'there is nothing in it'}")
        self._problems, self._number, self._source = problems, 0, COLLECTION
        self._next()
        return {"note": f"{len(refused)} of them could not be read." if refused else ""}

    def _under_way(self) -> Shown:
        if self._shown is None or self._shown.is_over:
            raise NotPossible("There is no exercise under way.")
        return self._shown

    # ---------------------------------------------------------------- the next exercise

    def _next(self) -> None:
        """Show another exercise, now or as soon as it is ready."""
        self._serial += 1
        self._notes = self.notebook.read()
        self._shown = None
        if self._source == COLLECTION:
            self._number = self._number % len(self._problems) + 1
            self._prove(self._problems[self._number - 1], "")
            return
        kind = PROBLEM if self._source == PROBLEMS else MISTAKE
        due = self._notes.due(kind, now())
        if due:
            self._ask_again(due[0], self._notes.entries[due[0]])
        elif kind == PROBLEM:
            self._wait("Making a problem …")
            serial = self._serial
            self._maker.want(self._notes.strength.rating, lambda problem: self._made(serial, problem))
        else:
            self._wait("No mistake is due now. Each review adds your mistakes, and missed ones come back later.")

    def _made(self, serial: int, problem: BookProblem) -> None:
        """A problem is ready."""
        with self.desk.lock:
            if serial == self._serial:
                self._show(ProblemExercise(problem.trial(), rating=problem.rating))

    def _ask_again(self, name: str, entry: Entry) -> None:
        """Show an entry of the notebook."""
        try:
            if entry.kind == PROBLEM:
                self._prove(parse_sgf(entry.sgf, name), name)
                return
            record = parse(entry.sgf, rules=CHINESE, komi=KOMI)
        except (SgfError, ProblemError):
            self._wait("The next exercise in the notebook can't be read.")
            return
        tree = GameTree.of_game(record.game, record.komi, record.rules or CHINESE)

        def judge(game: Game, point: int, deliver: Any) -> None:
            self._objections.judge(tree, game.copy(), point, deliver)

        self._show(MistakeExercise(record.game, name, entry.facts, judge), tree)

    def _prove(self, problem: Problem, name: str) -> None:
        """Show a problem once its answer is proved, or a sentence if it can't be."""
        self._wait("Looking for a proof …")
        serial = self._serial

        def work() -> None:
            """Runs in the side thread."""
            trial, reason = trial_of(problem, Budget(NODES, SECONDS))
            with self.desk.lock:
                if serial != self._serial:
                    return
                if trial is None:
                    self._shown, self._text = None, reason
                    self._tell(GameTree(problem.game, 0.0, CHINESE))
                else:
                    self._show(ProblemExercise(trial, name))

        self.desk.later(work)

    def _wait(self, text: str) -> None:
        """Show a text while there is no exercise."""
        self._shown, self._text = None, text
        self._tell()

    def _show(self, exercise: Exercise, tree: GameTree | None = None) -> None:
        """Show an exercise on the pages."""
        tree = tree or GameTree(exercise.game, 0.0, CHINESE)
        node = tree.line(tree.root)[-1]
        node.marks |= dict.fromkeys(exercise.targets, "triangle")
        self._shown = Shown(exercise, tree, node)
        self._tell()

    # ---------------------------------------------------------------- what a try leads to

    def _take(self, shown: Shown, point: int, reply: Reply | None) -> None:
        """Handle a judged move."""
        if reply is None:
            shown.text, shown.verdict = f"No proof was found for {to_vertex(point)}.", ""
        elif reply.is_right:
            self._step(shown, point)
            if reply.answer is not None:
                self._step(shown, reply.answer)
            shown.verdict, shown.text = "right", "Right. Go on."
            if reply.is_over:
                first = not shown.is_judged
                self._judge(shown, True)
                self._end(shown, "solved", reply.text or ("Solved." if first else "Solved. It will come back later."), ())
        else:
            self._judge(shown, False)
            shown.verdict, shown.text, shown.line = "wrong", reply.text, (point, *reply.refutation)
        self._tell()

    def _step(self, shown: Shown, point: int) -> None:
        """A move on the board of the exercise."""
        node = shown.node
        shown.node = shown.tree.add_move(node, node.to_play, point)
        game = shown.tree.game_at(shown.node)
        shown.node.marks = {target: "triangle" for target in shown.exercise.targets if game.color_at(target) != EMPTY}

    def _end(self, shown: Shown, verdict: str, text: str, line: tuple[int, ...]) -> None:
        shown.is_over, shown.verdict, shown.text, shown.line = True, verdict, text, line

    def _judge(self, shown: Shown, is_right: bool) -> None:
        """Count the first try, a hint or the solution; missed exercises are repeated."""
        if shown.is_judged:
            return
        shown.is_judged = True
        exercise = shown.exercise
        try:
            with self.notebook.change() as notes:
                if isinstance(exercise, ProblemExercise) and exercise.rating is not None:
                    notes.rate(exercise.rating, is_right)
                if not exercise.name and not is_right:
                    self._keep(notes, shown)
                notes.answered(exercise.name, is_right, now())
                self._notes = notes
        except OSError as error:
            self.desk.warn(f"Your practice cannot be saved in {self.notebook.path}: {error.strerror}.")

    def _keep(self, notes: Notes, shown: Shown) -> None:
        """Add a missed problem to the notebook."""
        start, exercise = shown.tree.start, shown.exercise
        text = dump_problem(start, 0.0, start.to_play, sorted(exercise.targets), "")
        exercise.name = f"problem-{start.positions[0]['hash']:016x}"
        notes.add(exercise.name, PROBLEM, text, {}, now())

    # ---------------------------------------------------------------- telling

    def _tell(self, tree: GameTree | None = None) -> None:
        self.desk.tell(practice=self.state(tree))

    def state(self, tree: GameTree | None = None) -> dict[str, Any] | None:
        """The state for the pages; `tree`: a position without an exercise. None before the first request."""
        if not self._source:
            return None
        shown, strength = self._shown, self._notes.strength
        state: dict[str, Any] = {
            "source": self._source,
            "count": [self._number, len(self._problems)],
            "rating": round(strength.rating),
            "range": round(2 * strength.deviation),
            "solved": self._notes.solved,
            "missed": self._notes.missed,
            "due": {kind: len(self._notes.due(kind, now())) for kind in (PROBLEM, MISTAKE)},
            "kept": {kind: sum(entry.kind == kind for entry in self._notes.entries.values()) for kind in (PROBLEM, MISTAKE)},
            "title": "",
            "text": self._text,
            "verdict": "",
            "isOver": True,
            "tree": tree.as_dict() if tree is not None else None,
            "node": 0,
        }
        if shown is None:
            return state
        rating = getattr(shown.exercise, "rating", None)
        return state | {
            "title": shown.exercise.title,
            "grade": grade_of(rating) if rating is not None else "",
            "text": shown.text,
            "verdict": shown.verdict,
            "isOver": shown.is_over,
            "line": [to_vertex(point) for point in shown.line],
            "lineColor": to_color_name(shown.node.to_play),
            "tree": shown.tree.as_dict(),
            "node": shown.node.number,
        }


def tallies_in(games: Mapping[str, Any]) -> list[GameTally]:
    """The readable tallies of the notebook."""
    tallies = []
    for game in games.values():
        try:
            tallies.append(tally_from(game))
        except (TypeError, KeyError, ValueError, AttributeError):
            continue
    return tallies
