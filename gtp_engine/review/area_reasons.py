"""An area that a move gives away: what the search expected to become a player's before the move, and no longer expects after it.

Other than the reasons on the board this is an opinion, and is told as one. It is told only where both searches were long.
"""

from dataclasses import dataclass

import numpy as np

from gtp_engine.go.count import empty_regions, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, board_points, to_vertex
from gtp_engine.review.model import NAMES, Evaluation, Reason

LONG = 100  # simulations of a search whose expectations are worth telling
MINE = 0.3  # ownership from which a point counts as the player's: the search gives it to them in 65 of 100 cases
DROP = 0.5  # of the ownership of each point: a quarter of all cases
SHARE = 0.04  # of the board that an area has at least: 14 points on 19x19
FEWEST = 5  # points of an area on small boards


@dataclass(frozen=True)
class Expected:
    """What two searches expect: [P] ownership, 1 for surely the player's, -1 for surely the opponent's."""

    before: np.ndarray  # the move
    after: np.ndarray


def expected(color: int, before: Evaluation, after: Evaluation) -> Expected | None:
    """What was expected for `color` around its move; None where a search was too short."""
    if min(before.simulations, after.simulations) < LONG:
        return None
    sign = 1.0 if color == BLACK else -1.0
    return Expected(sign * before.ownership, sign * after.ownership)


def lost_area(game: Game, color: int, owners: Expected) -> Reason | None:
    """The largest connected area that went; `game`: before the move. None where none is large enough."""
    lost = {
        point
        for point in board_points(game.size)
        if game.color_at(point) == EMPTY and owners.before[point] >= MINE and owners.before[point] - owners.after[point] >= DROP
    }
    area = largest_part(lost, game.size)
    if len(area) < max(FEWEST, SHARE * game.size**2):
        return None
    before, after = (round(50 * (1 + float(np.mean(each[area])))) for each in (owners.before, owners.after))
    name, place = NAMES[color], to_vertex(middle_of(area, game.size))
    text = f"{name} loses the area of {len(area)} points around {place}: the search gave {name} {before} % of it before this move, "
    return Reason("area", f"{text}{after} % after it.")


def largest_part(points: set[int], size: int) -> list[int]:
    """The largest connected part of these points, ascending; [] of none."""
    colors = {point: EMPTY if point in points else BLACK for point in board_points(size)}
    return max((sorted(region.points) for region in empty_regions(colors, size)), key=len, default=[])


def middle_of(area: list[int], size: int) -> int:
    """The point that is most surrounded by others of the area; of several the one in the middle of the list."""
    inside = {point: sum(other in area for other in neighbors(point, size)) for point in area}
    best = [point for point in area if inside[point] == max(inside.values())]
    return best[len(best) // 2]
