"""Twenty-one with a die: players roll as often as they like, but not beyond 21. This game of chance is small enough to solve exactly.

The first player rolls until they hold or go bust, which loses at once. The second player then does the same, and the higher total
wins. Every game ends, since each roll adds at least 1, so the tree of chance and decisions is finite.
"""

from dataclasses import dataclass, replace
from typing import Self

from gtp_engine.textbook.game import CHANCE, FIRST, SECOND, Move, Position

ROLL, HOLD = "roll", "hold"


@dataclass(frozen=True, slots=True)
class DiceGame(Position):
    """Both totals, whose turn it is, and whether the die is in the air. Moves are `roll` and `hold`, and chance's are `1` to `6`."""

    limit: int = 21
    faces: int = 6  # every face is as likely as the others
    totals: tuple[int, int] = (0, 0)
    turn: int = FIRST  # SECOND + 1 after both turns
    is_rolling: bool = False

    @property
    def next_player(self) -> int:
        """CHANCE while the die rolls."""
        return CHANCE if self.is_rolling else self.turn

    def legal_moves(self) -> list[Move]:
        """Return `roll` and `hold`; for chance, the faces of the die."""
        if self.is_over():
            return []
        return [str(face) for face in range(1, self.faces + 1)] if self.is_rolling else [ROLL, HOLD]

    def is_over(self) -> bool:
        """Is a player bust, or have both held?"""
        return max(self.totals) > self.limit or self.turn > SECOND

    def winner(self) -> int | None:
        """Return the player who is not bust, or else has the higher total. Equal totals are a draw."""
        if not self.is_over() or self.totals[FIRST] == self.totals[SECOND]:
            return None
        lower = FIRST if self.totals[FIRST] < self.totals[SECOND] else SECOND
        return lower if self.totals[1 - lower] > self.limit else 1 - lower

    def chance_outcomes(self) -> list[tuple[float, Move]]:
        """Return each face with the same probability. Raises ValueError unless the die rolls."""
        if not self.is_rolling or self.is_over():
            raise ValueError("chance has no move in this position")
        return [(1 / self.faces, face) for face in self.legal_moves()]

    def _after(self, move: Move) -> Self:
        if move == ROLL:
            return replace(self, is_rolling=True)
        if move == HOLD:
            return replace(self, turn=self.turn + 1)
        first, second = self.totals
        totals = (first + int(move), second) if self.turn == FIRST else (first, second + int(move))
        return replace(self, totals=totals, is_rolling=False)

    def __str__(self) -> str:
        """Return both totals, and whether the die rolls."""
        return f"{self.totals[FIRST]} : {self.totals[SECOND]}" + (", the die rolls" if self.is_rolling else "")
