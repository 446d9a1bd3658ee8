"""Frames for users' problems: a local position becomes a whole board on which it decides the game.

The fight is a rectangle around all stones with a margin of empty points. The marks tell the attacker; without marks it is the side whose
stones reach more of the wide empty part of the board. Nothing is proved here, so komi is an estimate: the mean of two scores, one with the
whole rectangle for the attacker, one with each of its points for the side of the nearest stones.
"""

import math
import random
from dataclasses import dataclass

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.engine.solver.guess import Guesser
from gtp_engine.engine.solver.problem import Problem
from gtp_engine.go.count import liberties_of, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, WHITE, opponent, point_at, row_and_column, to_vertex
from gtp_engine.sgf import dump_problem
from gtp_engine.tools.problems.frame import area_outside, frame
from gtp_engine.tools.problems.shapes import Local, Point

MARGIN = 2  # empty points between the outermost stones and the frame
NEAR_EDGE = 2  # lines: a rectangle so near to the edge extends to it
ATTEMPTS = 60  # random frames to try


class FrameError(ValueError):
    """A position that can't be framed; str() is one sentence for the user that says what to do."""


@dataclass(frozen=True)
class Framed:
    """A whole board on which a local problem decides the game."""

    game: Game
    attacker: int  # color
    komi: float
    inside: frozenset[int]  # the points of the fight


def framed(problem: Problem, margin: int = MARGIN, threats: int = 0, seed: int = 1) -> Framed:
    """The problem in a frame, with so many ko threats for each side and the same player to move. Raises FrameError."""
    game = problem.game
    stones = [point for color in (BLACK, WHITE) for point in game.stones(color)]
    if not stones:
        raise FrameError("there is no stone on the board")
    attacker = attacker_of(problem)
    inside = rectangle(game, stones, margin)
    sides = {point: ATTACKER if game.color_at(point_at(*point)) == attacker else DEFENDER for point in map(row_and_column, stones)}
    local = Local(game.size, inside, sides)
    rng = random.Random(seed)
    for _ in range(ATTEMPTS if len(inside) < game.size**2 else 0):
        whole = frame(rng, local, opponent(attacker), threats)
        if whole is not None:
            whole.positions[0]["to_play"] = game.to_play
            points = frozenset(point_at(*point) for point in inside)
            return Framed(whole, attacker, deciding_komi(whole, local, attacker), points)
    raise FrameError(f"there is no room for a frame beside {len(inside)} of {game.size**2} points; use a smaller --margin or fewer threats")


def attacker_of(problem: Problem) -> int:
    """The color that surrounds the other: the unmarked one, otherwise the one that reaches more of the wide empty part of the board."""
    game = problem.game
    if problem.targets:
        return opponent(game.color_at(min(problem.targets)))
    guesser = Guesser(game)
    outside = {color: len(liberties_of(game, game.stones(color)) & guesser.exterior) for color in (BLACK, WHITE)}
    if outside[BLACK] != outside[WHITE]:
        return BLACK if outside[BLACK] > outside[WHITE] else WHITE
    guesses = guesser.guesses()
    return guesses[0].attacker if guesses else game.to_play


def rectangle(game: Game, stones: list[int], margin: int) -> set[Point]:
    """The points of the rectangle around the stones with this margin, extended to near edges."""
    ranges = []
    for lines in zip(*map(row_and_column, stones), strict=True):
        low, high = min(lines) - margin, max(lines) + margin
        low = 1 if low <= NEAR_EDGE else low
        high = game.size if high > game.size - NEAR_EDGE else high
        ranges.append(range(low, high + 1))
    return {(row, column) for row in ranges[0] for column in ranges[1]}


def deciding_komi(game: Game, local: Local, attacker: int) -> float:
    """Half a point beside the mean of the scores with and without a win of the attacker."""
    nearest = nearest_colors(game, {point_at(*point) for point in local.inside})
    balance = sum((color == attacker) - (color == opponent(attacker)) for color in nearest.values())
    middle = (len(local.inside) + balance) / 2 * (1 if attacker == BLACK else -1)
    return math.floor(area_outside(game, local) + middle) + 0.5


def nearest_colors(game: Game, inside: set[int]) -> dict[int, int]:
    """The color of the nearest stone by point; EMPTY if both colors are equally near."""
    colors = {point: game.color_at(point) for point in inside if game.color_at(point) != EMPTY}
    edge = dict(colors)
    while edge:
        fresh: dict[int, int] = {}
        for point, color in edge.items():
            for other in neighbors(point, game.size):
                if other in inside and other not in colors:
                    fresh[other] = color if fresh.get(other, color) == color else EMPTY
        colors.update(fresh)
        edge = fresh
    return colors


def framed_record(problem: Problem, frame: Framed) -> str:
    """The framed record, with the same marked stones."""
    comment = f"{problem.comment}\nframed by gtp-engine; komi is an estimate that lets the fight decide".strip()
    return dump_problem(frame.game, frame.komi, frame.game.to_play, sorted(problem.targets), comment)


def suite_test(name: str, number: int, frame: Framed, right: set[int]) -> str:
    """The lines of a suite that test for one of the right moves in the framed record `name`.sgf."""
    color = "b" if frame.game.to_play == BLACK else "w"
    answers = "|".join(sorted(map(to_vertex, right)))
    return f"loadsgf {name}.sgf\n{number} reg_genmove {color}\n#? [{answers}]\n\n"
