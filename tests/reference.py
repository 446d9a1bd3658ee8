"""A slow, obvious Go, to compare the compiled one with: sets, recursion and whole-board copies, nothing incremental.

Only the numbers of points and the rule sets come from gtp_engine; every neighbor is found from rows and columns, never from STRIDE.
"""

from itertools import product

from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points, opponent, point_at, row_and_column
from gtp_engine.go.rules import CHINESE, Ko, Rules

Chain = frozenset[int]
Position = tuple[int, ...]

LETTERS = {".": EMPTY, "X": BLACK, "O": WHITE}  # of a diagram


class IllegalMoveError(Exception):
    """A move that the rules forbid; str() is the reason: occupied, suicide, ko or superko."""


class Board:
    """A position, what led to it, and the rules that it is played under."""

    def __init__(self, size: int, rules: Rules = CHINESE, to_play: int = BLACK) -> None:
        self.size = size
        self.rules = rules
        self.colors = dict.fromkeys(board_points(size), EMPTY)
        self.to_play = to_play
        self.ko: tuple[int, int] | None = None  # (color, point) that simple ko forbids
        self.captures = {BLACK: 0, WHITE: 0}  # prisoners taken BY the color
        self.past: list[tuple[Position, int]] = [(self.position(), to_play)]  # every position so far and who was to play

    def copy(self) -> "Board":
        """An independent copy."""
        board = Board(self.size, self.rules, self.to_play)
        board.colors = dict(self.colors)
        board.ko = self.ko
        board.captures = dict(self.captures)
        board.past = list(self.past)
        return board

    def position(self) -> Position:
        """The color of every point, from A1 on."""
        return tuple(self.colors[point] for point in board_points(self.size))

    def neighbors(self, point: int) -> set[int]:
        """The two to four points beside `point`."""
        row, column = row_and_column(point)
        beside = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
        return {point_at(r, c) for r, c in beside if 1 <= r <= self.size and 1 <= c <= self.size}

    def diagonals(self, point: int) -> set[int]:
        """The one to four points diagonally next to `point` (none on 1x1)."""
        row, column = row_and_column(point)
        across = {(row + 1, column + 1), (row + 1, column - 1), (row - 1, column + 1), (row - 1, column - 1)}
        return {point_at(r, c) for r, c in across if 1 <= r <= self.size and 1 <= c <= self.size}

    def chain(self, point: int) -> Chain:
        """All points of one color connected with `point`; an empty region when `point` is empty."""
        found: set[int] = set()
        self._collect(point, found)
        return frozenset(found)

    def _collect(self, point: int, found: set[int]) -> None:
        found.add(point)
        for neighbor in self.neighbors(point) - found:
            if neighbor not in found and self.colors[neighbor] == self.colors[point]:
                self._collect(neighbor, found)

    def liberties(self, point: int) -> set[int]:
        """The empty points beside the chain that stands on `point`."""
        return {neighbor for stone in self.chain(point) for neighbor in self.neighbors(stone) if self.colors[neighbor] == EMPTY}

    def chains(self, color: int) -> set[Chain]:
        """Every chain of `color`, or every empty region."""
        return {self.chain(point) for point in self.colors if self.colors[point] == color}

    def stones(self, color: int) -> list[int]:
        """The points of `color`, sorted."""
        return sorted(point for point, there in self.colors.items() if there == color)

    def all_chains_breathe(self) -> bool:
        """Is this a legal position: has every chain a liberty?"""
        return all(self.liberties(point) for point, color in self.colors.items() if color != EMPTY)

    def set_up(self, stones: list[tuple[int, int]], to_play: int) -> None:
        """Replace everything by these (color, point) stones; doesn't check that the position is legal."""
        fresh = Board(self.size, self.rules, to_play)
        for color, point in stones:
            fresh.colors[point] = color
        fresh.past = [(fresh.position(), to_play)]
        self.__dict__ = fresh.__dict__

    def play(self, color: int, point: int, enforce_superko: bool = True) -> None:
        """Play a move or PASS for either color; IllegalMoveError, with the board as it was, when the rules forbid it."""
        after = self.copy()
        if point != PASS:
            after._place(color, point)
        else:
            after.ko = None
        after.to_play = opponent(color)
        if enforce_superko and point != PASS and after._is_repetition():
            raise IllegalMoveError("superko")
        after.past.append((after.position(), after.to_play))
        self.__dict__ = after.__dict__

    def _place(self, color: int, point: int) -> None:
        if self.colors[point] != EMPTY:
            raise IllegalMoveError("occupied")
        if self.ko == (color, point):
            raise IllegalMoveError("ko")
        self.colors[point] = color
        attacked = [neighbor for neighbor in self.neighbors(point) if self.colors[neighbor] == opponent(color)]
        taken = {stone for neighbor in attacked if not self.liberties(neighbor) for stone in self.chain(neighbor)}
        self._take_off(taken, color)
        own = self.chain(point)
        if not self.liberties(point):
            if not self.rules.suicide or len(own) == 1:
                raise IllegalMoveError("suicide")
            self._take_off(set(own), opponent(color))
        is_ko = len(taken) == 1 and len(own) == 1 and self.liberties(point) == taken
        self.ko = (opponent(color), min(taken)) if is_ko else None

    def _take_off(self, stones: set[int], taker: int) -> None:
        for stone in stones:
            self.colors[stone] = EMPTY
        self.captures[taker] += len(stones)

    def _is_repetition(self) -> bool:
        """Was the position on the board here before, in the sense of the superko in force?"""
        if self.rules.ko is Ko.POSITIONAL:
            return self.position() in [position for position, _ in self.past]
        if self.rules.ko is Ko.SITUATIONAL:
            return (self.position(), self.to_play) in self.past
        return False

    def why_illegal(self, color: int, point: int) -> str:
        """The reason why `color` must not play `point`; empty for a legal move."""
        try:
            self.copy().play(color, point)
        except IllegalMoveError as reason:
            return str(reason)
        return ""

    def is_legal(self, color: int, point: int) -> bool:
        """May `color` play here under the rules, superko included? PASS is always legal."""
        return not self.why_illegal(color, point)

    def repeats_position(self, color: int, point: int) -> bool:
        """Is superko the only reason why this move is illegal?"""
        return self.why_illegal(color, point) == "superko"

    def is_eye(self, color: int, point: int) -> bool:
        """Is this empty point an eye that `color` must not fill in a playout?

        Its neighbors are all own stones, and the opponent has none of its diagonals at the edge, at most one in the middle.
        """
        if self.colors[point] != EMPTY or any(self.colors[neighbor] != color for neighbor in self.neighbors(point)):
            return False
        hostile = [diagonal for diagonal in self.diagonals(point) if self.colors[diagonal] == opponent(color)]
        return len(hostile) <= (1 if len(self.neighbors(point)) == 4 else 0)

    def reached_colors(self, point: int) -> set[int]:
        """The colors that `point` reaches through empty points (Tromp-Taylor); its own color for a stone."""
        if self.colors[point] != EMPTY:
            return {self.colors[point]}
        return {self.colors[neighbor] for empty in self.chain(point) for neighbor in self.neighbors(empty)} - {EMPTY}

    def owner(self, point: int) -> int:
        """Whose point it is in an area count with all stones alive; EMPTY for nobody's."""
        reached = self.reached_colors(point)
        return min(reached) if len(reached) == 1 else EMPTY

    def area_score(self) -> int:
        """Black's points minus White's with all stones alive and without komi."""
        owners = [self.owner(point) for point in self.colors]
        return owners.count(BLACK) - owners.count(WHITE)

    def __str__(self) -> str:
        letter = {color: letter for letter, color in LETTERS.items()}
        rows = range(self.size, 0, -1)
        return "\n".join(" ".join(letter[self.colors[point_at(row, column)]] for column in range(1, self.size + 1)) for row in rows)


def from_diagram(text: str, rules: Rules = CHINESE, to_play: int = BLACK) -> Board:
    """The board drawn in `text`: a line for each row, the top one first; `X` black, `O` white, `.` empty; spaces mean nothing."""
    lines = ["".join(line.split()) for line in text.split("\n") if line.strip()]
    size = len(lines)
    if any(len(line) != size for line in lines):
        raise ValueError(f"not a square board:\n{text}")
    stones = [(LETTERS[letter], point_at(size - down, across + 1)) for down, line in enumerate(lines) for across, letter in enumerate(line)]
    board = Board(size, rules, to_play)
    board.set_up([(color, point) for color, point in stones if color != EMPTY], to_play)
    return board


def count_legal_positions(size: int) -> int:
    """How many of the 3 ** (size * size) colorings give every chain a liberty; slow above 3x3."""
    count = 0
    for colors in product((EMPTY, BLACK, WHITE), repeat=size * size):
        board = Board(size)
        board.colors = dict(zip(board_points(size), colors, strict=True))
        count += board.all_chains_breathe()
    return count
