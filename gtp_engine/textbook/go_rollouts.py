"""Rollouts for Go, and Go without senseless moves. Light rollouts fill no own eyes; heavy ones also answer atari and follow 3x3 patterns.

Only this file and `go_game.py` use the engine's implementation of Go. A rollout of a hundred moves on immutable positions would copy a
hundred boards, so it changes one board in place.
"""

import random
from collections.abc import Callable, Iterable, Iterator

from gtp_engine.go import patterns
from gtp_engine.go import position as kernel
from gtp_engine.go.eyes import is_eye_of
from gtp_engine.go.game import Game
from gtp_engine.go.points import EMPTY, PASS, from_vertex, is_on_board, opponent, to_vertex
from gtp_engine.go.score import count_area
from gtp_engine.textbook.game import Move, Position
from gtp_engine.textbook.go_game import DEFAULT_KOMI, GoPosition
from gtp_engine.textbook.rollouts import Rollout

GAME_LENGTH = 3  # most moves of a rollout for each point of the board: only repetitions reach this limit
NOW, TRIAL = 0, 1  # records of a Board
ADJACENT: list[int] = kernel.ADJACENT.tolist()
AROUND: list[int] = patterns.AROUND.tolist()


class SensibleGo(GoPosition):
    """Go without moves into own eyes and without passes while another move is left, so that dead stones are captured in the end."""

    __slots__ = ("barred",)

    def __init__(self, game: Game, komi: float = DEFAULT_KOMI, barred: frozenset[Move] = frozenset()) -> None:
        """As GoPosition. `barred`: moves that are excluded in this position, and allowed again after the next move."""
        super().__init__(game, komi)
        self.barred = barred
        self._key = (*self._key, barred)

    def legal_moves(self) -> list[Move]:
        """Return the sensible moves, or `pass` if there is none."""
        if self.is_over():
            return []
        moves = [move for move in super().legal_moves() if move != "pass" and move not in self.barred]
        return [move for move in moves if not self.fills_own_eye(move)] or ["pass"]

    def is_legal(self, move: Move) -> bool:
        """Is `move` one of `legal_moves`? Upper and lower case are accepted."""
        if not super().is_legal(move):
            return False
        point = from_vertex(move, self._game.size)
        if point == PASS:
            return self.legal_moves() == ["pass"]
        return to_vertex(point) not in self.barred and not self.fills_own_eye(move)

    def without(self, moves: Iterable[Move]) -> "SensibleGo":
        """Return the same position with these moves barred."""
        return SensibleGo(self.game(), self.komi, frozenset(moves))


class Board:
    """The board of a rollout. It checks simple ko only, because superko would take longer than everything else."""

    def __init__(self, position: GoPosition) -> None:
        game = position.game()
        self.size = game.size
        self.records = game.positions  # for compiled code: the board, and a second one for trying moves

    @property
    def to_play(self) -> int:
        """BLACK or WHITE."""
        return int(self.records[NOW]["to_play"])

    def last_move(self) -> int:
        """Return the last move: a point, PASS, or NO_POINT at the start."""
        return int(self.records[NOW]["last_move"])

    def empty_points(self) -> list[int]:
        """Return the empty points in any order."""
        record = self.records[NOW]
        points: list[int] = record["empty_points"][: int(record["empty_count"])].tolist()
        return points

    def colors(self) -> bytes:
        """Return the color of each point, with EDGE around the board."""
        colors: bytes = self.records[NOW]["color"].tobytes()
        return colors

    def is_playable(self, point: int) -> bool:
        """May the player to move play on this empty point without ko, suicide or filling an own eye?"""
        color = self.to_play
        return kernel.check_move(self.records, NOW, point, color, False) == kernel.LEGAL and not is_eye_of(self.records, NOW, point, color)

    def play(self, point: int) -> None:
        """Play a playable point or PASS."""
        kernel.play(self.records, NOW, point, self.to_play)

    def is_self_atari(self, point: int) -> bool:
        """Would a move on this playable point leave its chain with a single liberty?"""
        color = self.to_play
        self.records[TRIAL] = self.records[NOW]
        kernel.play(self.records, TRIAL, point, color)
        return len(liberties(self.records[TRIAL]["color"].tobytes(), point)) == 1


