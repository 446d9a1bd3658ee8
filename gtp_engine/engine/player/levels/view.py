"""A level's view: the few moves that come to mind at a move, by their looks, as they do to a person who doesn't read everything.

Looks are the search's priors: near the last move, captures, escapes, shapes. The draw is a Plackett-Luce one (Gumbel's trick): a move
that looks better comes to mind more often, and none is picked for being bad.
"""

import numpy as np
import numpy.typing as npt

from gtp_engine.engine.player.levels.table import Level
from gtp_engine.engine.player.passing import is_mostly_empty
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EDGE, PASS, STRIDE, WHITE, row_and_column

SETTLED = 0.9  # ownership from which on a point is nobody's business any more
OPENING = 0.85  # with more of the board empty than this, nobody plays on the first line
EDGE_REACH = 2  # lines: a move with no stone so near is one into the open
SECOND_LINE = 0.1  # how much worse the second line looks in the open

Mask = npt.NDArray[np.bool_]  # [P] by point


def moves_in_view(game: Game, look: SearchResult, level: Level, random: np.random.Generator) -> set[int]:
    """About level.view points that come to mind, one at least; empty only when there are no moves besides PASS.

    look -- a short search of the position for the player to move: its priors are the moves' looks, its ownership says what is settled
    level -- its view is a mean: 2.3 is three points in three of ten positions, else two
    """
    looks = [(candidate.point, candidate.prior) for candidate in look.candidates] + look.unvisited
    looks = [(point, prior) for point, prior in looks if point != PASS]
    count = max(int(level.view + random.random()), 1)
    plausible = plausibilities(game, [point for point, _ in looks], look)
    keys = level.eye * np.log([prior * factor + 1e-300 for (_, prior), factor in zip(looks, plausible, strict=True)])
    keys += random.gumbel(size=len(looks))
    order = np.argsort(-keys)
    sensible = [place for place in order if plausible[place] > 0.0] or list(order)
    return {looks[place][0] for place in sensible[:count]}


def plausibilities(game: Game, points: list[int], look: SearchResult) -> list[float]:
    """For each point 0 if no person would consider it, less than 1 if few would, otherwise 1."""
    is_early = is_mostly_empty(game)
    is_opening = int(game.positions[0]["empty_count"]) > OPENING * game.size * game.size
    beside, around = near_stones(game, 1), near_stones(game, EDGE_REACH)
    factors = []
    for point in points:
        line = line_of(game, point)
        is_lost_on_the_edge = line == 1 and (is_opening or (is_early and not beside[point]))
        is_settled = not is_early and not game.rules.all_alive and abs(ownership_beside(look, point)) > SETTLED
        if is_lost_on_the_edge or is_settled:
            factors.append(0.0)
        else:
            factors.append(SECOND_LINE if line == 2 and not around[point] else 1.0)
    return factors


def ownership_beside(look: SearchResult, point: int) -> float:
    """The ownership of the point, -1..1, after moves elsewhere, because moves on the point itself don't settle it."""
    if all(candidate.point != point for candidate in look.candidates):
        return float(look.ownership[point])
    others = [other for other in look.candidates if other.point != point and other.ownership is not None]
    visits = sum(other.visits for other in others)
    return sum(other.visits * float(other.ownership[point]) for other in others if other.ownership is not None) / max(visits, 1)


def line_of(game: Game, point: int) -> int:
    """1 at the edge, 2 next to it, and so on."""
    row, column = row_and_column(point)
    return min(row, column, game.size + 1 - row, game.size + 1 - column)


def near_stones(game: Game, steps: int) -> Mask:
    """Which points have a stone at most so many steps along the lines away."""
    color = game.positions[0]["color"]
    near: Mask = (color == BLACK) | (color == WHITE)
    for _ in range(steps):  # the border must not pass it on: it joins the end of a row to the start of the next
        near = (color != EDGE) & (near | np.roll(near, 1) | np.roll(near, -1) | np.roll(near, STRIDE) | np.roll(near, -STRIDE))
    return near
