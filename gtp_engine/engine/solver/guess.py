"""The questions that a position without marks may ask: about which stones, and on which points both sides play. Plain Python.

A problem shows a part of a large board. The wide empty rest is the exterior: connected empty squares of three by three points. A group is
all chains of a color that share empty points outside the exterior. The first region of a group is its surroundings without the exterior;
the next ones add points of the exterior, the nearest first, so that a way out can be closed.
"""

from dataclasses import dataclass
from heapq import heappop, heappush

from gtp_engine.go.count import liberties_of, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, EMPTY, WHITE, board_points, opponent, point_at, row_and_column

FEWEST_OPEN = 12  # centers of empty squares that make an exterior; an eye space is smaller
MOST_OUTSIDE = 3  # liberties in the exterior of a chain in question; a chain with more is assumed to have escaped
MOST_LIBERTIES = 6  # of a single chain in question
NEAR, FAR, ACROSS = 2, 5, 2  # the cost of a step: to a point inside, to one of the exterior, across a chain of the other side
MOST_EMPTY = 34  # points of a region; a search of more takes too long
MOST_REGIONS = 4  # of one group
GROWTH = 3  # points that a region has more than the one before, at least


@dataclass(frozen=True)
class Guess:
    """Stones that may be in question, with their possible regions, the smallest first."""

    targets: frozenset[int]
    attacker: int  # color
    regions: tuple[frozenset[int], ...]  # empty points

    @property
    def value(self) -> int:
        """The number of stones at stake."""
        return len(self.targets)


class Guesser:
    """Finds the questions that one position may ask."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.exterior = find_exterior(game)
        self.safe = safe_area(game, BLACK) | safe_area(game, WHITE)
        self.chains = {frozenset(game.chain_at(point)) for color in (BLACK, WHITE) for point in game.stones(color)}

    def guesses(self) -> list[Guess]:
        """All questions that may be meant, most stones first."""
        guesses: dict[frozenset[int], Guess] = {}
        for color in (BLACK, WHITE):
            weak = sorted((chain for chain in self.chains if self.is_weak(chain, color)), key=min)
            groups = self.groups(weak)
            singles = [chain for chain in weak if len(liberties_of(self.game, chain)) <= MOST_LIBERTIES]
            for targets in [*groups, *singles]:
                regions = self.regions(targets)
                if regions:
                    guesses.setdefault(targets, Guess(targets, opponent(color), regions))
        return sorted(guesses.values(), key=lambda guess: (-guess.value, min(guess.targets)))

    def is_weak(self, chain: frozenset[int], color: int) -> bool:
        """True if the life of this chain of `color` may be in question."""
        first = next(iter(chain))
        outside = liberties_of(self.game, chain) & self.exterior
        return self.game.color_at(first) == color and first not in self.safe and len(outside) <= MOST_OUTSIDE

    def groups(self, chains: list[frozenset[int]]) -> list[frozenset[int]]:
        """Chains of one color, grouped when they share empty points outside the exterior."""
        groups: list[tuple[set[int], set[int]]] = []  # stones, empty points
        for chain in chains:
            stones, points = set(chain), self.spread(liberties_of(self.game, chain) - self.exterior)
            for group in [group for group in groups if group[1] & points]:
                groups.remove(group)
                stones |= group[0]
                points |= group[1]
            groups.append((stones, points))
        return [frozenset(stones) for stones, _ in groups]

    def spread(self, start: set[int]) -> set[int]:
        """The empty points connected with `start` outside the exterior."""
        area, waiting = set(start), list(start)
        while waiting:
            for other in neighbors(waiting.pop(), self.game.size):
                if self.game.color_at(other) == EMPTY and other not in area and other not in self.exterior:
                    area.add(other)
                    waiting.append(other)
        return area

    # ---------------------------------------------------------------- regions

    def regions(self, targets: frozenset[int]) -> tuple[frozenset[int], ...]:
        """Sets of empty points to play on, from small to large: first the targets' surroundings without the exterior."""
        costs = self.costs(targets)
        inside = sorted((cost, point) for point, cost in costs.items() if point not in self.exterior)
        first = {point for _, point in inside[:MOST_EMPTY]}
        regions = [frozenset(first)] if first else []
        last = set(first)
        for limit in sorted({cost for point, cost in costs.items() if point in self.exterior}):
            points = first | {point for point, cost in costs.items() if cost <= limit}
            if len(points) > MOST_EMPTY or len(regions) >= MOST_REGIONS:
                break
            if len(points) >= len(last) + GROWTH:
                regions.append(frozenset(points))
                last = points
        return tuple(regions)

    def costs(self, targets: frozenset[int]) -> dict[int, int]:
        """The distance of each empty point from the targets. Paths cross their own chains and weak chains of the other side."""
        game, color = self.game, self.game.color_at(next(iter(targets)))
        best = dict.fromkeys(targets, 0)
        waiting = [(0, point) for point in sorted(targets)]
        while waiting:
            cost, point = heappop(waiting)
            if cost > best[point]:
                continue
            for other in neighbors(point, game.size):
                step = self.step(other, color)
                if step is not None and cost + step < best.get(other, cost + step + 1):
                    best[other] = cost + step
                    heappush(waiting, (cost + step, other))
        return {point: cost for point, cost in best.items() if game.color_at(point) == EMPTY}

    def step(self, point: int, color: int) -> int | None:
        """The cost of a step to this point; None if it is not possible."""
        occupant = self.game.color_at(point)
        if occupant == EMPTY:
            return FAR if point in self.exterior else NEAR
        chain = frozenset(self.game.chain_at(point))
        if not self.is_weak(chain, occupant):
            return None
        return 0 if occupant == color else ACROSS


def find_exterior(game: Game) -> set[int]:
    """The wide empty part of the board, up to the stones around it; empty if there is none."""
    middles = {point for point in board_points(game.size) if all(game.color_at(other) == EMPTY for other in square(point, game.size))}
    exterior: set[int] = set()
    while middles:
        part, waiting = set[int](), [middles.pop()]
        while waiting:
            point = waiting.pop()
            part.add(point)
            beside = set(neighbors(point, game.size)) & middles
            middles -= beside
            waiting += beside
        if len(part) >= FEWEST_OPEN:
            exterior |= {other for point in part for other in square(point, game.size)}
    return exterior


def square(point: int, size: int) -> list[int]:
    """The points of the board in the square of three by three around a point, which is included."""
    row, column = row_and_column(point)
    rows = range(max(1, row - 1), min(size, row + 1) + 1)
    return [point_at(r, c) for r in rows for c in range(max(1, column - 1), min(size, column + 1) + 1)]
