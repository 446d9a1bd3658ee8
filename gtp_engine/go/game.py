"""Game: the moves so far, undo, superko, handicap and set-up. Komi and clocks are the engine's, not the board's."""

from collections.abc import Sequence

import numpy as np

from gtp_engine.go import position as kernel
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, PASS, WHITE, board_points, is_on_board, to_vertex
from gtp_engine.go.rules import CHINESE, Ko, Rules

REASONS = {
    kernel.OFF_BOARD: "not on the board",
    kernel.OCCUPIED: "occupied point",
    kernel.KO: "ko",
    kernel.SUICIDE: "suicide",
}
TURN_HASH = 0x9E3779B97F4A7C15  # mixed into a situation's hash when White is to play


class IllegalMove(ValueError):
    """A move that the rules don't allow; str() says why."""


def situation_hash(position_hash: int, to_play: int, ko: Ko) -> int:
    """The hash of the situation that must not be repeated under superko: the stones and, under situational superko, the player to move."""
    return int(position_hash) ^ TURN_HASH if ko is Ko.SITUATIONAL and to_play == WHITE else int(position_hash)


class Game:
    """One game from its set-up to now.

    `positions[0]` is the current position for compiled code; don't change it from outside. Colors may move in any order, as GTP
    allows; simple ko forbids only the player whose turn it is.
    """

    def __init__(self, size: int = 19, rules: Rules = CHINESE) -> None:
        self.size = size
        self.rules = rules
        self.handicap = 0
        self.setup_stones: list[tuple[int, int]] = []
        self.moves: list[tuple[int, int]] = []
        self.positions = kernel.new_positions(2, size)  # [0] now, [1] scratch for trying a move
        self._earlier: list[np.ndarray] = []  # the position before each of `moves`
        self._situations: list[tuple[int, int]] = []  # its hash and who was to play
        self._colors: list[int] | None = None  # of the current position, computed at first use
        self._chains: dict[int, list[int]] | None = None  # likewise: the chain of each stone

    @property
    def to_play(self) -> int:
        """BLACK or WHITE."""
        return int(self.positions[0]["to_play"])

    def color_at(self, point: int) -> int:
        """EMPTY, BLACK, WHITE or EDGE."""
        return self.colors()[point]

    def colors(self) -> list[int]:
        """EMPTY, BLACK, WHITE or EDGE for each index of compiled code's arrays. Computed once for each position; don't change it."""
        if self._colors is None:
            self._colors = self.positions["color"][0].tolist()
        return self._colors

    def stones(self, color: int) -> list[int]:
        """The points with a stone of `color`, from A1 to the right and upward."""
        return [int(point) for point in np.flatnonzero(self.positions[0]["color"] == color)]

    def captures(self, color: int) -> int:
        """Prisoners taken by `color`."""
        return int(self.positions[0]["captures"][color])

    def why_illegal(self, color: int, point: int) -> str:
        """Why `color` may not play on `point` now, apart from superko; empty if it may."""
        return REASONS.get(int(kernel.check_move(self.positions, 0, point, color, self.rules.suicide)), "")

    def is_legal(self, color: int, point: int) -> bool:
        """True if `color` may play on `point` (or PASS) now under the game's rules, including superko."""
        return not self.why_illegal(color, point) and not self.repeats_position(color, point)

    def repeats_position(self, color: int, point: int) -> bool:
        """True if this otherwise legal move violates superko. Never under simple ko, never for PASS."""
        return self.rules.ko is not Ko.SIMPLE and self.brings_back(color, point)

    def brings_back(self, color: int, point: int) -> bool:
        """True if this otherwise legal move repeats an earlier position, whether the rules allow that or not. Never for PASS."""
        if point == PASS:
            return False
        self.positions[1] = self.positions[0]
        kernel.play(self.positions, 1, point, color)
        after = self.positions[1]
        if not after["captures"].any():
            return False  # no stone was ever taken, so every position has more stones than the one before
        return situation_hash(after["hash"], int(after["to_play"]), self.rules.ko) in self.situations()

    def situations(self) -> list[int]:
        """Hashes of all situations from the set-up to now, in order, which superko forbids to repeat."""
        now = self.positions[0]
        return [situation_hash(*situation, self.rules.ko) for situation in [*self._situations, (int(now["hash"]), int(now["to_play"]))]]

    def play(self, color: int, point: int) -> None:
        """Play `point` or PASS for `color`. Raises IllegalMove, but doesn't check superko: call repeats_position first."""
        reason = self.why_illegal(color, point)
        if reason:
            raise IllegalMove(reason)
        self._earlier.append(self.positions[:1].copy())
        self._situations.append((int(self.positions[0]["hash"]), self.to_play))
        kernel.play(self.positions, 0, point, color)
        self._colors = self._chains = None
        self.moves.append((color, point))

    def undo(self) -> None:
        """Take back the last move. Raises IndexError if there is none; handicap and set-up stones stay."""
        self.moves.pop()
        self.positions[0] = self._earlier.pop()[0]
        self._situations.pop()
        self._colors = self._chains = None

    def place_handicap(self, points: Sequence[int]) -> None:
        """Place Black's handicap stones on an empty board; White is to play. Raises ValueError otherwise, and for repeated or odd
        points.
        """
        if self.moves or self.setup_stones:
            raise ValueError("board not empty")
        self.set_up([(BLACK, point) for point in points], WHITE)
        self.handicap = len(points)

    def set_up(self, stones: Sequence[tuple[int, int]], to_play: int, captures: tuple[int, int] = (0, 0)) -> None:
        """Replace the whole board by `stones`, (color, point) each, and forget moves and handicap.

        captures -- prisoners that Black and White have
        Raises ValueError, leaving the game as it was, for a point off the board or given twice and for a chain without liberties.
        """
        position = kernel.new_positions(2, self.size)
        for color, point in stones:
            if not is_on_board(point, self.size) or color not in (BLACK, WHITE):
                raise ValueError(f"not on the board: {point}")
            if position[0]["color"][point] != EMPTY:
                raise ValueError(f"repeated vertex {to_vertex(point)}")
            kernel.set_stone(position, 0, point, color)
        for _, point in stones:
            if position[0]["liberties"][position[0]["chain"][point]] == 0:
                raise ValueError(f"the stone on {to_vertex(point)} has no liberties")
        position[0]["to_play"] = to_play
        position[0]["captures"][[BLACK, WHITE]] = captures
        self.positions, self._earlier, self._situations, self.moves = position, [], [], []
        self._colors = self._chains = None
        self.setup_stones = list(stones)
        self.handicap = 0

    def with_set_up(self, moves: int) -> "Game":
        """A game with the same board and prisoners in which what the first `moves` moves made are set-up stones, without handicap."""
        boards = [*self._earlier, self.positions]
        colors, captures = boards[moves][0]["color"], boards[moves][0]["captures"]
        game = Game(self.size, self.rules)
        stones = [(color, int(point)) for color in (BLACK, WHITE) for point in np.flatnonzero(colors == color)]
        game.set_up(stones, int(boards[moves][0]["to_play"]), (int(captures[BLACK]), int(captures[WHITE])))
        for color, point in self.moves[moves:]:
            game.play(color, point)
        return game

    def legal_points(self, color: int) -> list[int]:
        """Every point where `color` may play now, superko included, from A1 to the right and upward."""
        return [point for point in board_points(self.size) if self.is_legal(color, point)]

    def last_move(self) -> tuple[int, int] | None:
        """(color, point or PASS) of the last move, or None."""
        return self.moves[-1] if self.moves else None

    def passes(self) -> int:
        """Passes in a row just now."""
        return int(self.positions[0]["passes"])

    def chain_at(self, point: int) -> list[int]:
        """The points of the stone's chain, sorted; empty list for a point without a stone."""
        return list(self.chains().get(point, ()))

    def chains(self) -> dict[int, list[int]]:
        """For each stone the points of its chain, sorted. Made once for each position: not to be changed."""
        if self._chains is None:
            names: list[int] = self.positions["chain"][0].tolist()
            by_name: dict[int, list[int]] = {}
            self._chains = {}
            for point, color in enumerate(self.colors()):
                if color == BLACK or color == WHITE:
                    self._chains[point] = chain = by_name.setdefault(names[point], [])
                    chain.append(point)
        return self._chains

    def ko_point(self) -> int:
        """Where the player to move may not retake at once, or NO_POINT."""
        return int(self.positions[0]["ko_point"]) or NO_POINT

    def earlier_position(self, moves: int) -> np.void:
        """The position so many moves ago, a POSITION that must not be changed; the first one if there were fewer moves."""
        boards = [self.positions, *reversed(self._earlier)]
        earlier: np.void = boards[min(moves, len(boards) - 1)][0]
        return earlier

    def copy(self) -> "Game":
        """An independent game in the same state."""
        twin = Game(self.size, self.rules)
        twin.positions = self.positions.copy()
        twin.handicap, twin.setup_stones, twin.moves = self.handicap, list(self.setup_stones), list(self.moves)
        twin._situations = list(self._situations)
        twin._earlier = list(self._earlier)  # the saved positions are never changed, so they can be shared
        twin._colors, twin._chains = self._colors, self._chains
        return twin
