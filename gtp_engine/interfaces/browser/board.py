"""The board behind the pages: answers their requests, and has the state that they get at first."""

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from gtp_engine.engine.player.engine import Engine
from gtp_engine.interfaces.browser.analysis import AnalysisView
from gtp_engine.interfaces.browser.desk import Answer, BadRequest, Desk, NotPossible, Request
from gtp_engine.interfaces.browser.events import Event
from gtp_engine.interfaces.browser.game_tree import GameTree
from gtp_engine.interfaces.browser.play import Play
from gtp_engine.interfaces.browser.practice import PracticeView
from gtp_engine.interfaces.browser.records import RecordView
from gtp_engine.interfaces.browser.reviewing import ReviewView


class BrowserBoard:
    """One tree of a game, and the views of it. For any thread."""

    def __init__(
        self, engine: Engine, colors: set[int], kept: Path | None, warn: Callable[[str], None], notebook: Path | None = None
    ) -> None:
        """Continue `engine`'s game, in which the person has `colors`.

        kept -- where an unfinished game is stored after each move; None: nowhere. `warn` is told, once, when that fails
        notebook -- where what is practised is written down; None: in the person's own notebook
        """
        tree = GameTree.of_game(engine.game, engine.state.komi, engine.state.rules)
        self.desk = Desk(engine, tree, warn)
        self.play = Play(self.desk, colors, kept, tree.line(tree.root)[-1])
        self.records = RecordView(self.desk, self.play)
        self.analysis = AnalysisView(self.desk)
        self.practice = PracticeView(self.desk, notebook)
        self.review = ReviewView(self.desk, self.practice.notebook)
        self._parts = (self.play, self.records, self.analysis, self.review, self.practice)
        self.first_note = "This is your unfinished game." if engine.game.moves else ""
        self.is_ready = True

    def warm_up(self) -> None:
        """Compile all that the engine needs, with messages to the pages, and begin to play."""
        self.is_ready = False

        def done() -> None:
            """In the engine's thread: compile, then let the pages play and analyze."""
            self.desk.engine.warm_up()
            with self.desk.lock:
                self.analysis.prepare()
                self.is_ready = True
                self.desk.tell(isReady=True)

        self.desk.thread.submit(done)
        with self.desk.lock:
            self.play.ask_for_move()

    def answer(self, request: Request) -> Answer:
        """Do the request's `do`, see the methods do_... of the views. Raises BadRequest, without a change."""
        name = f"do_{request.get('do')}"
        method = next((getattr(part, name) for part in self._parts if hasattr(part, name)), None)
        if method is None:
            raise BadRequest(f"there is no request {request.get('do')!r}")
        with self.desk.lock:
            before = self.desk.tree
            try:
                answer: Answer = method(request)
            except NotPossible as error:
                return {"note": str(error)}
            if self.desk.tree is not before:
                self.analysis.prepare()
        return answer

    def open(self, data: bytes) -> Answer:
        """See RecordView.open."""
        with self.desk.lock:
            answer = self.records.open(data)
            self.analysis.prepare()
        return answer

    def open_problems(self, data: bytes) -> Answer:
        """See PracticeView.open."""
        with self.desk.lock:
            return self.practice.open(data)

    def record(self) -> str:
        """The tree as SGF."""
        with self.desk.lock:
            return self.records.text()

    def watch(self) -> "SimpleQueue[Event]":
        """A queue with the whole state, then all changes."""
        with self.desk.lock:
            return self.desk.events.subscribe(self.state())

    def state(self) -> dict[str, Any]:
        """The state of a page."""
        with self.desk.lock:
            return {
                "tree": self.desk.tree.as_dict(),
                "play": self.play.state(),
                "analysis": self.analysis.state(),
                "network": self.analysis.network,
                "review": self.review.state(),
                "practice": self.practice.state(),
                "isReady": self.is_ready,
                "note": self.first_note,
            }
