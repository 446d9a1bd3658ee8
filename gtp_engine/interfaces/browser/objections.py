"""Objections to a move: its loss against the best move, the answer to it, and proved reasons, in words."""

from collections.abc import Callable
from dataclasses import dataclass, field

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, to_color_name, to_vertex
from gtp_engine.interfaces.browser.analyst import LOOK_SECONDS
from gtp_engine.interfaces.browser.desk import Desk
from gtp_engine.interfaces.browser.game_tree import GameTree
from gtp_engine.tools.review.missed_move import MissedMove
from gtp_engine.tools.review.reasons import reasons_for

EVEN = 1.0  # points: a move that loses less is as good, as far as a short search can tell
LINE_MOVES = 8


@dataclass(frozen=True)
class Objection:
    """The objection to a move."""

    text: str
    line: list[int]  # beginning with the move
    loss: float  # points compared with the best move


@dataclass
class Objections:
    """Judges moves with its own engine, in the desk's side thread."""

    desk: Desk
    _engine: Engine | None = field(default=None, init=False)

    def show(self, tree: GameTree, number: int, game: Game, point: int) -> None:
        """Find the objection to a legal move on `point`, and send it to the pages."""

        def tell(objection: Objection) -> None:
            line = [to_vertex(step) for step in objection.line]
            self.desk.tell(objection={"node": number, "vertex": to_vertex(point), "text": objection.text, "line": line})

        self.judge(tree, game, point, tell)

    def judge(self, tree: GameTree, game: Game, point: int, deliver: Callable[[Objection], None]) -> None:
        """Judge a legal move on `point` by a tree's rules and komi, and call `deliver` with the objection, in the side thread."""

        def work() -> None:
            """Runs in the side thread."""
            self._engine = self._engine or self.desk.companion()
            self._engine.state.set_rules(tree.rules)
            self._engine.state.komi = tree.komi
            deliver(objection(self._engine, game, point))

        self.desk.later(work)


def objection(engine: Engine, game: Game, point: int) -> Objection:
    """Search the move and the best one."""
    color, vertex = game.to_play, to_vertex(point)
    engine.state.set_game(game)
    before = engine.examine(color, Limits(seconds=LOOK_SECONDS))
    best = before.best
    if best.point == point:
        return Objection(f"{vertex} is the best move as far as the engine sees.", best.variation[:LINE_MOVES], 0.0)
    after_move, after_best = game.copy(), game.copy()
    after_move.play(color, point)
    after_best.play(color, best.point)
    if after_move.passes() >= 2:
        return Objection("Both would have passed, and the game would be counted.", [point], 0.0)
    engine.state.set_game(after_move)
    after = engine.examine(after_move.to_play, Limits(seconds=LOOK_SECONDS))
    line = [point, *after.best.variation][:LINE_MOVES]
    loss = best.score + after.score
    return Objection(f"{cost_text(vertex, loss, before)} {answer_text(after_move, after)}{reasons(game, point, best.point)}", line, loss)


def cost_text(vertex: str, loss: float, before: SearchResult) -> str:
    """A sentence about the move's loss."""
    best = to_vertex(before.best.point)
    if loss < EVEN:
        return f"{vertex} is about as good as {best}."
    return f"{vertex} is about {loss:.0f} point{'s' if round(loss) != 1 else ''} worse than {best}."


def answer_text(game: Game, after: SearchResult) -> str:
    """A sentence about the opponent's answer."""
    name = to_color_name(game.to_play).capitalize()
    return f"{name} can pass then." if after.best.point == PASS else f"{name} answers at {to_vertex(after.best.point)}."


def reasons(game: Game, point: int, best: int) -> str:
    """Sentences with proved reasons."""
    if PASS in (point, best):
        return ""
    color = game.to_play
    before, after, better = game.copy(), game.copy(), game.copy()
    after.play(color, point)
    better.play(color, best)
    causes = reasons_for(MissedMove(color, point, best, before, after, better, (), None))
    return "".join(f" {reason.text}" for reason in causes)
