"""A game that is written down in full, with a node for every position. It serves worked examples and tests of searches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

from gtp_engine.textbook.game import CHANCE, FIRST, Move, Position

# a result for the first player, or the subtrees of the moves
Nested: TypeAlias = "float | Sequence[Nested] | Mapping[Move, Nested]"


@dataclass(frozen=True, slots=True)
class ExplicitTree(Position):
    """A node: a finished game with a utility for each player, or a player's or chance's choice of a branch, which is a move and a node."""

    utilities: tuple[float, ...] = ()  # of a finished game, by player
    mover: int = FIRST
    branches: tuple[tuple[Move, "ExplicitTree"], ...] = ()
    probabilities: tuple[float, ...] = ()  # of the branches where chance moves

    @property
    def players(self) -> int:
        """The number of utilities of a finished game."""
        node = self
        while node.branches:
            node = node.branches[0][1]
        return len(node.utilities)

    @property
    def next_player(self) -> int:
        """The player who chooses a branch; for a finished game in `alternating`, the player whose turn it would be."""
        return self.mover

    def legal_moves(self) -> list[Move]:
        """Return the moves of the branches in the order in which they were written."""
        return [move for move, _ in self.branches]

    def is_over(self) -> bool:
        """Is the node a leaf?"""
        return not self.branches

    def winner(self) -> int | None:
        """Return the player with more than every other player, or None."""
        best = max(self.utilities, default=0.0)
        return self.utilities.index(best) if self.utilities.count(best) == 1 else None

    def utility(self, player: int) -> float:
        """Return the utility as written. Raises ValueError if the game is not over."""
        if self.branches:
            raise ValueError("the game is not over: it has no utility yet")
        return self.utilities[player]

    def chance_outcomes(self) -> list[tuple[float, Move]]:
        """Return (probability, move) for each branch of a chance node. Raises ValueError if a player is to move."""
        if self.mover != CHANCE:
            raise ValueError("chance has no move in this position")
        return list(zip(self.probabilities, self.legal_moves(), strict=True))

    def _after(self, move: Move) -> Self:
        return dict(self.branches)[move]  # type: ignore[return-value]  # a subclass would have to write its own branches


def leaf(*utilities: float) -> ExplicitTree:
    """Return a finished game with a utility for each player."""
    return ExplicitTree(tuple(float(utility) for utility in utilities))


def choice(player: int, **branches: ExplicitTree) -> ExplicitTree:
    """Return a node where `player` chooses among the named branches. Raises ValueError when there are none."""
    if not branches:
        raise ValueError("a node that is no leaf needs a branch")
    return ExplicitTree((), player, tuple(branches.items()))


def chance(*outcomes: tuple[float, ExplicitTree]) -> ExplicitTree:
    """Return a chance node of (probability, node) pairs, numbered from 1. Raises ValueError unless the probabilities add up to 1."""
    probabilities = tuple(probability for probability, _ in outcomes)
    if min(probabilities, default=-1.0) < 0 or abs(sum(probabilities) - 1) > 1e-9:
        raise ValueError(f"probabilities that don't add up to 1: {probabilities}")
    return ExplicitTree((), CHANCE, tuple((str(i), node) for i, (_, node) in enumerate(outcomes, 1)), probabilities)


def alternating(nested: Nested, player: int = FIRST) -> ExplicitTree:
    """Return a two-player game in which the players take turns and `player` moves first.

    A number is a finished game: the first player's utility, and the second player's with the sign turned. A sequence is a choice among its
    items, numbered from 1; a mapping is a choice among named moves. Raises ValueError for an empty sequence or mapping.
    """
    if isinstance(nested, int | float):
        return ExplicitTree((float(nested), -float(nested)), player)
    items = nested.items() if isinstance(nested, Mapping) else ((str(i), item) for i, item in enumerate(nested, 1))
    branches = tuple((move, alternating(item, 1 - player)) for move, item in items)
    if not branches:
        raise ValueError("a node that is no leaf needs a branch")
    return ExplicitTree((), player, branches)
