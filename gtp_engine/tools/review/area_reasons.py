"""An area that a move gives away: after the better move the search expects it to become the player's, after the played one it doesn't.

Other than the reasons on the board this is an opinion, and is told as one. It is told only where both searches were long.
"""

from dataclasses import dataclass

import numpy as np

from gtp_engine.go.count import empty_regions, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, board_points, opponent, to_vertex
from gtp_engine.tools.review.model import NAMES, Evaluation, Reason

LONG = 100  # simulations of a search whose expectations are worth telling
MINE = 0.3  # ownership from which a point counts as the player's: the search gives it to them in 65 of 100 cases
DROP = 0.5  # of the ownership of each point: a quarter of all cases
SHARE = 0.012  # of the board that an area has at least: 5 points on 19x19
FEWEST = 3  # points of an area on small boards
SEVERAL = 2  # stones: a single one may be a sacrifice


@dataclass(frozen=True)
class Expected:
    """What two searches expect: [P] ownership, 1 for surely the player's, -1 for surely the opponent's."""

    best: np.ndarray  # after the better move
    after: np.ndarray  # after the one that was played


def expected(color: int, best: np.ndarray | None, after: Evaluation) -> Expected | None:
    """What is expected for `color` after the better move, with the [P] ownership `best`, and after its own; None after short searches."""
    if best is None or after.simulations < LONG:
        return None
    return Expected(best, after.ownership if color == BLACK else -after.ownership)


def lost_area(game: Game, color: int, owners: Expected, better: int) -> Reason | None:
    """The largest connected part of the board that went, and that `better` keeps; None where none is large enough.

    game -- before the move
    """
    lost = {
        point for point in board_points(game.size) if owners.best[point] >= MINE and owners.best[point] - owners.after[point] >= DROP
    } - {better}
    area = largest_part(lost, game.size)
    if len(area) < max(FEWEST, SHARE * game.size**2):
        return None
    return Reason("area", f"{to_vertex(better)} {area_text(game, color, area)}, as the engine expects the game to go.")


def area_text(game: Game, color: int, area: list[int]) -> str:
    """What a move does that keeps this part of the board for `color`."""
    name, other = NAMES[color], NAMES[opponent(color)]
    own, theirs = ([point for point in area if game.color_at(point) == each] for each in (color, opponent(color)))
    if len(theirs) >= SEVERAL and len(theirs) >= len(own):
        return f"captures {other}'s {len(theirs)} stones around {to_vertex(middle_of(theirs, game.size))}"
    if len(own) >= SEVERAL:
        return f"keeps {name}'s {len(own)} stones around {to_vertex(middle_of(own, game.size))} safe"
    return f"keeps about {len(area)} points around {to_vertex(middle_of(area, game.size))} for {name}"


def largest_part(points: set[int], size: int) -> list[int]:
    """The largest connected part of these points, ascending; [] of none."""
    colors = {point: EMPTY if point in points else BLACK for point in board_points(size)}
    return max((sorted(region.points) for region in empty_regions(colors, size)), key=len, default=[])


def middle_of(area: list[int], size: int) -> int:
    """The point that is most surrounded by others of the area; of several the one in the middle of the list."""
    inside = {point: sum(other in area for other in neighbors(point, size)) for point in area}
    best = [point for point in area if inside[point] == max(inside.values())]
    return best[len(best) // 2]
