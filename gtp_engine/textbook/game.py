"""The interface between games and searches: an immutable position, its moves as text, and the winner.

A search that uses only this interface plays every game that implements it. Positions are immutable: `apply_move` returns a new one, so
a search needs no undo, and positions can be the keys of a table.
"""

from abc import ABC, abstractmethod
from typing import Self

Move = str  # as people type it: `b2` in tic-tac-toe, `D4` or `pass` in Go, `roll` in a dice game

FIRST, SECOND = 0, 1  # players are numbered from 0 in the order of their first moves
CHANCE = -1  # the next player of a position where dice are rolled


class Position(ABC):
    """One position of a game, rules included. Immutable; equal positions are equal objects and have equal hashes.

    A game implements `next_player`, `legal_moves`, `is_over`, `winner` and `_after`, and `utility` or `chance_outcomes` where the
    defaults don't fit. Searches call only what has no underscore.
    """

    __slots__ = ()

    @property
    def players(self) -> int:
        """The number of players, without chance."""
        return 2

    @property
    @abstractmethod
    def next_player(self) -> int:
        """The player to move, 0 to players - 1, or CHANCE. After the game: the player whose turn it would be, if players take turns."""

    @abstractmethod
    def legal_moves(self) -> list[Move]:
        """Return all legal moves, always in the same order; empty if and only if the game is over. At chance's turn: its outcomes."""

    @abstractmethod
    def is_over(self) -> bool:
        """Has the game ended?"""

    @abstractmethod
    def winner(self) -> int | None:
        """Return the player who has won; None for a draw and while the game goes on."""

    @abstractmethod
    def _after(self, move: Move) -> Self:
        """Return the position after a move that is known to be legal."""

    def is_legal(self, move: Move) -> bool:
        """Is `move` one of `legal_moves`? A game may know a faster way."""
        return move in self.legal_moves()

    def apply_move(self, move: Move) -> Self:
        """Return the position after `move`. Raises ValueError when the game is over and for an illegal move."""
        if not self.is_legal(move):
            raise ValueError(f"the game is over: no move {move}" if self.is_over() else f"illegal move {move}")
        return self._after(move)

    def utility(self, player: int) -> float:
        """Return the utility of the finished game for `player`: 1 for a win, 0 for a draw, -1 for a loss, unless the game keeps a score.

        Raises ValueError while the game goes on. The utilities of two players add up to 0.
        """
        if not self.is_over():
            raise ValueError("the game is not over: it has no utility yet")
        winner = self.winner()
        if winner is None:
            return 0.0
        return 1.0 if winner == player else -1.0

    def chance_outcomes(self) -> list[tuple[float, Move]]:
        """Return (probability, move) of each outcome of chance. The probabilities add up to 1. Raises ValueError if a player is to move."""
        raise ValueError("chance has no move in this position")


def require_moves(position: Position) -> list[Move]:
    """Return the legal moves of a position. Raises ValueError when the game is over."""
    moves = position.legal_moves()
    if not moves:
        raise ValueError("no legal move: the game is over")
    return moves


def require_depth(depth: float) -> None:
    """Raise ValueError for a depth below one move."""
    if not depth >= 1:
        raise ValueError(f"depth {depth}: a search must look at least one move ahead")


def require_two_players(position: Position) -> None:
    """Raise ValueError if the game doesn't have two players, or if chance moves: the search handles neither."""
    if position.players != 2:
        raise ValueError(f"a game of {position.players} players: this search is for two; max^n takes more")
    if position.next_player == CHANCE:
        raise ValueError("chance moves here: this search needs players who decide; expectiminimax takes chance as well")
