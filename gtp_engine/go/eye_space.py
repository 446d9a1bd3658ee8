"""One small eye space by itself, searched to the end: can the walls around it be taken?

Points are numbered from 0 and sets of points are bits of a number. The walls have no liberties but those inside. Two players: the
owner, whose stones inside may join the walls, and the killer. A position is (killer's stones, owner's stones, who is to play, the
point that ko forbids); a few thousand of them at most, so the answer is found by going backward from the goal until nothing changes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

NO_POINT = 0  # the empty set


class KoFight(Enum):
    """How a ko is fought."""

    NO_THREATS = "no threats"  # neither may retake at once; a pass lifts that
    OWNER_WINS = "owner wins"  # the owner may always retake


class Goal(Enum):
    """What one of the players wants."""

    KILL = "kill"  # the killer: to take a wall
    CLEAR = "clear"  # the owner: to take the killer's last stone


@dataclass(frozen=True)
class EyeSpace:
    """The shape: everything about it that doesn't change."""

    beside: tuple[int, ...]  # for each point the set of points beside it
    walls: tuple[int, ...]  # for each chain around the set of points beside it

    @cached_property
    def everything(self) -> int:
        """The set of all points."""
        return (1 << len(self.beside)) - 1

    @cached_property
    def beside_walls(self) -> int:
        """The points where an owner's stone joins a wall."""
        return union(self.walls)


@dataclass(frozen=True)
class State:
    """One position in an eye space."""

    killers: int
    owners: int
    is_killers_turn: bool
    ko: int = NO_POINT  # where the player to move may not play


TAKEN = State(0, 0, False, 1 << 60)  # stands for every position in which a wall was taken


def union(sets: Iterable[int]) -> int:
    """The points that are in any of these sets."""
    together = 0
    for each in sets:
        together |= each
    return together


def spread(space: EyeSpace, start: int, within: int) -> int:
    """`start` and all points of `within` connected with it."""
    found = start
    while True:
        wider = found
        for i, beside in enumerate(space.beside):
            if found >> i & 1:
                wider |= beside & within
        if wider == found:
            return found
        found = wider


def touching(space: EyeSpace, points: int) -> int:
    """The set of points beside `points`."""
    found = 0
    for i, beside in enumerate(space.beside):
        if points >> i & 1:
            found |= beside
    return found


def chains(space: EyeSpace, stones: int) -> Iterator[int]:
    """The connected parts of a set of stones."""
    while stones:
        chain = spread(space, stones & -stones, stones)
        yield chain
        stones &= ~chain


def is_wall_taken(space: EyeSpace, killers: int, owners: int) -> bool:
    """Has some wall no liberty left, those of the walls and stones that it is joined with included?"""
    empty = space.everything & ~(killers | owners)
    for wall in space.walls:
        reach, before = wall, 0  # the points beside everything joined with this wall
        while reach != before:
            before = reach
            joined = union(chain for chain in chains(space, owners) if chain & reach)
            reach |= touching(space, joined) | union(other for other in space.walls if other & joined)
        if not reach & empty:
            return True
    return False


def without_liberties(space: EyeSpace, stones: int, occupied: int) -> int:
    """The stones whose chains touch no empty point."""
    return union(chain for chain in chains(space, stones) if not touching(space, chain) & ~occupied)


def free_chains(space: EyeSpace, owners: int) -> int:
    """The owner's stones that are not joined with a wall."""
    return union(chain for chain in chains(space, owners) if not chain & space.beside_walls)


def killer_plays(space: EyeSpace, state: State, point: int) -> State | None:
    """The position after the killer's move; None when it is suicide."""
    killers, owners = state.killers | point, state.owners
    if is_wall_taken(space, killers, owners):
        return TAKEN
    taken = without_liberties(space, free_chains(space, owners), killers | owners)
    owners &= ~taken
    if without_liberties(space, killers, killers | owners):
        return None
    return State(killers, owners, False, ko_after(space, point, taken, killers, killers | owners))


def owner_plays(space: EyeSpace, state: State, point: int) -> State | None:
    """The position after the owner's move; None when it is suicide."""
    killers, owners = state.killers, state.owners | point
    taken = without_liberties(space, killers, killers | owners)
    killers &= ~taken
    free = free_chains(space, owners)
    if is_wall_taken(space, killers, owners) or without_liberties(space, free, killers | owners):
        return None
    ko = ko_after(space, point, taken, owners, killers | owners) if point & free else NO_POINT
    return State(killers, owners, True, ko)


def ko_after(space: EyeSpace, point: int, taken: int, own: int, occupied: int) -> int:
    """The single stone just taken, when the lone stone that took it stands in atari there."""
    is_single = taken and not taken & (taken - 1)
    is_lone = spread(space, point, own) == point
    return taken if is_single and is_lone and touching(space, point) & space.everything & ~occupied == taken else NO_POINT


def successors(space: EyeSpace, state: State, ko: KoFight) -> Iterator[State]:
    """Every position one move or pass away."""
    yield State(state.killers, state.owners, not state.is_killers_turn)
    empty = space.everything & ~(state.killers | state.owners)
    if state.is_killers_turn or ko is KoFight.NO_THREATS:
        empty &= ~state.ko
    while empty:
        point = empty & -empty
        empty &= ~point
        after = killer_plays(space, state, point) if state.is_killers_turn else owner_plays(space, state, point)
        if after is not None:
            yield after


def is_reached(goal: Goal, state: State) -> bool:
    """Is this what the player wanted?"""
    return state is TAKEN if goal is Goal.KILL else state.is_killers_turn and not state.killers


def can_force(space: EyeSpace, start: State, goal: Goal, ko: KoFight) -> bool:
    """Can the player who wants `goal` reach it from `start` in finitely many moves, whatever the other does?"""
    after: dict[State, set[State]] = {}
    won: set[State] = set()
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if is_reached(goal, state):
            won.add(state)
        elif state is not TAKEN and state not in after:
            after[state] = set(successors(space, state, ko))
            waiting += after[state]
    while start not in won:
        news = {
            state
            for state, states in after.items()
            if state not in won and (not states.isdisjoint(won) if state.is_killers_turn == (goal is Goal.KILL) else states <= won)
        }
        if not news:
            return False
        won |= news
    return True


@lru_cache(maxsize=1_000)
def can_kill(space: EyeSpace, killers: int, killer_first: bool, ko: KoFight) -> bool:
    """Can the killer, with the stones `killers` inside, take some wall?"""
    return can_force(space, State(killers, 0, killer_first), Goal.KILL, ko)


@lru_cache(maxsize=1_000)
def can_capture_invaders(space: EyeSpace, killers: int) -> bool:
    """Can the owner, playing first, take all of the killer's stones inside, so that none is left for a moment? False in a seki."""
    return can_force(space, State(killers, 0, False), Goal.CLEAR, KoFight.NO_THREATS)
