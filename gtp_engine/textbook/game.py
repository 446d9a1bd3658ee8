"""The interface between games and searches: a position that never changes, its moves as text, and who has won.

A search that knows only this file plays every game that implements it. Positions never change: `apply_move` gives another one, so
a search needs no undo and a table may keep positions as keys.
"""

from abc import ABC, abstractmethod
from typing import Self

Move = str  # as a person would type it: `b2` in tic-tac-toe, `D4` or `pass` in Go, `roll` in a dice game

FIRST, SECOND = 0, 1  # players are numbered from 0 in the order of their first moves
CHANCE = -1  # "next player" of a position where the dice move


class Position(ABC):
    """One position of a game, rules included. Immutable; equal positions are equal objects and have equal hashes.

    A game implements `next_player`, `legal_moves`, `is_over`, `winner` and `_after`, and `utility` or `chance_outcomes` where the
    defaults don't fit. Searches call only what has no underscore.
    """

    __slots__ = ()

    @property
    def players(self) -> int:
        """How many players there are, chance not counted."""
        return 2

    @property
    @abstractmethod
    def next_player(self) -> int:
        """Who is to move, 0 to players - 1, or CHANCE. When the game is over: who would be, where the players take turns."""

    @abstractmethod
    def legal_moves(self) -> list[Move]:
        """Every legal move, always in the same order; empty if and only if the game is over. Where chance moves: what it may do."""

    @abstractmethod
    def is_over(self) -> bool:
        """Has the game ended?"""

    @abstractmethod
    def winner(self) -> int | None:
        """The player who has won; None for a draw and as long as the game goes on."""

    @abstractmethod
    def _after(self, move: Move) -> Self:
        """The position after a move that is known to be legal."""

    def is_legal(self, move: Move) -> bool:
        """Is `move` one of `legal_moves`? A game may know a faster way."""
        return move in self.legal_moves()

    def apply_move(self, move: Move) -> Self:
        """The position after `move`. Raises ValueError when the game is over and for an illegal move."""
        if not self.is_legal(move):
            raise ValueError(f"the game is over: no move {move}" if self.is_over() else f"illegal move {move}")
        return self._after(move)

    def utility(self, player: int) -> float:
        """What the finished game is worth to `player`: 1 for a win, 0 for a draw, -1 for a loss, unless the game keeps a score.

        Raises ValueError as long as the game goes on. With two players, what one gains the other loses: the two utilities add up to 0.
        """
        if not self.is_over():
            raise ValueError("the game is not over: it has no utility yet")
        winner = self.winner()
        if winner is None:
            return 0.0
        return 1.0 if winner == player else -1.0

    def chance_outcomes(self) -> list[tuple[float, Move]]:
        """(probability, move) of everything that chance may do; the probabilities add up to 1. ValueError where a player is to move."""
        raise ValueError("chance has no move in this position")


def require_moves(position: Position) -> list[Move]:
    """The legal moves of a position that a search is to find a move in. Raises ValueError when the game is over."""
    moves = position.legal_moves()
    if not moves:
        raise ValueError("no legal move: the game is over")
    return moves


def require_depth(depth: float) -> None:
    """Raises ValueError for a depth, in moves, that looks at no move at all."""
    if not depth >= 1:
        raise ValueError(f"depth {depth}: a search must look at least one move ahead")


def require_two_players(position: Position) -> None:
    """Raises ValueError for a game of more or fewer than two players, and where chance moves: one number is then not enough."""
    if position.players != 2:
        raise ValueError(f"a game of {position.players} players: this search is for two; max^n takes more")
    if position.next_player == CHANCE:
        raise ValueError("chance moves here: this search needs players who decide; expectiminimax takes chance as well")
