"""The engine's opinion of a problem without marks: the first moves that its network expects, and the move of its search."""

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypedDict

from gtp_engine.base.processors import processors
from gtp_engine.engine.player import EngineError
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.engine.solver.problem import Problem
from gtp_engine.engine.solver.question import Budget, FirstMoves
from gtp_engine.engine.solver.unmarked import AnsweredQuestion, answer_move, ask_everything
from gtp_engine.go.points import BLACK, WHITE, from_vertex, to_color_name, to_vertex
from gtp_engine.tools.problems.brought import FrameError, framed
from gtp_engine.tools.problems.even_komi import MOST_STEPS, searched_komi

KOMI_SHARE = 0.3  # share of the time for finding the komi with which the first move decides
NODES = 5_000_000  # of one question in first_move, more than its seconds allow
MUCH = 0.2  # share of the visits: the search would not play a move with fewer


class OpinionJson(TypedDict):
    """What `--json` prints for an opinion."""

    problem: str
    status: str  # always "unproved"
    color: str
    move: str
    win_rate: float
    line: list[str]


@dataclass(frozen=True)
class Opinion:
    """A move and the line expected after it, without a proof."""

    problem: str
    color: str
    line: list[str]
    win_rate: float  # 0..1, of the color
    place: str  # the position that was searched
    likely: tuple[int, ...] = ()  # points of much visited moves, best first

    def as_dict(self) -> OpinionJson:
        """The opinion as JSON."""
        move = self.line[0] if self.line else "pass"
        return {
            "problem": self.problem,
            "status": "unproved",
            "color": self.color,
            "move": move,
            "win_rate": self.win_rate,
            "line": self.line,
        }

    def beside_proof(self, moves: Collection[int]) -> str:
        """A line to print below a proof that begins with one of these moves."""
        agreed = next((to_vertex(move) for move in self.likely if move in moves), None)
        if agreed is not None:
            return f"  the search, {self.place}, also considers {agreed}"
        move = self.line[0] if self.line else "pass"
        return f"  the search would play {move} instead (win rate {self.win_rate:.0%} {self.place}): the problem may ask something else"

    def as_text(self) -> str:
        """Two lines for people."""
        move = self.line[0] if self.line else "pass"
        return (
            f"{self.problem}: not proved; nothing is marked, and no question was found that the first move decides\n"
            f"  the search would play {move} for {self.color} (win rate {self.win_rate:.0%} {self.place})\n    line: {' '.join(self.line)}"
        )


class Opinions:
    """The engine's opinions of one problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.engine = Engine(SearchParams(), size=problem.game.size)

    def first_moves(self) -> FirstMoves:
        """The network's policy for either color's first move, for the solver; empty if no network can be used."""
        self.engine.state.set_game(self.problem.game)
        try:
            return {color: self.engine.network_look(color).policy for color in (BLACK, WHITE)}
        except EngineError:
            return {}

    def prove(self, color: int, budget: Budget, may_be_settled: bool = False) -> AnsweredQuestion | None:
        """The question of the problem for `color` with its answer, see ask_everything; uses all processors."""
        return ask_everything(self.problem.game, color, budget, processors(), self.first_moves(), may_be_settled)

    def search(self, color: int, seconds: float) -> Opinion:
        """The move of a search of so many seconds for `color`.

        The problem is framed if there is room, so that nothing else is at stake.
        """
        problem, engine = self.problem, self.engine
        try:
            frame = framed(problem)
            komi = searched_komi(frame, engine, Limits(seconds=KOMI_SHARE * seconds / (2 * MOST_STEPS), early_stop=False))
            engine.state.set_game(frame.game)
            engine.state.komi, place = komi, "in a frame"
            seconds *= 1.0 - KOMI_SHARE
        except FrameError:
            engine.state.set_game(problem.game)
            place = "on this board"
        result = engine.examine(color, Limits(seconds=seconds))
        best, visits = result.best, sum(candidate.visits for candidate in result.candidates)
        candidates = sorted(result.candidates, key=lambda candidate: candidate.point != best.point)
        likely = tuple(candidate.point for candidate in candidates if candidate.visits >= MUCH * visits)
        line = [to_vertex(point) for point in best.variation]
        return Opinion(problem.name, to_color_name(color), line, round(best.win_rate, 4), place, likely)


def first_move(problem: Problem, seconds: float, proof_share: float) -> tuple[int | None, bool]:
    """(point of the first move for the player to move, whether it is proved), within so many seconds, with this share for the proof.

    A proof counts if the search likes its move, too, or if much is at stake. The proof is limited by processor time, so that other load
    changes little. None: the search has no move.
    """
    color, opinions = problem.game.to_play, Opinions(problem)
    answered = opinions.prove(color, Budget(NODES, proof_share * seconds * processors(), clock=time.process_time))
    searched = opinions.search(color, (1 - proof_share) * seconds)
    move = answer_move(answered, searched.likely)
    if move is not None:
        return move, True
    return (from_vertex(searched.line[0], problem.game.size) if searched.line else None), False