GoPolicy = Callable[[Board, random.Random], int]  # a board -> the point to play, or PASS


def liberties(colors: bytes, point: int) -> set[int]:
    """Return the liberties of the chain on `point`: one, or at least two if there are several."""
    chain, waiting, liberty_points = {point}, [point], set[int]()
    while waiting and len(liberty_points) < 2:
        stone = waiting.pop()
        for step in ADJACENT:
            beside = stone + step
            if colors[beside] == EMPTY:
                liberty_points.add(beside)
            elif colors[beside] == colors[point] and beside not in chain:
                chain.add(beside)
                waiting.append(beside)
    return liberty_points


def light_point(board: Board, rng: random.Random) -> int:
    """Return a random playable point, all equally likely, or PASS if there is none: the light policy."""
    points = board.empty_points()
    while points:
        index = rng.randrange(len(points))
        if board.is_playable(points[index]):
            return points[index]
        points[index] = points[-1]
        points.pop()
    return PASS


def heavy_point(board: Board, rng: random.Random) -> int:
    """Return a capture, a rescue from atari, a pattern move beside the last move, or else a light move: the heavy policy."""
    if is_on_board(board.last_move(), board.size):
        for suggest in (capturing_points, saving_points, pattern_points):
            points = [point for point in suggest(board) if board.is_playable(point)]
            if points:
                return rng.choice(points)
    return light_point(board, rng)


def capturing_points(board: Board) -> Iterator[int]:
    """Yield the last liberties of opponent's chains in atari: the chain that has just moved, and chains around the last move."""
    colors, last = board.colors(), board.last_move()
    for point in [last, *around(last)]:
        if colors[point] == opponent(board.to_play):
            chain_liberties = liberties(colors, point)
            if len(chain_liberties) == 1:
                yield from chain_liberties


def saving_points(board: Board) -> Iterator[int]:
    """Yield the last liberties of own chains beside the last move, if a stone there gains a second liberty."""
    colors, last = board.colors(), board.last_move()
    for step in ADJACENT:
        point = last + step
        if colors[point] == board.to_play:
            chain_liberties = liberties(colors, point)
            if len(chain_liberties) == 1 and board.is_playable(liberty := chain_liberties.pop()) and not board.is_self_atari(liberty):
                yield liberty


def pattern_points(board: Board) -> Iterator[int]:
    """Yield the points around the last move where a pattern of `go/patterns.py` suggests a stone."""
    colors = board.colors()
    for point in around(board.last_move()):
        if colors[point] == EMPTY:
            code = sum(colors[beside] << 2 * i for i, beside in enumerate(around(point)))
            if patterns.PATTERN_TABLE[code] & board.to_play:
                yield point


def around(point: int) -> list[int]:
    """Return the eight points around a point, including those of the border, by rows from the top, as patterns are read."""
    return [point + step for step in AROUND]


def go_rollout_with(policy: GoPolicy) -> Rollout:
    """Return the rollout that plays Go to the end by `policy` and counts area with all stones alive. A draw counts half for each."""

    def rollout(position: Position, rng: random.Random) -> list[float]:
        """See Rollout."""
        assert isinstance(position, GoPosition), "a rollout for Go needs a position of Go"
        board = Board(position)
        passes, moves = int(board.last_move() == PASS), 0
        while passes < 2 and moves < GAME_LENGTH * board.size * board.size:
            point = PASS if position.is_over() else policy(board, rng)
            board.play(point)
            passes, moves = passes + 1 if point == PASS else 0, moves + 1
        score = int(count_area(board.records, NOW)) - position.komi
        black = 0.5 if score == 0 else float(score > 0)
        return [black, 1.0 - black]

    return rollout


light_go_rollout = go_rollout_with(light_point)
heavy_go_rollout = go_rollout_with(heavy_point)
