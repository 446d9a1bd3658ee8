"""Random local positions: eye spaces, races, and stones to catch. The solver decides which are problems.

Points are (row, column) pairs from 1. The defender's stones are the ones in question.
"""

import random
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER

Point = tuple[int, int]

CORNER, SIDE, CENTER = PLACES = ("corner", "side", "center")
IN_THE_WAY = 0.06  # probability of a stone of one color on a point in a ladder's path


@dataclass
class Local:
    """A part of the board with a fight; the surroundings belong to the attacker, except for `friends`."""

    size: int  # of the board
    inside: set[Point]  # stones and empty points of the fight
    stones: dict[Point, int]  # by point inside: ATTACKER or DEFENDER
    friends: set[Point] = field(default_factory=set)  # surrounding points that are the defender's, and safe
    space: set[Point] = field(default_factory=set)  # the drawn eye space; empty in other shapes


def around(points: Iterable[Point], size: int, diagonal: bool = False) -> set[Point]:
    """The points of the board beside any of these, without these; with `diagonal` also the diagonal ones."""
    steps = [(0, 1), (0, -1), (1, 0), (-1, 0)] + ([(1, 1), (1, -1), (-1, 1), (-1, -1)] if diagonal else [])
    of = set(points)
    beside = {(row + down, column + right) for row, column in of for down, right in steps}
    return {(row, column) for row, column in beside if 1 <= row <= size and 1 <= column <= size} - of


def grow(rng: random.Random, start: Point, count: int, size: int) -> set[Point]:
    """A random connected set of so many points, fewer without enough room, rather compact than long."""
    area = {start}
    while len(area) < count:
        edge = sorted(around(area, size))
        if not edge:
            break
        weights = [len(around([point], size) & area) for point in edge]
        area.add(rng.choices(edge, weights)[0])
    return area


def draw_place(rng: random.Random, size: int, places: tuple[str, ...] = PLACES) -> Point:
    """The start of a shape: in a corner, on a side or in the center, as `places` allow."""
    place = rng.choice(places)
    near, far = rng.choice((1, 1, 2)), size + 1 - rng.choice((1, 1, 2))
    middle = rng.randint(3, size - 2)
    if place == CORNER:
        return rng.choice((near, far)), rng.choice((near, far))
    if place == SIDE:
        return rng.choice([(near, middle), (far, middle), (middle, near), (middle, far)])
    return middle, rng.randint(3, size - 2)


def eye_space(
    rng: random.Random, size: int, points: tuple[int, int], most_gaps: int, most_inside: int, places: tuple[str, ...] = PLACES
) -> Local:
    """An eye space of so many points with a wall of the defender, gaps in the wall, attacker's stones inside, and outside liberties."""
    space = grow(rng, draw_place(rng, size, places), rng.randint(*points), size)
    wall = around(space, size, diagonal=True)
    stones = dict.fromkeys(sorted(wall), DEFENDER)
    for point in rng.sample(sorted(wall), min(len(wall), rng.randint(0, most_gaps))):
        del stones[point]
    for point in rng.sample(sorted(space), min(len(space) - 1, rng.randint(0, most_inside))):
        stones[point] = ATTACKER
    outside = around(space | wall, size)
    liberties = set(rng.sample(sorted(outside), min(len(outside), rng.choice((0, 0, 1, 2)))))
    return Local(size, space | wall | liberties, stones, space=space)


def race(rng: random.Random, size: int) -> Local:
    """Two adjacent chains, each enclosed by the other side, with liberties and perhaps an eye for each."""
    length = rng.randint(3, 6)
    rows, columns = (5, length) if rng.random() < 0.5 else (length, 5)
    top = rng.choice((0, size - rows)) if rng.random() < 0.7 else rng.randint(0, size - rows)
    left = rng.choice((0, size - columns)) if rng.random() < 0.7 else rng.randint(0, size - columns)
    inside = {(top + row, left + column) for row in range(1, rows + 1) for column in range(1, columns + 1)}
    bands = {point: (point[0] - top if rows == 5 and columns != 5 else point[1] - left) for point in inside}
    if rows == columns == 5:
        bands = {point: point[0] - top for point in inside}
    stones: dict[Point, int] = {}
    for point in sorted(inside):
        band = bands[point]
        if band in (2, 3, 4):
            side = DEFENDER if band == 2 or (band == 3 and rng.random() < 0.3) else ATTACKER
            stones[point] = side
        elif rng.random() < 0.4:
            stones[point] = ATTACKER if band == 1 else DEFENDER
    for point in rng.sample(sorted(stones), rng.randint(0, 3)):
        del stones[point]
    friends = {
        point for point in around(inside, size) if min(abs(point[0] - p[0]) + abs(point[1] - p[1]) for p in inside if bands[p] == 5) == 1
    }
    return Local(size, inside, stones, friends)


