"""Kinds of problems, judged by a position's proof: nakade, throw-in, ladder ... And the shapes to draw for each kind."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.engine.solver.status import Outcome, Report
from gtp_engine.go.count import liberties_of, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import EMPTY, opponent, point_at
from gtp_engine.tools.problems.shapes import Local, chase, eye_space, hunt, ladder, race

RACING_STONES = 3  # of the attacker that can be taken in a race
LADDER_ATARIS = 4  # one after the other


@dataclass(frozen=True)
class Solved:
    """A position with its proof, for the side that plays."""

    game: Game
    local: Local
    targets: frozenset[int]
    attacker: int  # color
    report: Report
    nodes: int

    @property
    def color(self) -> int:
        """The color of the side that plays."""
        return self.attacker if self.report.side == ATTACKER else opponent(self.attacker)


Draw = Callable[[random.Random, int], Local]
Test = Callable[[Solved], bool]


def small_eye(rng: random.Random, size: int) -> Local:
    """A closed eye space of three to seven points."""
    return eye_space(rng, size, (3, 7), 0, 1)


def any_eye(rng: random.Random, size: int) -> Local:
    """An eye space with gaps or stones in it."""
    return eye_space(rng, size, (4, 10), 3, 3)


def any_shape(rng: random.Random, size: int) -> Local:
    """A shape of any kind."""
    return rng.choice((any_eye, race, chase, hunt))(rng, size)


def attacks(solved: Solved) -> bool:
    """True if the attacker plays and takes the targets."""
    return solved.report.side == ATTACKER and solved.report.outcome is Outcome.DEAD


def lives(solved: Solved) -> bool:
    """True if the defender plays and lives."""
    return solved.report.side == DEFENDER and solved.report.outcome is Outcome.ALIVE


def is_nakade(solved: Solved) -> bool:
    """True if one move inside the eye space kills."""
    space = {point_at(*point) for point in solved.local.space}
    return attacks(solved) and len(solved.report.moves) == 1 and set(solved.report.moves) <= space


def is_race(solved: Solved) -> bool:
    """True if the attacker has stones beside the targets that can be taken."""
    game, inside = solved.game, {point_at(*point) for point in solved.local.inside}
    beside = {other for point in solved.targets for other in neighbors(point, game.size) if game.color_at(other) == solved.attacker}
    chains = [set(game.chain_at(point)) for point in beside]
    racing = [chain for chain in chains if len(chain) >= RACING_STONES and chain <= inside]
    return bool(racing) and solved.report.outcome in (Outcome.DEAD, Outcome.ALIVE)


def is_throw_in(solved: Solved) -> bool:
    """True if every right move puts a stone where it can be taken at once."""
    return all(offers_stones(solved.game, solved.color, point) for point in solved.report.moves)


def offers_stones(game: Game, color: int, point: int) -> bool:
    """True if this move takes nothing and its chain has one liberty."""
    after = game.copy()
    after.play(color, point)
    return len(liberties_of(after, after.chain_at(point))) == 1 and after.captures(color) == game.captures(color)


def is_connect_and_die(solved: Solved) -> bool:
    """True if a chain of three or more stones is taken right after a stone was added to it."""
    previous, game, color = 0, solved.game.copy(), solved.color
    for point in solved.report.line:
        if point < 0:
            return False
        stood = len(game.chain_at(previous)) if previous else 0
        game.play(color, point)
        if stood >= 3 and game.color_at(previous) == EMPTY:
            return True
        previous, color = point, opponent(color)
    return False


def is_ladder(solved: Solved) -> bool:
    """True if the targets are taken by one atari after the other, from which they run."""
    if not attacks(solved):
        return False
    game, color, target, ataris = solved.game.copy(), solved.color, min(solved.targets), 0
    for point in solved.report.line:
        if point < 0 or game.color_at(target) == EMPTY:
            break
        game.play(color, point)
        if color == solved.attacker and game.color_at(target) != EMPTY:
            if len(liberties_of(game, game.chain_at(target))) > 1:
                break
            ataris += 1
        color = opponent(color)
    return ataris >= LADDER_ATARIS


def is_net(solved: Solved) -> bool:
    """True if the targets are caught from a distance: every right move is one step off their liberties, of which they have at least two."""
    free = set().union(*(liberties_of(solved.game, solved.game.chain_at(target)) for target in solved.targets))
    near = {other for point in free for other in neighbors(point, solved.game.size)}
    return attacks(solved) and len(free) >= 2 and set(solved.report.moves) <= near - free


def is_under_the_stones(solved: Solved) -> bool:
    """True if a move is played where two or more stones of the same color were taken before."""
    game, color = solved.game.copy(), solved.color
    taken: dict[int, int] = {}
    for point in solved.report.line:
        if point < 0:
            return False
        if taken.get(point) == color:
            return True
        theirs = set(game.stones(opponent(color)))
        game.play(color, point)
        gone = theirs - set(game.stones(opponent(color)))
        if len(gone) >= 2:
            taken.update(dict.fromkeys(gone, opponent(color)))
        color = opponent(color)
    return False


KINDS: dict[str, tuple[Draw, Test]] = {
    "kill": (any_eye, attacks),
    "live": (any_eye, lives),
    "nakade": (small_eye, is_nakade),
    "throw-in": (any_eye, is_throw_in),
    "ko": (any_eye, lambda solved: solved.report.outcome is Outcome.KO),
    "seki": (any_shape, lambda solved: solved.report.outcome is Outcome.SEKI),
    "semeai": (race, is_race),
    "capture": (chase, attacks),
    "ladder": (ladder, is_ladder),
    "net": (hunt, is_net),
    "connect-and-die": (any_shape, is_connect_and_die),
    "under-the-stones": (any_shape, is_under_the_stones),
}
