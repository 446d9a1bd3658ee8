"""Record a search as a tree: every move that it tried, its value, and the moves that it never tried. `picture.py` draws the tree.

A search takes a `Recorder` in place of its `Counter`. `recordings.py` does so for every search.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from gtp_engine.textbook.counter import Counter, P
from gtp_engine.textbook.game import CHANCE, SECOND, Move, Position

MOST_BRANCHES = 3_000  # a larger picture is unreadable
EXACT, AT_LEAST, AT_MOST = "", "≥", "≤"  # the relation of the true value to the recorded one
TURNED = {EXACT: EXACT, AT_LEAST: AT_MOST, AT_MOST: AT_LEAST}  # the relation after a change of sign


@dataclass
class Branch:
    """A position that a search visited or left out."""

    position: Position
    move: Move = ""  # from the parent; empty for the root
    value: float | None = None  # None: not searched
    relation: str = EXACT
    values: tuple[float, ...] = ()  # for each player, if the search computes them all
    visits: int | None = None  # rounds of Monte Carlo tree search; None for other searches
    is_best: bool = False  # is it the search's choice?
    children: list["Branch"] = field(default_factory=list)

    def count(self) -> int:
        """Return the number of branches in this subtree, including this one."""
        return 1 + sum(child.count() for child in self.children)


def require_nothing(position: Position) -> None:
    """Accept every position: the default of Recorder."""


class Recorder(Counter):
    """A Counter that keeps the tree of one search. `require` is called with every position and raises ValueError for unsuitable ones."""

    def __init__(self, position: Position, require: Callable[[Position], None] = require_nothing) -> None:
        super().__init__()
        self.require = require
        self.root = Branch(position)
        self.path = [self.root]  # from the root to the current position of the search

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


# ---------------------------------------------------------------- interpreting the recorded values


def walk(branch: Branch, visit: Callable[[Branch], None]) -> Branch:
    """Call `visit` for every branch, children before parents, and return the root."""
    for child in branch.children:
        walk(child, visit)
    visit(branch)
    return branch


def mark_bounds(root: Branch) -> Branch:
    """Mark the values of an alpha-beta search that are only bounds, and return the root. All values are for the player to move.

    If moves were left out, the value is a lower bound. If all were tried, it is exact if the best move's value is exact; otherwise it is
    an upper bound.
    """

    def mark(branch: Branch) -> None:
        """Set the relation of one branch."""
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
    """Add the moves that the search left out in the positions that it searched, and return the root."""

    def add(branch: Branch) -> None:
        """Add the untried moves of one position."""
        tried = {child.move for child in branch.children}
        if tried:
            moves = [move for move in branch.position.legal_moves() if move not in tried]
            branch.children += [Branch(branch.position.apply_move(move), move) for move in moves]

    return walk(root, add)


def seen_by_first(root: Branch) -> Branch:
    """Turn values for the player to move into values for the first player, and return the root."""

    def turn(branch: Branch) -> None:
        if branch.value is not None and branch.position.next_player == SECOND:
            branch.value, branch.relation = -branch.value + 0.0, TURNED[branch.relation]

    return walk(root, turn)


def mark_best(root: Branch) -> Branch:
    """Mark the first child with its parent's value wherever a player chooses, and return the root."""

    def mark(branch: Branch) -> None:
        """Mark one child of a branch."""
        if branch.position.next_player == CHANCE:
            return
        best = next((child for child in branch.children if child.value == branch.value), None)
        if best is not None:
            best.is_best = True

    return walk(root, mark)


def describe(root: Branch) -> str:
    """Return a text about the size of the tree and the meaning of its values."""
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
