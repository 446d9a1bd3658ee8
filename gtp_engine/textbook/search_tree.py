"""What a search looked at, kept as a tree: every move tried, the value found, and the moves that were never tried. `picture.py` draws it.

`Recorder` is handed to a search in place of its `Counter`; `recordings.py` does that for every search.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from gtp_engine.textbook.counter import Counter, P
from gtp_engine.textbook.game import CHANCE, SECOND, Move, Position

MOST_BRANCHES = 3_000  # nobody reads a larger picture
EXACT, AT_LEAST, AT_MOST = "", "≥", "≤"  # what a value says about the true one
TURNED = {EXACT: EXACT, AT_LEAST: AT_MOST, AT_MOST: AT_LEAST}  # when its sign is turned


@dataclass
class Branch:
    """A position that a search came to, or passed by."""

    position: Position
    move: Move = ""  # that led here; empty for the root
    value: float | None = None  # None: not looked at
    relation: str = EXACT
    values: tuple[float, ...] = ()  # for each player, where the search finds them all
    visits: int | None = None  # rounds of Monte Carlo tree search; None for other searches
    is_best: bool = False  # is it what the search would play?
    children: list["Branch"] = field(default_factory=list)

    def count(self) -> int:
        """This branch and all below."""
        return 1 + sum(child.count() for child in self.children)


def require_nothing(position: Position) -> None:
    """The default of Recorder."""


class Recorder(Counter):
    """A Counter that keeps the tree of one search. `require` is called with every position, to raise ValueError for what can't be."""

    def __init__(self, position: Position, require: Callable[[Position], None] = require_nothing) -> None:
        super().__init__()
        self.require = require
        self.root = Branch(position)
        self.path = [self.root]  # from the root to where the search is

    def descend(self, position: P, move: Move) -> P:
        """See Counter. Raises ValueError for a tree of more than MOST_BRANCHES positions, and as `require` does."""
        after = super().descend(position, move)
        self.require(after)
        if self.nodes >= MOST_BRANCHES:
            raise ValueError(f"a tree of more than {MOST_BRANCHES} positions is too large for a picture: look less deep")
        child = Branch(after, move)
        self.path[-1].children.append(child)
        self.path.append(child)
        return after

    def leave(self, value: float) -> float:
        """See Counter."""
        self.path.pop().value = value
        return value


# ---------------------------------------------------------------- what the recorded values mean


def walk(branch: Branch, visit: Callable[[Branch], None]) -> Branch:
    """Call `visit` for every branch, children before parents; gives the root back."""
    for child in branch.children:
        walk(child, visit)
    visit(branch)
    return branch


def mark_bounds(root: Branch) -> Branch:
    """Say which values of an alpha-beta search are only bounds. All values are for the player to move.

    Where moves were left out, the value is at least what was found. Where all were tried, it is as good as the best one: exact, or
    at most that, if the opponent's reply there was itself only a bound.
    """

    def mark(branch: Branch) -> None:
        """Say of one branch whether its value is exact."""
        if not branch.children:
            return
        best = [child for child in branch.children if child.value is not None and -child.value == branch.value]
        if len(branch.children) < len(branch.position.legal_moves()):
            branch.relation = AT_LEAST
        elif not any(child.relation == EXACT for child in best):
            branch.relation = TURNED[best[0].relation]

    walk(root, mark)
    root.relation = EXACT  # the window at the root is open
    return root


def add_untried(root: Branch) -> Branch:
    """Add the moves that the search left out of the positions that it did look into."""

    def add(branch: Branch) -> None:
        """The moves of one position."""
        tried = {child.move for child in branch.children}
        if tried:
            moves = [move for move in branch.position.legal_moves() if move not in tried]
            branch.children += [Branch(branch.position.apply_move(move), move) for move in moves]

    return walk(root, add)


def seen_by_first(root: Branch) -> Branch:
    """Values for the player to move become values for the first player."""

    def turn(branch: Branch) -> None:
        if branch.value is not None and branch.position.next_player == SECOND:
            branch.value, branch.relation = -branch.value + 0.0, TURNED[branch.relation]

    return walk(root, turn)


def mark_best(root: Branch) -> Branch:
    """Mark the first child whose value is its parent's, wherever a player chooses."""

    def mark(branch: Branch) -> None:
        """Mark one child of a branch."""
        if branch.position.next_player == CHANCE:
            return
        best = next((child for child in branch.children if child.value == branch.value), None)
        if best is not None:
            best.is_best = True

    return walk(root, mark)


def describe(root: Branch) -> str:
    """The size of the tree in words."""
    if root.visits is not None:
        return f"{root.visits} rounds; win rates of the first player"
    evaluated, untried = 0, 0

    def count(branch: Branch) -> None:
        """Count one branch."""
        nonlocal evaluated, untried
        evaluated += branch.value is not None
        untried += branch.value is None

    walk(root, count)
    cut = f", {untried} branches cut off" if untried else ""
    players = "each player" if root.values else "the first player"
    return f"{evaluated} positions looked at{cut}; values are for {players}"
