"""The part of the board that a question of life and death is about, as numbered points. Plain Python.

Both sides play only on the empty points of the region, and where stones were taken. So a chain with a liberty elsewhere can't be taken. On
the whole board this is proved for stones with two eyes and assumed for others: see `assumed`.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from gtp_engine.engine.solver.bits import ATTACKER, MOST_POINTS
from gtp_engine.go.count import liberties_of, neighbor_table
from gtp_engine.go.game import Game
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, EMPTY, WHITE, opponent, vertices

OPEN_SPACE = 10  # empty points outside the region with which a chain beside them is assumed to be safe: enough space for two eyes


class RegionError(ValueError):
    """A question that can't be asked; str() is a sentence for the user that says what to do."""


class OpenRegionError(RegionError):
    """The user must name the region: str() says why, and the caller adds how to do it."""


@dataclass(frozen=True)
class Region:
    """The points and stones that a question is about. Sets of points are numbers: bit i stands for points[i]."""

    size: int  # of the board
    attacker: int  # the color of the attacker
    points: tuple[int, ...]  # the empty points to play on and the points of stones that can be taken
    stones: tuple[int, int]  # by side: its stones that can be taken
    targets: int  # the defender's stones, all of which the attacker must take
    ko: int  # the point where the player to move may not retake, or 0
    to_play: int  # the color to play in the given position, to which alone `ko` applies
    safe_beside: tuple[int, int]  # by side: the points where its stones can't be taken because of stones or empty points outside
    assumed: frozenset[int]  # points of stones beside the region that are assumed to be safe without a proof

    def color(self, side: int) -> int:
        """BLACK or WHITE for ATTACKER or DEFENDER."""
        return self.attacker if side == ATTACKER else opponent(self.attacker)

    def empty_count(self) -> int:
        """The number of points that are empty at first."""
        return len(self.points) - sum(side.bit_count() for side in self.stones)


def find_region(game: Game, targets: Collection[int], marked: Collection[int] = ()) -> Region:
    """The region of a question about the stones on `targets`, all of one color. Both sides play on the `marked` empty points;
    without marks the points are found.

    Raises RegionError for targets that are empty points or of two colors, for marks that leave a target a liberty, and for a region
    that is too large.
    """
    colors = {game.color_at(point) for point in targets}
    if not targets or EMPTY in colors:
        empty = vertices(point for point in targets if game.color_at(point) == EMPTY)
        raise RegionError(
            f"there is no stone on {empty}; name a stone of the chain in question" if empty else "no stone is marked as target"
        )
    if len(colors) > 1:
        raise RegionError("the targets have both colors; mark stones of one color")
    defender = colors.pop()
    stones = {stone for point in targets for stone in game.chain_at(point)}
    safe = safe_stones(game)
    playable = set(marked) or find_playable(game, stones, safe)
    return build_region(game, stones, opponent(defender), playable, safe)


def safe_stones(game: Game) -> set[int]:
    """The stones that nobody can take. Dead stones inside the area of the other color don't count."""
    colors = game.colors()
    return {point for color in (BLACK, WHITE) for point in safe_area(game, color) if colors[point] == color}


def find_playable(game: Game, targets: set[int], safe: set[int], doubted: Collection[int] = (), space: int = OPEN_SPACE) -> set[int]:
    """The empty points that matter for the targets: those enclosed with them, and the liberties of every chain in the same fight.

    A chain is not in the fight if it is among `safe`, or if it has `space` empty points of its own and isn't among `doubted`.
    """
    playable: set[int] = set()
    chains: set[int] = set()
    waiting = list(targets)
    while waiting:
        stone = waiting.pop()
        if stone in chains:
            continue
        chain = game.chain_at(stone)
        chains.update(chain)
        if stone not in targets and (stone in safe or (stone not in doubted and is_open(game, chain, playable, space))):
            continue
        fresh = spread_empty(game, liberties_of(game, chain) - playable)
        playable |= fresh
        waiting += stones_beside(game, [*fresh, *chain])
    return playable


def stones_beside(game: Game, points: Iterable[int]) -> set[int]:
    """The stones beside any of the points."""
    colors, beside = game.colors(), neighbor_table(game.size)
    return {other for point in points for other in beside[point] if colors[other] != EMPTY}


def spread_empty(game: Game, start: set[int]) -> set[int]:
    """The empty points connected to `start` through empty points."""
    colors, beside = game.colors(), neighbor_table(game.size)
    space, waiting = set(start), list(start)
    while waiting:
        for other in beside[waiting.pop()]:
            if colors[other] == EMPTY and other not in space:
                space.add(other)
                waiting.append(other)
    return space


def is_open(game: Game, chain: list[int], playable: set[int], enough: int = OPEN_SPACE) -> bool:
    """True if the chain reaches `enough` empty points without crossing the other color or the region."""
    colors, beside, space = game.colors(), neighbor_table(game.size), 0
    color = colors[chain[0]]
    points, waiting = set(chain), list(chain)
    while waiting:
        for other in beside[waiting.pop()]:
            if other in points or other in playable:
                continue
            occupant = colors[other]
            if occupant != EMPTY and occupant != color:
                continue
            points.add(other)
            waiting.append(other)
            space += occupant == EMPTY
            if space >= enough:
                return True
    return False


def build_region(game: Game, targets: set[int], attacker: int, playable: set[int], safe: set[int]) -> Region:
    """The region with these empty points to play on."""
    open_liberties = liberties_of(game, targets) - playable
    if open_liberties:
        names = vertices(sorted(open_liberties))
        raise OpenRegionError(f"the target has liberties outside the region: {names}")
    return make_region(game, targets, attacker, playable, safe)


def make_region(game: Game, targets: set[int], attacker: int, playable: set[int], safe: set[int]) -> Region:
    """Like build_region, but targets may have liberties elsewhere, which nobody can fill."""
    chains = {chain[0]: chain for chain in map(game.chain_at, stones_beside(game, playable) | targets)}
    can_be_taken = {stone for chain in chains.values() if liberties_of(game, chain) <= playable for stone in chain}
    points = sorted(playable | can_be_taken)
    if len(points) > MOST_POINTS:
        raise OpenRegionError(
            f"the region has {len(playable)} empty points and {len(can_be_taken)} stones, and at most {MOST_POINTS} points can be searched"
        )
    defender = opponent(attacker)
    bit = {point: 1 << i for i, point in enumerate(points)}
    colors, around = game.colors(), neighbor_table(game.size)
    beside = {point: [other for other in around[point] if other not in bit] for point in points}
    outside = {stone for others in beside.values() for stone in others if colors[stone] != EMPTY}
    return Region(
        size=game.size,
        attacker=attacker,
        points=tuple(points),
        stones=(stones_of(game, bit, attacker), stones_of(game, bit, defender)),
        targets=sum(bit[stone] for stone in targets if stone in bit),
        ko=bit.get(game.ko_point(), 0),
        to_play=game.to_play,
        safe_beside=(safe_points(game, bit, beside, attacker), safe_points(game, bit, beside, defender)),
        assumed=frozenset(stone for first in outside - safe for stone in game.chain_at(first)),
    )


def stones_of(game: Game, bit: dict[int, int], color: int) -> int:
    """The stones of a color in the region."""
    colors = game.colors()
    return sum(value for point, value in bit.items() if colors[point] == color)


def safe_points(game: Game, bit: dict[int, int], beside: dict[int, list[int]], color: int) -> int:
    """The points of the region beside a stone of `color` or an empty point outside it."""
    colors, good = game.colors(), (color, EMPTY)
    return sum(value for point, value in bit.items() if any(colors[other] in good for other in beside[point]))
