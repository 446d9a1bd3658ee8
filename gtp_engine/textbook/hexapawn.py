"""Hexapawn: three pawns against three on a 3x3 board, small enough for a learning machine made of matchboxes (Gardner, 1962).

Pawns step straight ahead and capture diagonally ahead, as in chess. A player wins by reaching the far row, or by leaving the opponent
without a move. There are no draws. The second player wins with perfect play.
"""

from dataclasses import dataclass
from typing import Self

from gtp_engine.textbook.game import FIRST, Move, Position

PAWNS = "WB"  # of the first and the second player: White moves up from row 1, Black down from row 3
EMPTY = "."
START = "BBB...WWW"  # the top row first
FAR_ROW = (range(3), range(6, 9))  # the row that each player's pawns must reach
STEP = (-3, 3)  # one row ahead
SQUARES = "a3 b3 c3 a2 b2 c2 a1 b1 c1".split()
INDEX = {square: index for index, square in enumerate(SQUARES)}


@dataclass(frozen=True, slots=True)
class Hexapawn(Position):
    """Nine cells and the player to move. A move names two squares: `a1a2` steps ahead, `a1b2` captures."""

    cells: str = START
    to_move: int = FIRST

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the position that is drawn as three rows of W, B and `.`, top row first, and `w` or `b` to move: `BBB/.../WWW w`.

        Raises ValueError for another shape or character, for more than three pawns of a color, and when the player to move has won.
        """
        board, _, to_move = text.replace("\n", "/").strip("/ ").rpartition(" ")
        cells = board.replace("/", "").replace(" ", "").upper()
        if len(cells) != 9 or set(cells) - set(PAWNS + EMPTY) or to_move.upper() not in tuple(PAWNS):
            raise ValueError(f"not a hexapawn board of nine W, B or '.' and the player to move: {text!r}")
        if max(cells.count(pawn) for pawn in PAWNS) > 3:
            raise ValueError(f"more than three pawns of a color: {text!r}")
        position = cls(cells, PAWNS.index(to_move.upper()))
        if position._has_arrived(position.to_move):
            raise ValueError(f"the player to move has won already: {text!r}")
        return position

    @property
    def next_player(self) -> int:
        """FIRST for White, SECOND for Black."""
        return self.to_move

    def legal_moves(self) -> list[Move]:
        """Return steps and captures, pawn by pawn in reading order; empty if a pawn has reached its far row."""
        return [] if self._has_arrived(1 - self.to_move) else self._pawn_moves()

    def is_over(self) -> bool:
        """Has a pawn reached its far row, or can the player to move not move?"""
        return not self.legal_moves()

    def winner(self) -> int | None:
        """Return the player who moved last if the game is over: nobody loses by their own move."""
        return 1 - self.to_move if self.is_over() else None

    def _has_arrived(self, player: int) -> bool:
        return any(self.cells[index] == PAWNS[player] for index in FAR_ROW[player])

    def _pawn_moves(self) -> list[Move]:
        return [
            SQUARES[index] + SQUARES[target]
            for index, pawn in enumerate(self.cells)
            if pawn == PAWNS[self.to_move]
            for target in self._targets(index)
        ]

    def _targets(self, index: int) -> list[int]:
        """Return the targets of the pawn on `index` from left to right. The pawn must not be on its far row."""
        ahead, column = index + STEP[self.to_move], index % 3
        targets = []
        for sideways in (-1, 0, 1):
            needed = EMPTY if sideways == 0 else PAWNS[1 - self.to_move]
            if 0 <= column + sideways < 3 and self.cells[ahead + sideways] == needed:
                targets.append(ahead + sideways)
        return targets

    def _after(self, move: Move) -> Self:
        cells = list(self.cells)
        cells[INDEX[move[:2]]] = EMPTY
        cells[INDEX[move[2:]]] = PAWNS[self.to_move]
        return type(self)("".join(cells), 1 - self.to_move)

    def __str__(self) -> str:
        """Return the board as three rows."""
        return "\n".join(" ".join(self.cells[row : row + 3]) for row in (0, 3, 6))
