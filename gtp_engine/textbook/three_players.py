"""Coins in a row for three players: each player in turn takes and keeps the coin at the left or at the right end.

With two players one player's gain is the other's loss. With three players this is no longer true, and no single player is the opponent.
"""

from dataclasses import dataclass
from typing import Self

from gtp_engine.textbook.game import FIRST, Move, Position

PLAYERS = 3
LEFT, RIGHT = "left", "right"
COINS = (5, 1, 2, 10, 7, 3, 8)  # an arbitrary row in which taking the bigger end coin is not always best


@dataclass(frozen=True, slots=True)
class CoinRow(Position):
    """The remaining coins, the sum that each player has taken, and the player to move."""

    coins: tuple[int, ...] = COINS
    taken: tuple[int, ...] = (0,) * PLAYERS
    to_move: int = FIRST

    @property
    def players(self) -> int:
        """Three."""
        return PLAYERS

    @property
    def next_player(self) -> int:
        """The player to move. The players take turns: 0, 1, 2, 0 ..."""
        return self.to_move

    def legal_moves(self) -> list[Move]:
        """Return both ends of the row, or `left` for the last coin."""
        return [LEFT, RIGHT][: len(self.coins)]

    def is_over(self) -> bool:
        """Is no coin left?"""
        return not self.coins

    def winner(self) -> int | None:
        """Return the only player with the most, or None."""
        if self.coins or self.taken.count(max(self.taken)) > 1:
            return None
        return self.taken.index(max(self.taken))

    def utility(self, player: int) -> float:
        """Return the sum of the coins that `player` took. Raises ValueError while coins are left."""
        if self.coins:
            raise ValueError("the game is not over: it has no utility yet")
        return float(self.taken[player])

    def _after(self, move: Move) -> Self:
        coin, remaining_coins = (self.coins[0], self.coins[1:]) if move == LEFT else (self.coins[-1], self.coins[:-1])
        taken = tuple(total + coin * (player == self.to_move) for player, total in enumerate(self.taken))
        return type(self)(remaining_coins, taken, (self.to_move + 1) % PLAYERS)

    def __str__(self) -> str:
        """Return the row and each player's sum as text."""
        return f"{' '.join(map(str, self.coins)) or 'no coins'} | taken {' '.join(map(str, self.taken))}"
