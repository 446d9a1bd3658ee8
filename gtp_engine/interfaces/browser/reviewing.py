"""A review of the game at the board: all moves of the main line are judged, with results in the tree as they come."""

from datetime import date
from pathlib import Path
from threading import Thread
from typing import Any

from gtp_engine import sgf
from gtp_engine.go.points import BLACK, WHITE, to_color_name, to_vertex
from gtp_engine.interfaces.browser.desk import Answer, Desk, NotPossible, Request
from gtp_engine.interfaces.browser.findings import findings_of
from gtp_engine.interfaces.browser.game_tree import GameNode, GameTree
from gtp_engine.interfaces.person.colors import COLORS
from gtp_engine.tools.practice.mistakes import keep_review
from gtp_engine.tools.practice.notebook import Notebook
from gtp_engine.tools.review.development import tallies_of
from gtp_engine.tools.review.judge import Judge
from gtp_engine.tools.review.judged_by import usual_settings
from gtp_engine.tools.review.lessons import lessons_of
from gtp_engine.tools.review.model import GameReview, MoveReview
from gtp_engine.tools.review.moments import moments
from gtp_engine.tools.review.rank_of_moves import RankTeller
from gtp_engine.tools.review.reach import within_reach
from gtp_engine.tools.review.records import GameRecord, GameSource, read_record
from gtp_engine.tools.review.tables import ranks_as_dict, review_as_dict, summary_as_dict
from gtp_engine.tools.review.words import verdict_text

NAME = Path("game.sgf")  # of the judged record, which isn't in a file


class Stopped(Exception):
    """The review was stopped."""


class ReviewView:
    """One review at a time, in its own thread."""

    def __init__(self, desk: Desk, notebook: Notebook) -> None:
        """`notebook`: for the mistakes of the person's own colors."""
        self.desk, self._notebook = desk, notebook
        self._colors: set[int] = set()  # of the person
        self._rank_teller = RankTeller()
        self._serial = 0  # of the requested review
        self.progress: dict[str, Any] | None = None  # of the current review, and the results of the last one of this tree
        self._tree: GameTree | None = None  # the tree of that review

    def do_review(self, request: Request) -> Answer:
        """Review the line of the tree through `node`; the mistakes of `color`, one of COLORS, are kept for practice."""
        tree = self.desk.tree
        line = [node for node in tree.line(self.desk.node_of(request)) if node.move is not None or node is tree.root]
        if any(node.stones for node in tree.line(line[-1])):
            raise NotPossible("A game in which stones were set up can't be reviewed.")
        if len(line) < 2:
            raise NotPossible("There is no move to review.")
        self._colors = COLORS.get(str(request.get("color")), set())
        text = sgf.dump(tree.game_at(line[-1]), tree.komi, tree.rules, tree.players, tree.result)
        record = read_record(GameSource(NAME, 1, 1, text), tree.rules, tree.komi)
        self._serial += 1
        self._tree = tree
        Thread(target=self._work, args=(self._serial, tree, line, record), name="review", daemon=True).start()
        self._tell({"done": 0, "total": len(line), "isOver": False})
        return {}

    def do_stop(self, request: Request) -> Answer:
        """Stop the review."""
        self._serial += 1
        self._tell(None)
        return {}

    def state(self) -> dict[str, Any] | None:
        """The state for new pages."""
        return self.progress if self._tree is self.desk.tree else None

    def _tell(self, progress: dict[str, Any] | None) -> None:
        """Send the progress to the pages."""
        self.progress = progress
        self.desk.tell(review=progress)

    def _work(self, serial: int, tree: GameTree, line: list[GameNode], record: GameRecord) -> None:
        """In the review's thread."""

        def step(done: int, total: int) -> None:
            """Send the number of judged positions to the pages. Raises Stopped if another review or game has begun."""
            with self.desk.lock:
                if serial != self._serial or tree is not self.desk.tree:
                    raise Stopped
                self._tell({**(self.progress or {}), "done": done, "total": total, "isOver": False})

        def first_look(review: GameReview) -> None:
            """Show the results of the short searches."""
            self._put_in(review, tree, line, is_over=False)

        try:
            judge = Judge(self.desk.params, usual_settings(self.desk.params))
            review = judge.review(record, step, first_look=first_look)
            self._rank_teller.tell(review)
            self._put_in(review, tree, line, is_over=True)
            self._keep_mistakes(review)
        except Stopped:
            pass

    def _keep_mistakes(self, review: GameReview) -> None:
        """Keep the mistakes for practice, and the tallies for the progress."""
        colors = [to_color_name(color) for color in self._colors]
        document = review_as_dict(review, "")
        document["date"] = review.record.date or date.today().isoformat()
        tallies = {name: tally.as_dict() for name, tally in tallies_of(document, colors).items()}
        try:
            count = keep_review(self._notebook, lessons_of(review), tallies, colors)
        except OSError as error:
            self.desk.warn(f"Your exercises cannot be saved in {self._notebook.path}: {error.strerror}.")
            return
        if count:
            self.desk.tell(note=f"{count} mistake{'s were' if count > 1 else ' was'} added to your practice.")

    def _put_in(self, review: GameReview, tree: GameTree, line: list[GameNode], is_over: bool) -> None:
        """Write the results to the tree, and send them to the pages."""
        with self.desk.lock:
            if tree is not self.desk.tree:
                raise Stopped
            for node, evaluation in zip(line, review.evaluations, strict=True):
                findings = findings_of(evaluation, tree.size)
                if node.findings is None or node.findings.visits <= findings.visits:
                    node.findings = findings
            for node, move in zip(line[1:], review.moves, strict=True):
                node.judgement = judgement_of(move)
            existing = [node for node in line if tree.nodes.get(node.number) is node]
            self.desk.tell_nodes(*existing)
            self._tell(
                {
                    "done": 0 if not is_over else 1,
                    "total": 1,
                    "isOver": is_over,
                    "withinReach": [line[move.number].number for move in within_reach(review.moves)],
                    "ranks": ranks_as_dict(review),
                    "moments": [line[move.number].number for move in moments(review.moves)],
                    "mistakes": [node.number for node, move in zip(line[1:], review.moves, strict=True) if move.is_mistake],
                    "summary": {to_color_name(color): summary_as_dict(review.summary(color)) for color in (BLACK, WHITE)},
                    "notes": review.notes,
                }
            )


def judgement_of(move: MoveReview) -> dict[str, Any]:
    """The page's data of a judged move."""
    best = move.best
    return {
        "mistake": move.size if move.is_mistake else "",
        "text": verdict_text(move),
        "loss": round(move.loss, 1),
        "better": [] if best is None or best.point == move.point else [to_vertex(point) for point in best.variation],
        "answer": [to_vertex(point) for point in move.refutation],
        "before": round(move.win_rate_before, 3),
        "after": round(move.win_rate_after, 3),
    }
