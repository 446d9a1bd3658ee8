"""Exercises: a problem with its proof, or a position of a game in which a better move was missed."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gtp_engine.go.count import neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import EMPTY, PASS, board_points, from_vertex, to_color_name, to_vertex
from gtp_engine.interfaces.browser.objections import Objection
from gtp_engine.tools.problems.trial import NotProved, Reply, Trial

HINT_POINTS = 3  # one of them is right
AS_GOOD = 1.0  # points: a move that loses less than this is right
Answer = Callable[[Reply | None], None]  # None: the move can't be judged


@dataclass
class ProblemExercise:
    """A problem with its proof."""

    trial: Trial
    name: str = ""  # of its entry in the notebook; empty for a new problem
    rating: float | None = None  # of a generated problem
    title: str = field(init=False)

    def __post_init__(self) -> None:
        self.title = f"{to_color_name(self.game.to_play).capitalize()} to play: {self.trial.goal}."

    @property
    def game(self) -> Game:
        """The position with the person to move; right moves are played on it."""
        return self.trial.game

    @property
    def targets(self) -> frozenset[int]:
        """The stones in question."""
        return self.trial.targets

    def try_move(self, point: int, answer: Answer) -> None:
        """Judge a legal move, and play the opponent's answer; `answer` is called at once."""
        try:
            answer(self.trial.play(point))
        except NotProved:
            answer(None)

    def right_move(self) -> int:
        """A right move."""
        return self.trial.right_move()

    def solution(self) -> list[int]:
        """A line from the displayed position."""
        return self.trial.solution()

    def hint(self, rng: random.Random) -> list[int]:
        """Some points, one of which is right."""
        right = self.right_move()
        points = set(self.trial.solver.region.points)
        others = [point for point in sorted(points - {right}) if self.game.is_legal(self.game.to_play, point)]
        return mixed(rng, right, others)


@dataclass
class MistakeExercise:
    """A position of the person's own game. `facts`: see tools/practice/mistakes.py; `judge` searches moves without results."""

    game: Game
    name: str
    facts: dict[str, Any]
    judge: Callable[[Game, int, Callable[[Objection], None]], None]
    targets: frozenset[int] = frozenset()
    title: str = field(init=False)

    def __post_init__(self) -> None:
        color = to_color_name(self.game.to_play).capitalize()
        self.title = (
            f"{color} to play. In {self.facts['source']}, move {self.facts['number']} was {self.facts['played']}. Find a better one."
        )

    def points(self, name: str) -> list[int]:
        """The vertices of one of the facts as points."""
        return [from_vertex(vertex, self.game.size) for vertex in self.facts[name]]

    def try_move(self, point: int, answer: Answer) -> None:
        """Judge a legal move; `answer` is called at once or later."""
        if point in self.points("right"):
            answer(Reply(True, is_over=True))
        elif to_vertex(point) == self.facts["played"]:
            answer(Reply(False, refutation=tuple(self.points("answer")), text=f"That is what was played. {self.facts['text']}"))
        else:
            self.judge(self.game, point, lambda objection: answer(reply_of(objection)))

    def right_move(self) -> int:
        """A right move."""
        return self.points("right")[0]

    def solution(self) -> list[int]:
        """A line from the displayed position."""
        return self.points("line")

    def hint(self, rng: random.Random) -> list[int]:
        """Some points, one of which is right."""
        right = self.right_move()
        free = [point for point in board_points(self.game.size) if self.game.is_legal(self.game.to_play, point) and point != right]
        near = [point for point in free if any(self.game.color_at(other) != EMPTY for other in neighbors(point, self.game.size))]
        return mixed(rng, right, near or free)


Exercise = ProblemExercise | MistakeExercise


def reply_of(objection: Objection) -> Reply:
    """The reply that follows from an engine's objection to a move."""
    if objection.loss < AS_GOOD:
        return Reply(True, is_over=True, text=objection.text)
    return Reply(False, refutation=tuple(objection.line[1:]), text=objection.text)


def mixed(rng: random.Random, right: int, others: list[int]) -> list[int]:
    """The right point among some others."""
    points = [right, *rng.sample(others, min(len(others), HINT_POINTS - 1))]
    rng.shuffle(points)
    return [point for point in points if point != PASS]