def chase(rng: random.Random, size: int) -> Local:
    """A few stones to catch in an open part of the board, with friends on one side or none."""
    inside = grow(rng, draw_place(rng, size), rng.randint(9, 14 if size < 13 else 22), size)
    stones = scatter(rng, inside, size, rng.randint(1, 4), (0.25, 0.25, 0.1))
    return Local(size, inside, stones, draw_friends(rng, inside, size))


def hunt(rng: random.Random, size: int, places: tuple[str, ...] = PLACES) -> Local:
    """Like chase, with one or two stones to catch that have two or three liberties, and few other stones."""
    inside = grow(rng, draw_place(rng, size, places), rng.randint(10, 15 if size < 13 else 22), size)
    stones = scatter(rng, inside, size, rng.randint(1, 3), (0.4, 0.06, 0.03))
    return Local(size, inside, stones, draw_friends(rng, inside, size) or draw_friends(rng, inside, size))


def ladder(rng: random.Random, size: int) -> Local:
    """A stone that can be chased along a diagonal, with defender's stones near, and perhaps stones of either side in the path."""
    length = rng.randint(3, 5)
    place = turned(rng, size, length + 1)
    band = [(i, j) for i in range(-1, length + 1) for j in range(-1, length + 1) if -1 <= i - j <= 2]
    stones = {place(0, 0): DEFENDER, place(-1, 0): ATTACKER, place(0, -1): ATTACKER, place(1, -1): ATTACKER}
    for i, j in band:
        draw = rng.random()
        if i + j > 2 and draw < 2 * IN_THE_WAY:
            stones[place(i, j)] = DEFENDER if draw < IN_THE_WAY else ATTACKER
    inside = {place(i, j) for i, j in band}
    near = sorted(around(inside, size) & around([place(1, 1), place(0, 1), place(0, 2), place(2, 1)], size))
    return Local(size, inside, stones, set(rng.sample(near, min(len(near), rng.randint(1, 2)))))


def turned(rng: random.Random, size: int, extent: int) -> Callable[[int, int], Point]:
    """A function from (i, j), both from -1 to `extent`, to points, which places a shape at random and turns or mirrors it."""
    row, column = rng.randint(2, size - extent), rng.randint(2, size - extent)
    is_upside_down, is_mirrored, is_transposed = (rng.random() < 0.5 for _ in range(3))

    def place(i: int, j: int) -> Point:
        """See `turned`."""
        y, x = (row + j, column + i) if is_transposed else (row + i, column + j)
        return size + 1 - y if is_upside_down else y, size + 1 - x if is_mirrored else x

    return place


def scatter(rng: random.Random, inside: set[Point], size: int, count: int, shares: tuple[float, float, float]) -> dict[Point, int]:
    """A chain of up to `count` stones of the defender, and other stones around it.

    shares -- of the attacker's stones on points beside the chain, of them on other points, and of the defender's stones there.
    """
    targets = {rng.choice(sorted(inside))}
    for _ in range(count - 1):
        targets.add(rng.choice(sorted((around(targets, size) & inside) or targets)))
    stones = dict.fromkeys(sorted(targets), DEFENDER)
    beside = around(targets, size)
    for point in sorted(inside - targets):
        draw, share = rng.random(), shares[0] if point in beside else shares[1]
        if draw < share:
            stones[point] = ATTACKER
        elif draw < share + shares[2] and point not in beside:
            stones[point] = DEFENDER
    return stones


def draw_friends(rng: random.Random, inside: set[Point], size: int) -> set[Point]:
    """A few points in a row at the border of a part of the board, or none."""
    edge = sorted(around(inside, size))
    if not edge or rng.random() < 0.3:
        return set()
    friends = {rng.choice(edge)}
    for _ in range(rng.randint(0, 3)):
        near = sorted(around(friends, size, diagonal=True) & set(edge))
        friends |= set(rng.sample(near, min(1, len(near))))
    return friends


def spread_in(start: Collection[Point], within: set[Point], count: int, size: int) -> set[Point]:
    """The `count` points of `within` that are nearest to `start` by steps inside."""
    chosen = sorted(set(start) & within)
    reached = set(chosen)
    for point in chosen:
        if len(chosen) >= count:
            break
        fresh = sorted(around([point], size) & within - reached)
        reached.update(fresh)
        chosen += fresh
    return set(chosen[:count])
