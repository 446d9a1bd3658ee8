"""Rollouts for Go: light ones fill no own eyes, heavy ones also answer atari and follow 3x3 patterns. And Go without senseless moves.

Together with `go_game.py` the textbook's adapter to our Go. A rollout of a hundred moves on positions that never change would copy a
hundred boards, so here one board is changed in place.
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

GAME_LENGTH = 3  # a rollout ends after this many moves for each point of the board: only repetitions get there
NOW, TRIAL = 0, 1  # records of a Board
ADJACENT: list[int] = kernel.ADJACENT.tolist()
AROUND: list[int] = patterns.AROUND.tolist()


class SensibleGo(GoPosition):
    """Go in which nobody fills an own eye, nor passes as long as another move is left, so that dead stones are taken off in the end."""

    __slots__ = ("barred",)

    def __init__(self, game: Game, komi: float = DEFAULT_KOMI, barred: frozenset[Move] = frozenset()) -> None:
        """As GoPosition; `barred` are moves that are not to be considered here. They are free again after the next move."""
        super().__init__(game, komi)
        self.barred = barred
        self._key = (*self._key, barred)

    def legal_moves(self) -> list[Move]:
        """The moves that make sense; `pass` when there is none."""
        if self.is_over():
            return []
        moves = [move for move in super().legal_moves() if move != "pass" and move not in self.barred]
        return [move for move in moves if not self.fills_own_eye(move)] or ["pass"]

    def is_legal(self, move: Move) -> bool:
        """Is it one of `legal_moves`, in either case?"""
        if not super().is_legal(move):
            return False
        point = from_vertex(move, self._game.size)
        if point == PASS:
            return self.legal_moves() == ["pass"]
        return to_vertex(point) not in self.barred and not self.fills_own_eye(move)

    def without(self, moves: Iterable[Move]) -> "SensibleGo":
        """The same position with these moves barred."""
        return SensibleGo(self.game(), self.komi, frozenset(moves))


class Board:
    """The stones of a rollout. Only simple ko is watched: superko would take longer than everything else."""

    def __init__(self, position: GoPosition) -> None:
        game = position.game()
        self.size = game.size
        self.records = game.positions  # for compiled code: the board, and one to try a move on

    @property
    def to_play(self) -> int:
        """BLACK or WHITE."""
        return int(self.records[NOW]["to_play"])

    def last_move(self) -> int:
        """A point, PASS, or NO_POINT at the start."""
        return int(self.records[NOW]["last_move"])

    def empty_points(self) -> list[int]:
        """In any order."""
        record = self.records[NOW]
        points: list[int] = record["empty_points"][: int(record["empty_count"])].tolist()
        return points

    def colors(self) -> bytes:
        """The color of each point, EDGE around the board."""
        colors: bytes = self.records[NOW]["color"].tobytes()
        return colors

    def is_playable(self, point: int) -> bool:
        """May the player to move play on this empty point: no ko, no suicide, no own eye?"""
        color = self.to_play
        return kernel.check_move(self.records, NOW, point, color, False) == kernel.LEGAL and not is_eye_of(self.records, NOW, point, color)

    def play(self, point: int) -> None:
        """Play a playable point or PASS."""
        kernel.play(self.records, NOW, point, self.to_play)

    def is_self_atari(self, point: int) -> bool:
        """Would the chain of a stone played on this playable point have a single liberty?"""
        color = self.to_play
        self.records[TRIAL] = self.records[NOW]
        kernel.play(self.records, TRIAL, point, color)
        return len(liberties(self.records[TRIAL]["color"].tobytes(), point)) == 1


GoPolicy = Callable[[Board, random.Random], int]  # a board -> the point to play, or PASS


def liberties(colors: bytes, point: int) -> set[int]:
    """The empty points beside the chain on `point`: all of them, or two if there are more than one."""
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
    """The light policy: each playable point is as likely; PASS when there is none."""
    points = board.empty_points()
    while points:
        index = rng.randrange(len(points))
        if board.is_playable(points[index]):
            return points[index]
        points[index] = points[-1]
        points.pop()
    return PASS


def heavy_point(board: Board, rng: random.Random) -> int:
    """The heavy policy: take what is in atari, save what is in atari, follow a pattern beside the last move, else as the light one."""
    if is_on_board(board.last_move(), board.size):
        for suggest in (capturing_points, saving_points, pattern_points):
            points = [point for point in suggest(board) if board.is_playable(point)]
            if points:
                return rng.choice(points)
    return light_point(board, rng)


def capturing_points(board: Board) -> Iterator[int]:
    """The last liberty of an opponent's chain: the one that has just moved, or one beside our chains that it attacks."""
    colors, last = board.colors(), board.last_move()
    for point in [last, *around(last)]:
        if colors[point] == opponent(board.to_play):
            chain_liberties = liberties(colors, point)
            if len(chain_liberties) == 1:
                yield from chain_liberties


def saving_points(board: Board) -> Iterator[int]:
    """The last liberty of our chain beside the last move, if it has two or more after a stone there."""
    colors, last = board.colors(), board.last_move()
    for step in ADJACENT:
        point = last + step
        if colors[point] == board.to_play:
            chain_liberties = liberties(colors, point)
            if len(chain_liberties) == 1 and board.is_playable(liberty := chain_liberties.pop()) and not board.is_self_atari(liberty):
                yield liberty


def pattern_points(board: Board) -> Iterator[int]:
    """The points around the last move where a pattern of `go/patterns.py` wants a stone."""
    colors = board.colors()
    for point in around(board.last_move()):
        if colors[point] == EMPTY:
            code = sum(colors[beside] << 2 * i for i, beside in enumerate(around(point)))
            if patterns.PATTERN_TABLE[code] & board.to_play:
                yield point


def around(point: int) -> list[int]:
    """The eight points around a point of the board, the border among them; row by row from the top, as patterns are read."""
    return [point + step for step in AROUND]


def go_rollout_with(policy: GoPolicy) -> Rollout:
    """The rollout that plays Go to the end by `policy` and counts area, every stone alive. Equal scores are shared out."""

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
