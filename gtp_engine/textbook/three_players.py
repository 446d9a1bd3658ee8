"""Coins in a row for three players: each in turn takes the coin at the left or at the right end; everybody keeps what they take.

With two players one's gain is the other's loss; with three that is no longer so, and nobody can say who the opponent is.
"""

from dataclasses import dataclass
from typing import Self

from gtp_engine.textbook.game import FIRST, Move, Position

PLAYERS = 3
LEFT, RIGHT = "left", "right"
COINS = (5, 1, 2, 10, 7, 3, 8)  # an arbitrary row in which taking the bigger end coin is not always best


@dataclass(frozen=True, slots=True)
class CoinRow(Position):
    """The coins that are left, what each player has taken, and who is to move."""

    coins: tuple[int, ...] = COINS
    taken: tuple[int, ...] = (0,) * PLAYERS
    to_move: int = FIRST

    @property
    def players(self) -> int:
        """Three."""
        return PLAYERS

    @property
    def next_player(self) -> int:
        """The players take turns: 0, 1, 2, 0 ..."""
        return self.to_move

    def legal_moves(self) -> list[Move]:
        """Both ends of the row, or the last coin, which is on the left."""
        return [LEFT, RIGHT][: len(self.coins)]

    def is_over(self) -> bool:
        """No coin is left."""
        return not self.coins

    def winner(self) -> int | None:
        """Who has most, if it is one player alone."""
        if self.coins or self.taken.count(max(self.taken)) > 1:
            return None
        return self.taken.index(max(self.taken))

    def utility(self, player: int) -> float:
        """The sum of the coins that `player` took. Raises ValueError as long as coins are left."""
        if self.coins:
            raise ValueError("the game is not over: it has no utility yet")
        return float(self.taken[player])

    def _after(self, move: Move) -> Self:
        coin, rest = (self.coins[0], self.coins[1:]) if move == LEFT else (self.coins[-1], self.coins[:-1])
        taken = tuple(total + coin * (player == self.to_move) for player, total in enumerate(self.taken))
        return type(self)(rest, taken, (self.to_move + 1) % PLAYERS)

    def __str__(self) -> str:
        """The row, and what each player has."""
        return f"{' '.join(map(str, self.coins)) or 'no coins'} | taken {' '.join(map(str, self.taken))}"
