"""Go on small boards as a textbook game. Only this file and `go_rollouts.py` use the engine's implementation of Go.

The rules are positional superko and no suicide. Two passes end the game, and area is counted with all stones alive. Each move copies
the game, which is slow and simple.
"""

from typing import Self

from gtp_engine.go.eyes import is_eye_of
from gtp_engine.go.game import Game
from gtp_engine.go.points import (
    BLACK,
    EMPTY,
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    WHITE,
    board_points,
    from_color_name,
    from_vertex,
    point_at,
    to_vertex,
)
from gtp_engine.go.rules import CHINESE
from gtp_engine.go.score import count_area
from gtp_engine.textbook.game import FIRST, SECOND, Move, Position

COLORS = (BLACK, WHITE)  # of the first and the second player
SYMBOLS = {".": EMPTY, "X": BLACK, "O": WHITE}
DEFAULT_KOMI = 0.5  # prevents draws, which is enough on small boards


class GoPosition(Position):
    """A board, the player to move, and the past positions for superko. Black is FIRST. A move is a vertex such as `D4`, or `pass`.

    Positions are equal if their boards, players, passes, komi and past positions are equal: superko makes the past part of the position.
    """

    __slots__ = ("_game", "_key", "komi")

    def __init__(self, game: Game, komi: float = DEFAULT_KOMI) -> None:
        """Take over `game`, which must not change afterwards. `komi` is in points for White."""
        self._game = game
        self.komi = komi
        self._key: tuple[object, ...] = (
            game.size,
            game.to_play,
            min(game.passes(), 2),
            komi,
            game.situations()[-1],
            frozenset(game.situations()),
        )

    @classmethod
    def start(cls, size: int, komi: float = DEFAULT_KOMI) -> Self:
        """Return the empty board of `size` lines with Black to move. Raises ValueError for an unsupported size."""
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError(f"a Go board has {MIN_SIZE} to {MAX_SIZE} lines, not {size}")
        return cls(Game(size, CHINESE), komi)

    @classmethod
    def from_game(cls, game: Game, color: int, komi: float) -> Self:
        """Return the current position of `game`, past included, with `color` to move. The rules become superko and area scoring."""
        copy = game.copy()
        copy.rules = CHINESE
        copy.positions[0]["to_play"] = color
        return cls(copy, komi)

    @classmethod
    def from_text(cls, text: str, komi: float = DEFAULT_KOMI) -> Self:
        """Return the position that is drawn in rows of X (Black), O and `.`, top row first, and `b` or `w` to move: `.X./XX./.OO b`.

        Raises ValueError for a board that isn't square, for other characters and for chains without liberties.
        """
        *drawn, to_move = text.replace("/", " ").split() or [""]
        rows = "".join(drawn) if len({len(row) for row in drawn}) == 1 else ""
        size = round(len(rows) ** 0.5)
        if not MIN_SIZE <= size <= MAX_SIZE or size * size != len(rows) or set(rows) - set(SYMBOLS):
            raise ValueError(f"not a square board of X, O or '.' and the player to move: {text!r}")
        points = [point_at(size - index // size, index % size + 1) for index in range(len(rows))]
        game = Game(size, CHINESE)
        stones = [(SYMBOLS[symbol], point) for symbol, point in zip(rows, points, strict=True) if symbol != "."]
        game.set_up(stones, from_color_name(to_move))
        return cls(game, komi)

    def game(self) -> Game:
        """Return a copy of the game so far, for callers that need more of Go than this interface."""
        return self._game.copy()

    @property
    def next_player(self) -> int:
        """FIRST for Black, SECOND for White."""
        return COLORS.index(self._game.to_play)

    def legal_moves(self) -> list[Move]:
        """Return every legal vertex by rows from A1, then `pass`."""
        if self.is_over():
            return []
        return [*map(to_vertex, self._game.legal_points(self._game.to_play)), "pass"]

    def is_legal(self, move: Move) -> bool:
        """Is `move` a legal vertex of this board, or `pass`? Upper and lower case are accepted."""
        try:
            point = from_vertex(move, self._game.size)
        except ValueError:
            return False
        return not self.is_over() and self._game.is_legal(self._game.to_play, point)

    def is_over(self) -> bool:
        """Were the last two moves passes?"""
        return self._game.passes() >= 2

    def winner(self) -> int | None:
        """Return the player with more points at the end, komi included, or None."""
        if not self.is_over() or self.score() == 0:
            return None
        return FIRST if self.score() > 0 else SECOND

    def utility(self, player: int) -> float:
        """Return the final score for `player` in points. Raises ValueError while the game goes on."""
        if not self.is_over():
            raise ValueError("the game is not over: it has no utility yet")
        return self.score() if player == FIRST else -self.score()

    def score(self) -> float:
        """Return Black's area minus White's area and komi on the current board, with all stones alive."""
        return int(count_area(self._game.positions, 0)) - self.komi

    def stones(self, player: int) -> int:
        """Return the number of stones that `player` has on the board."""
        return len(self._game.stones(COLORS[player]))

    def fills_own_eye(self, move: Move) -> bool:
        """Would the player to move fill one of their own eyes?"""
        point = from_vertex(move, self._game.size)
        return point != PASS and bool(is_eye_of(self._game.positions, 0, point, self._game.to_play))

    def _after(self, move: Move) -> Self:
        game = self._game.copy()
        game.play(game.to_play, from_vertex(move, game.size))
        return type(self)(game, self.komi)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GoPosition) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        """Return the board as rows, top row first."""
        size = self._game.size
        cells = [".XO"[self._game.color_at(point)] for point in board_points(size)]
        return "\n".join(" ".join(cells[row * size : row * size + size]) for row in reversed(range(size)))


def stone_difference(position: GoPosition) -> float:
    """Return an evaluation for the player to move: own stones minus the opponent's. It ignores territory and safety."""
    return float(position.stones(position.next_player) - position.stones(1 - position.next_player))


def capturing_moves(position: GoPosition) -> list[Move]:
    """Return the legal moves that capture stones."""
    opponent = 1 - position.next_player
    before = position.stones(opponent)
    return [move for move in position.legal_moves() if position.apply_move(move).stones(opponent) < before]
