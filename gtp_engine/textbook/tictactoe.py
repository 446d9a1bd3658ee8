"""Tic-tac-toe: a game that people play, and small enough to search to the end.

255,168 complete games and 5,478 positions; perfect play is a draw.
"""

from dataclasses import dataclass
from typing import Self

from gtp_engine.textbook.game import FIRST, SECOND, Move, Position

MARKS = "XO"  # of the first and the second player
EMPTY = "."
SQUARES = "a3 b3 c3 a2 b2 c2 a1 b1 c1".split()  # in the order in which the cells are kept: as a board is read
INDEX = {square: index for index, square in enumerate(SQUARES)}
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True, slots=True)
class TicTacToe(Position):
    """Nine cells, each X, O or empty. X begins, so the number of marks gives the player to move. A move is a square, `a1` to `c3`."""

    cells: str = EMPTY * 9  # the top row first

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the position that is drawn as three rows of X, O and `.`, top row first, with optional spaces or `/` between them.

        Raises ValueError for another shape or character, and for numbers of marks that are impossible because X begins. Doesn't check
        that the game ended with the first line of three.
        """
        cells = "".join(text.replace("/", " ").split()).upper()
        if len(cells) != 9 or set(cells) - set(MARKS + EMPTY):
            raise ValueError(f"not a tic-tac-toe board of nine X, O or '.': {text!r}")
        if cells.count("X") - cells.count("O") not in (0, 1):
            raise ValueError(f"X begins and the players take turns: {text!r} can't come about")
        return cls(cells)

    @property
    def next_player(self) -> int:
        """FIRST for X, SECOND for O."""
        return FIRST if self.cells.count(EMPTY) % 2 else SECOND

    def legal_moves(self) -> list[Move]:
        """Return the empty squares in reading order; empty if the game is over."""
        return [] if self.is_over() else [square for square, mark in zip(SQUARES, self.cells, strict=True) if mark == EMPTY]

    def is_legal(self, move: Move) -> bool:
        """Is `move` an empty square, and is the game not over?"""
        return move in INDEX and self.cells[INDEX[move]] == EMPTY and not self.is_over()

    def is_over(self) -> bool:
        """Is there a line of three, or no empty square?"""
        return EMPTY not in self.cells or self.winner() is not None

    def winner(self) -> int | None:
        """Return the player with three in a line, or None."""
        cells = self.cells
        for first, second, third in LINES:
            if cells[first] == cells[second] == cells[third] != EMPTY:
                return MARKS.index(cells[first])
        return None

    def _after(self, move: Move) -> Self:
        index = INDEX[move]
        return type(self)(self.cells[:index] + MARKS[self.next_player] + self.cells[index + 1 :])

    def __str__(self) -> str:
        """Return the board as three rows."""
        return "\n".join(" ".join(self.cells[row : row + 3]) for row in (0, 3, 6))


def open_lines(position: TicTacToe) -> float:
    """Return an evaluation for the player to move: the lines that are open to the player minus those open to the opponent.

    A line is open to a player while the opponent has no mark in it.
    """
    cells = position.cells
    own_mark, opponent_mark = MARKS[position.next_player], MARKS[1 - position.next_player]
    marks_of_lines = [{cells[index] for index in line} for line in LINES]
    return float(sum((opponent_mark not in marks) - (own_mark not in marks) for marks in marks_of_lines))
