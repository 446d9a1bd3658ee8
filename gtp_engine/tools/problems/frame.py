"""Makes a local problem a whole board on which it decides the game: everything else is alive, and the komi is set accordingly.

Outside the fight every point has a stone or is an eye, so there are no ko threats and no other valuable moves. Each requested threat is a
group at the edge in the other side's area: with an eye space of four points in a row it lives, but it must answer once.
"""

import random

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.go.count import neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, EMPTY, WHITE, board_points, opponent, point_at
from gtp_engine.go.rules import CHINESE
from gtp_engine.tools.problems.shapes import Local, Point, around, spread_in

DEFENDER_SHARE = 0.45  # of the board outside the fight
POINTS_PER_EYE = 7  # stones of an area for each of its eyes
FEWEST_EYES = 2
THREAT_LENGTH = 6  # points along the edge of a threat's group: four empty ones between two stones, with as many stones above


def frame(rng: random.Random, local: Local, defender: int, threats: int = 0) -> Game | None:
    """The whole board with `defender`, BLACK or WHITE, and so many ko threats of each side; None without enough room."""
    size = local.size
    areas = divide(local)
    colors = {DEFENDER: defender, ATTACKER: opponent(defender)}
    stones = [(colors[side], point) for point, side in local.stones.items()]
    for side, area in areas.items():
        for _ in range(threats):
            group = draw_threat(rng, area, size)
            if group is None:
                return None
            area -= group[0] | group[1]
            stones += [(opponent(colors[side]), point) for point in group[0]]
    for side, area in areas.items():
        for part in parts_of(area, size):
            eyes = draw_eyes(rng, part, size)
            if len(eyes) < FEWEST_EYES:
                return None
            stones += [(colors[side], point) for point in part - eyes]
    game = Game(size, CHINESE)
    try:
        game.set_up(sorted((color, point_at(*point)) for color, point in stones), BLACK)
    except ValueError:
        return None
    safe = safe_area(game, BLACK) | safe_area(game, WHITE)
    return game if all(point_at(*point) in safe for area in areas.values() for point in area) else None


def divide(local: Local) -> dict[int, set[Point]]:
    """By side: its points outside the fight. The attacker surrounds the fight, except at the defender's friends."""
    size = local.size
    outside = {(row, column) for row in range(1, size + 1) for column in range(1, size + 1)} - local.inside
    ring = around(local.inside, size, diagonal=True) - local.friends
    near_friends = around(local.friends, size) if local.friends else set()
    free = outside - (around(local.inside, size) - local.friends) - (ring - near_friends)
    far = max(sorted(free), key=lambda point: distance(point, local.inside), default=(1, 1))
    defender = spread_in(local.friends or {far}, free, int(DEFENDER_SHARE * len(outside)), size)
    parts = parts_of(outside - defender, size)
    lost = {point for part in parts if not part & ring for point in part}  # without a connection to the fight
    return {DEFENDER: defender | lost, ATTACKER: outside - defender - lost}


def draw_threat(rng: random.Random, area: set[Point], size: int) -> tuple[set[Point], set[Point]] | None:
    """Stones and eye space of a group at the edge, inside an area that stays connected; None without enough room."""
    groups = []
    for first in range(1, size - THREAT_LENGTH + 2):
        for line, above in ((1, 2), (size, size - 1)):
            along = range(first, first + THREAT_LENGTH)
            space = {(line, place) for place in along[1:-1]}
            stones = {(line, along[0]), (line, along[-1])} | {(above, place) for place in along}
            groups += [(stones, space), ({(column, row) for row, column in stones}, {(column, row) for row, column in space})]
    rng.shuffle(groups)
    for stones, space in groups:
        points = stones | space
        if points | around(points, size, diagonal=True) <= area and len(parts_of(area - points, size)) == 1:
            return stones, space
    return None


def parts_of(area: set[Point], size: int) -> list[set[Point]]:
    """The connected parts of an area."""
    parts, rest = [], set(area)
    while rest:
        part = spread_in([min(rest)], rest, len(rest), size)
        rest -= part
        parts.append(part)
    return parts


def distance(point: Point, points: set[Point]) -> int:
    """Steps from a point to the nearest of these points."""
    return min(abs(point[0] - row) + abs(point[1] - column) for row, column in points)


def draw_eyes(rng: random.Random, area: set[Point], size: int) -> set[Point]:
    """Points of a connected area to leave empty: all points beside them are in the area, no two touch, and the rest stays connected."""
    eyes: set[Point] = set()
    inner = [point for point in sorted(area) if around([point], size) <= area]
    rng.shuffle(inner)
    for point in inner:
        near = around([point], size, diagonal=True)
        if len(eyes) == max(FEWEST_EYES, len(area) // POINTS_PER_EYE) or near & eyes:
            continue
        if near <= area or len(parts_of(area - eyes - {point}, size)) == 1:
            eyes.add(point)
    return eyes


def area_outside(game: Game, local: Local) -> int:
    """Black's points minus White's outside the fight: stones, and empty points beside them; groups with threats to answer live."""
    total = 0
    for point in set(board_points(game.size)) - {point_at(*point) for point in local.inside}:
        colors = [game.color_at(other) for other in (point, *neighbors(point, game.size))]
        owner = next(color for color in colors if color != EMPTY)
        total += 1 if owner == BLACK else -1
    return total
