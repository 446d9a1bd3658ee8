"""A game written down in full: every position a node, every finished game a number. For worked examples, and to test searches on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

from gtp_engine.textbook.game import CHANCE, FIRST, Move, Position

# a result for the first player, or what the moves lead to
Nested: TypeAlias = "float | Sequence[Nested] | Mapping[Move, Nested]"


@dataclass(frozen=True, slots=True)
class ExplicitTree(Position):
    """A node: either a finished game with a utility for each player, or someone's choice among branches, each a move and a node."""

    utilities: tuple[float, ...] = ()  # of a finished game, by player
    mover: int = FIRST
    branches: tuple[tuple[Move, "ExplicitTree"], ...] = ()
    probabilities: tuple[float, ...] = ()  # of the branches where chance moves

    @property
    def players(self) -> int:
        """As many as there are utilities in a finished game."""
        node = self
        while node.branches:
            node = node.branches[0][1]
        return len(node.utilities)

    @property
    def next_player(self) -> int:
        """Who chooses a branch; of a finished game in `alternating`, who would."""
        return self.mover

    def legal_moves(self) -> list[Move]:
        """The branches, in the order in which they were written."""
        return [move for move, _ in self.branches]

    def is_over(self) -> bool:
        """Is this a leaf?"""
        return not self.branches

    def winner(self) -> int | None:
        """Who has more than every other player."""
        best = max(self.utilities, default=0.0)
        return self.utilities.index(best) if self.utilities.count(best) == 1 else None

    def utility(self, player: int) -> float:
        """The number that was written down. Raises ValueError as long as the game goes on."""
        if self.branches:
            raise ValueError("the game is not over: it has no utility yet")
        return self.utilities[player]

    def chance_outcomes(self) -> list[tuple[float, Move]]:
        """(probability, move) of each branch of a chance node. ValueError where a player is to move."""
        if self.mover != CHANCE:
            raise ValueError("chance has no move in this position")
        return list(zip(self.probabilities, self.legal_moves(), strict=True))

    def _after(self, move: Move) -> Self:
        return dict(self.branches)[move]  # type: ignore[return-value]  # a subclass would have to write its own branches


def leaf(*utilities: float) -> ExplicitTree:
    """A finished game: what it is worth to each player."""
    return ExplicitTree(tuple(float(utility) for utility in utilities))


def choice(player: int, **branches: ExplicitTree) -> ExplicitTree:
    """`player` chooses among the named branches. Raises ValueError when there are none."""
    if not branches:
        raise ValueError("a node that is no leaf needs a branch")
    return ExplicitTree((), player, tuple(branches.items()))


def chance(*outcomes: tuple[float, ExplicitTree]) -> ExplicitTree:
    """Chance takes one of the (probability, node) pairs, which are numbered from 1. ValueError unless the probabilities add up to 1."""
    probabilities = tuple(probability for probability, _ in outcomes)
    if min(probabilities, default=-1.0) < 0 or abs(sum(probabilities) - 1) > 1e-9:
        raise ValueError(f"probabilities that don't add up to 1: {probabilities}")
    return ExplicitTree((), CHANCE, tuple((str(i), node) for i, (_, node) in enumerate(outcomes, 1)), probabilities)


def alternating(nested: Nested, player: int = FIRST) -> ExplicitTree:
    """A two-player game in which the players take turns, `player` first.

    A number is a finished game, worth so much to the first player and the opposite to the second. A sequence is a choice among its
    items, numbered from 1; a mapping is a choice among named moves. Raises ValueError for an empty sequence or mapping.
    """
    if isinstance(nested, int | float):
        return ExplicitTree((float(nested), -float(nested)), player)
    items = nested.items() if isinstance(nested, Mapping) else ((str(i), item) for i, item in enumerate(nested, 1))
    branches = tuple((move, alternating(item, 1 - player)) for move, item in items)
    if not branches:
        raise ValueError("a node that is no leaf needs a branch")
    return ExplicitTree((), player, branches)
