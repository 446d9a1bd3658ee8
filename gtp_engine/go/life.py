"""Life and death that can be proved: chains that nobody can ever take, and groups with one small eye space.

Playouts judge a whole board fairly and single groups badly: both sides blunder inside small eyes. What is proved here overrides them.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np

from gtp_engine.go.benson import BENSON, mark_safe_points
from gtp_engine.go.count import EmptyRegion, empty_regions, living_colors, neighbors
from gtp_engine.go.eye_space import EyeSpace, KoFight, can_capture_invaders, can_kill, union
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, POINTS, board_points, opponent
from gtp_engine.go.rules import Scoring

LARGEST_SPACE = 6  # points: in a larger one two eyes can be made, and the proof would take long
LARGEST_GAP = 3  # points: neutral gaps up to this size between a group and those who surround it can't become an eye

Chain = frozenset[int]


class Life(Enum):
    """What is proved of a group."""

    ALIVE = "alive"  # can't be taken, whoever plays first
    DEAD = "dead"  # is lost even when its owner plays first
    UNSETTLED = "unsettled"  # depends on who plays first, or on a ko


@dataclass(frozen=True)
class Enclosure:
    """A small connected region without stones of `color`, walled in by chains of `color`."""

    color: int
    points: frozenset[int]
    walls: frozenset[Chain]


@dataclass(frozen=True)
class Finding:
    """What is proved of the walls of one eye space, and of the opponent's stones inside."""

    enclosure: Enclosure
    life: Life
    invaders_are_dead: bool  # True also when there are none; only told of the living


def chains_of(game: Game, color: int) -> set[Chain]:
    """Every chain of `color`."""
    colors = game.colors()
    return {frozenset(chain) for point, chain in game.chains().items() if colors[point] == color and chain[0] == point}


def enclosures(game: Game, color: int, chains: set[Chain]) -> Iterator[Enclosure]:
    """Every connected region without stones of `color` that has chains of it at its border, whatever its size."""
    chain_at = {point: chain for chain in chains for point in chain}
    colors = game.colors()
    masked = {point: EMPTY if colors[point] != color else color for point in board_points(game.size)}
    for region in empty_regions(masked, game.size):
        if region.border:
            yield Enclosure(color, region.points, frozenset(chain_at[point] for point in region.border))


def safe_area(game: Game, color: int) -> set[int]:
    """The stones of `color` that stay on the board even when `color` always passes, and the points that are then its own (benson.py)."""
    safe = np.empty(POINTS, np.uint8)
    mark_safe_points(game.positions, 0, color, np.empty(1, BENSON), safe)
    return set(np.flatnonzero(safe).tolist())


def judge_eye_spaces(game: Game, living: Collection[int]) -> Iterator[Finding]:
    """What can be proved of every group with a small eye space. Says nothing of a group that may have more than this one space.

    `living` are stones taken to live: only groups that are surrounded by such can be found dead.

    Under territory rules a ko for life is fought without threats, as when the players confirm what is dead after the game; under
    area rules the owner wins it, since it must really be fought.
    """
    for color in (BLACK, opponent(BLACK)):
        spaces = list(enclosures(game, color, chains_of(game, color)))
        for space in spaces:
            if len(space.points) <= LARGEST_SPACE:
                finding = judge_eye_space(game, space, spaces, living)
                if finding is not None:
                    yield finding


def judge_eye_space(game: Game, enclosure: Enclosure, all_enclosures: list[Enclosure], living: Collection[int]) -> Finding | None:
    """The finding about one of the enclosures of a color, or None when nothing is proved."""
    space, killers = small_space(game, enclosure)
    if not can_kill(space, killers, True, KoFight.NO_THREATS):
        return Finding(enclosure, Life.ALIVE, not killers or can_capture_invaders(space, killers))
    if not is_surrounded(game, enclosure, living) or not is_whole_eye_space(game, enclosure, all_enclosures):
        return None
    united = EyeSpace(space.beside, (union(space.walls),))  # the walls are taken for connected: the best that their owner can hope for
    ko = KoFight.NO_THREATS if game.rules.scoring is Scoring.TERRITORY else KoFight.OWNER_WINS
    is_dead = can_kill(united, killers, False, ko)
    return Finding(enclosure, Life.DEAD if is_dead else Life.UNSETTLED, False)


def small_space(game: Game, enclosure: Enclosure) -> tuple[EyeSpace, int]:
    """The space by itself, with its points numbered, and the set of opponent's stones in it."""
    order = sorted(enclosure.points)
    bit = {point: 1 << i for i, point in enumerate(order)}
    beside = tuple(sum(bit.get(other, 0) for other in neighbors(point, game.size)) for point in order)
    walls = tuple(union({bit.get(other, 0) for stone in chain for other in neighbors(stone, game.size)}) for chain in enclosure.walls)
    return EyeSpace(beside, walls), sum(bit[point] for point in order if game.color_at(point) != EMPTY)


def is_surrounded(game: Game, enclosure: Enclosure, living: Collection[int]) -> bool:
    """Are all of the opponent's stones that touch the walls from outside among the living?"""
    beside = {other for chain in enclosure.walls for stone in chain for other in neighbors(stone, game.size)}
    return all(point in living for point in beside - enclosure.points if game.color_at(point) == opponent(enclosure.color))


def is_whole_eye_space(game: Game, enclosure: Enclosure, all_enclosures: list[Enclosure]) -> bool:
    """Have the walls nothing else to live on: no other enclosure of their own, no way out, only small neutral gaps around?"""
    if any(other != enclosure and other.walls & enclosure.walls and is_own(game, other) for other in all_enclosures):
        return False
    stones = {stone for chain in enclosure.walls for stone in chain}
    colors = living_colors(game, ())
    outside = [region for region in empty_regions(colors, game.size) if region.border & stones and not region.points <= enclosure.points]
    return all(is_gap(game, region, stones, enclosure.color) for region in outside)


def is_own(game: Game, enclosure: Enclosure) -> bool:
    """Is this other enclosure part of the group's eye space, rather than the board outside with stones that surround the group?"""
    return all(game.color_at(point) == EMPTY for point in enclosure.points) or len(enclosure.points) <= LARGEST_SPACE


def is_gap(game: Game, region: EmptyRegion, stones: set[int], color: int) -> bool:
    """Is this empty region too small for an eye, and does it lead from the group to the opponent's stones only?"""
    own = {point for point in region.border if game.color_at(point) == color}
    return len(region.points) <= LARGEST_GAP and own <= stones and own != region.border
