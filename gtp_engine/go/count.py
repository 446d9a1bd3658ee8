"""Scores a finished game with known dead stones: area, territory, seki, and the owner of each point. Plain Python."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, POINTS, STRIDE, WHITE, board_points, is_on_board
from gtp_engine.go.rules import Scoring

EYES = 2  # points of territory that a group needs to live
SEKI_SPACE = 8  # points: neutral regions larger than this are open board, not the shared liberties of a seki


@dataclass(frozen=True)
class Count:
    """A counted board, without komi and handicap compensation."""

    score: float  # Black's points minus White's
    owners: dict[int, int]  # for each point of the board BLACK, WHITE, or EMPTY for a neutral point


@dataclass(frozen=True)
class EmptyRegion:
    """Connected empty points, including those of dead stones."""

    points: frozenset[int]
    border: frozenset[int]  # the living stones around

    def owner(self, colors: dict[int, int]) -> int:
        """The color that surrounds the region alone, or EMPTY."""
        around = {colors[point] for point in self.border}
        return around.pop() if len(around) == 1 else EMPTY


@cache
def neighbors(point: int, size: int) -> tuple[int, ...]:
    """The two to four points beside `point`."""
    return tuple(other for other in (point - STRIDE, point - 1, point + 1, point + STRIDE) if is_on_board(other, size))


@cache
def neighbor_table(size: int) -> tuple[tuple[int, ...], ...]:
    """`neighbors` of each point, for inner loops."""
    return tuple(neighbors(point, size) for point in range(POINTS))


def liberties_of(game: Game, stones: Iterable[int]) -> set[int]:
    """The empty points beside the stones. tactics.liberties_of, in compiled code, counts those of one chain up to three."""
    colors, beside = game.colors(), neighbor_table(game.size)
    return {other for stone in stones for other in beside[stone] if colors[other] == EMPTY}


def living_colors(game: Game, dead: Collection[int]) -> dict[int, int]:
    """The color of every point of the board without the stones on `dead`."""
    colors = game.colors()
    return {point: EMPTY if point in dead else colors[point] for point in board_points(game.size)}


def empty_regions(colors: dict[int, int], size: int) -> Iterator[EmptyRegion]:
    """Every connected region of empty points."""
    counted: set[int] = set()
    beside = neighbor_table(size)
    for start, color in colors.items():
        if color != EMPTY or start in counted:
            continue
        region, border, waiting = {start}, set(), [start]
        while waiting:
            for other in beside[waiting.pop()]:
                if colors[other] != EMPTY:
                    border.add(other)
                elif other not in region:
                    region.add(other)
                    waiting.append(other)
        counted |= region
        yield EmptyRegion(frozenset(region), frozenset(border))


def can_stand(game: Game, color: int, point: int) -> bool:
    """True if `color` may play on the point without ending in atari, unless it captures as many stones as it may lose. Ignores superko."""
    if game.why_illegal(color, point):
        return False
    after = game.copy()
    after.play(color, point)
    chain = after.chain_at(point)
    return len(liberties_of(after, chain)) > 1 or after.captures(color) - game.captures(color) >= len(chain)


def closed_regions(game: Game, colors: dict[int, int], region: EmptyRegion, color: int) -> list[EmptyRegion]:
    """The regions that `color` surrounds alone after its best safe move on this neutral region.

    colors -- of living_colors
    """
    local = {point: colors[point] for point in region.points | region.border}
    best: list[EmptyRegion] = []
    for move in region.points:
        after = local | {move: color}
        closed = [region for region in empty_regions(after, game.size) if region.owner(after) == color]
        if space_of(closed) > space_of(best) and can_stand(game, color, move):
            best = closed
    return best


def space_of(regions: Iterable[EmptyRegion]) -> int:
    """The number of points in all regions together."""
    return sum(len(region.points) for region in regions)


def find_seki(game: Game, dead: Collection[int]) -> set[int]:
    """The living stones without two eyes: their groups, connected through their own territory, have fewer than two points of it.

    Right when the game is over and `dead` is right: a living group without two eyes lives only because the opponent can't attack it.
    A group beside open board isn't in seki, and neither is one whose border is open where one move would close it.
    """
    colors = living_colors(game, dead)
    chains = {chain[0]: chain for chain in game.chains().values()}
    name = {stone: first for first, chain in chains.items() for stone in chain if stone not in dead}
    territory = dict.fromkeys(name.values(), 0)
    joined: dict[int, int] = {first: first for first in territory}

    def group_of(first: int) -> int:
        """The current representative of the chain's group."""
        while joined[first] != first:
            first = joined[first]
        return first

    for region in empty_regions(colors, game.size):
        groups = {group_of(name[stone]) for stone in region.border}
        if region.owner(colors) != EMPTY:
            whole = min(groups)
            territory[whole] = len(region.points) + sum(territory[group] for group in groups)
            joined.update(dict.fromkeys(groups, whole))
        elif len(region.points) > SEKI_SPACE:
            for group in groups:
                territory[group] += EYES
        else:
            for color in (BLACK, WHITE):
                for closed in closed_regions(game, colors, region, color):
                    for group in {group_of(name[stone]) for stone in closed.border if stone in name}:
                        territory[group] += len(closed.points)
    return {stone for stone, first in name.items() if territory[group_of(first)] < EYES}


def count(game: Game, dead: Collection[int], seki: Collection[int] = ()) -> Count:
    """Score the board by the rules of the game with the stones on the points `dead` removed as prisoners.

    Under territory rules the eyes of stones in `seki` are neutral. Doesn't check that whole chains are dead.
    """
    colors = living_colors(game, dead)
    is_territory = game.rules.scoring is Scoring.TERRITORY
    owners = dict(colors)
    for region in empty_regions(colors, game.size):
        is_in_seki = is_territory and not region.border.isdisjoint(seki)
        owners.update(dict.fromkeys(region.points, EMPTY if is_in_seki else region.owner(colors)))
    if not is_territory:
        points = list(owners.values())
        return Count(points.count(BLACK) - points.count(WHITE), owners)
    points = [owner for point, owner in owners.items() if colors[point] == EMPTY]
    prisoners = {
        color: game.captures(color) + sum(game.color_at(point) == BLACK + WHITE - color for point in dead) for color in (BLACK, WHITE)
    }
    return Count(points.count(BLACK) - points.count(WHITE) + prisoners[BLACK] - prisoners[WHITE], owners)
