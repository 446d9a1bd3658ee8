"""Life and death without any cleverness: every position of a small region, and backward from the goal until nothing changes.

Plain tuples and sets; shares nothing with the solver but the numbers of points and the names of the sides.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, CAPTURE_ANY, DEFENDER, TWO_EYES
from gtp_engine.engine.solver.region import Region
from gtp_engine.go.points import BLACK, EMPTY, STRIDE, board_points, opponent

PASSES_TO_END = 2  # in a row: the game is over, and whatever was not taken stays


class TooLarge(Exception):
    """More positions than a test wants to wait for."""


@dataclass(frozen=True)
class State:
    """One position and all that the future depends on."""

    colors: tuple[int, ...]  # in the order of board_points
    targets: frozenset[int]  # indices of the targets never taken
    to_play: int  # BLACK or WHITE
    ko: int | None  # the index where to_play may not retake
    passes: int  # in a row just now


@lru_cache
def neighbors(size: int) -> tuple[tuple[int, ...], ...]:
    """For each point, by index, the indices of those beside it."""
    index = {point: i for i, point in enumerate(board_points(size))}
    return tuple(tuple(index[p + step] for step in (1, -1, STRIDE, -STRIDE) if p + step in index) for p in index)


def chain_of(colors: tuple[int, ...], start: int, size: int) -> tuple[set[int], bool]:
    """The chain's stones, and whether it has a liberty."""
    chain, waiting, has_liberty = {start}, [start], False
    while waiting:
        for other in neighbors(size)[waiting.pop()]:
            if colors[other] == EMPTY:
                has_liberty = True
            elif colors[other] == colors[start] and other not in chain:
                chain.add(other)
                waiting.append(other)
    return chain, has_liberty


class Reference:
    """Answers the same questions as solver.Question about a region, slowly. Raises TooLarge."""

    def __init__(self, region: Region, colors: tuple[int, ...], goal: int, ko_winner: int, most_states: int) -> None:
        self.region, self.goal, self.most_states = region, goal, most_states
        index = {point: i for i, point in enumerate(board_points(region.size))}
        self.allowed = [index[point] for point in region.points]
        self.targets = frozenset(index[point] for i, point in enumerate(region.points) if region.targets >> i & 1)
        self.colors = colors
        self.prover = region.color(DEFENDER if goal == TWO_EYES else ATTACKER)
        self.ko_winner = region.color(ko_winner) if ko_winner in (ATTACKER, DEFENDER) else None
        self.ko = index[region.points[region.ko.bit_length() - 1]] if region.ko else None

    def start(self, side: int) -> State:
        """The position that was given, with `side` to play."""
        color = self.region.color(side)
        return State(self.colors, self.targets, color, self.ko if color == self.region.to_play else None, 0)

    def moves(self, state: State) -> Iterator[State]:
        """Every position one move or pass away."""
        other = opponent(state.to_play)
        yield State(state.colors, state.targets, other, None, state.passes + 1)
        for point in self.allowed:
            is_banned = point == state.ko and state.to_play != self.ko_winner
            if state.colors[point] == EMPTY and not is_banned:
                after = self.play(state, point)
                if after is not None:
                    yield after

    def play(self, state: State, point: int) -> State | None:
        """The position after a stone on `point`; None for suicide."""
        size, other = self.region.size, opponent(state.to_play)
        colors = list(state.colors)
        colors[point] = state.to_play
        taken: set[int] = set()
        for beside in neighbors(size)[point]:
            if colors[beside] == other:
                chain, has_liberty = chain_of(tuple(colors), beside, size)
                if not has_liberty:
                    taken |= chain
        for stone in taken:
            colors[stone] = EMPTY
        own, has_liberty = chain_of(tuple(colors), point, size)
        if not has_liberty:
            return None
        liberties = {beside for stone in own for beside in neighbors(size)[stone] if colors[beside] == EMPTY}
        ko = min(taken) if len(taken) == 1 and len(own) == 1 and liberties == taken else None
        return State(tuple(colors), state.targets - taken, other, ko, 0)

    def is_living(self, state: State) -> bool:
        """Can the attacker, playing alone, not take every target?"""
        attacker = self.region.attacker
        seen, waiting = {state.colors: state.targets}, [(state.colors, state.targets)]
        while waiting:
            colors, targets = waiting.pop()
            for after in self.moves(State(colors, targets, attacker, None, 0)):
                if not after.targets:
                    return False
                if after.colors not in seen or not seen[after.colors] <= after.targets:
                    seen[after.colors] = after.targets
                    waiting.append((after.colors, after.targets))
            if len(seen) > self.most_states:
                raise TooLarge
        return True

    def is_reached(self, state: State) -> bool:
        """Is this the prover's goal?"""
        if self.goal == CAPTURE:
            return not state.targets
        if self.goal == CAPTURE_ANY:
            return state.targets != self.targets
        return bool(state.targets) and state.to_play == self.region.attacker and self.is_living(state)

    def is_over(self, state: State) -> bool:
        """Does nothing come after this?"""
        return not state.targets or state.passes == PASSES_TO_END or self.is_reached(state)

    def can_force(self, side: int) -> bool:
        """Can the prover reach its goal in finitely many moves, `side` playing first, whatever the other does?"""
        start = self.start(side)
        after: dict[State, list[State]] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state not in after:
                after[state] = [] if self.is_over(state) else list(self.moves(state))
                waiting += after[state]
                if len(after) > self.most_states:
                    raise TooLarge
        before: dict[State, list[State]] = {state: [] for state in after}
        for state, states in after.items():
            for other in states:
                before[other].append(state)
        won = {state for state in after if self.is_reached(state)}
        waiting, left = list(won), {state: len(states) for state, states in after.items()}
        while waiting:  # backward from the goal
            for state in before[waiting.pop()]:
                left[state] -= 1
                if state not in won and (state.to_play == self.prover or left[state] == 0):
                    won.add(state)
                    waiting.append(state)
        return start in won


def colors_of(black: set[int], white: set[int], size: int) -> tuple[int, ...]:
    """A board as State has it."""
    return tuple(BLACK if p in black else opponent(BLACK) if p in white else EMPTY for p in board_points(size))
