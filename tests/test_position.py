"""The compiled rules against sgfmill's board, against the slow reference, against counting, and against themselves."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from kernels import count_legal_positions, draw_uniform_moves, first_fault_in_random_games
from kernels_consistency import FAULTS, SOUND, check
from reference import Board
from sgfmill import boards

from gtp_engine.go import position as kernel
from gtp_engine.go.eyes import is_eye_of
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points, opponent, row_and_column
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, TROMP_TAYLOR, Rules
from gtp_engine.go.score import count_area

SIZES = range(2, 20)
MOVES_PER_SIZE = 5600  # 18 sizes: 100,800 moves
SGFMILL_COLORS = {EMPTY: None, BLACK: "b", WHITE: "w"}
Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]


def random_legal_point(positions: np.ndarray, size: int, color: int, dice: random.Random) -> int | None:
    """A legal point, eyes included, or None. Draws from all points, so that captures, kos and throw-ins all come about."""
    points = list(board_points(size))
    while points:
        drawn = dice.randrange(len(points))
        points[drawn], points[-1] = points[-1], points[drawn]
        point = points.pop()
        if kernel.check_move(positions, 0, point, color, False) == kernel.LEGAL:
            return point
    return None


def play_and_compare(size: int, seed: int, most_moves: int) -> int:
    """One random game on both boards, every point, ko and the prisoners compared after each move; gives back the moves played."""
    dice = random.Random(seed)
    positions, board = kernel.new_positions(1, size), boards.Board(size)
    places = [(point, (row - 1, column - 1)) for point in board_points(size) for row, column in [row_and_column(point)]]
    color, moves, prisoners = BLACK, 0, {BLACK: 0, WHITE: 0}
    while moves < most_moves:
        point = random_legal_point(positions, size, color, dice)
        if point is None:
            break
        prisoners[color] += kernel.play(positions, 0, point, color)
        row, column = row_and_column(point)
        ko = board.play(row - 1, column - 1, SGFMILL_COLORS[color])
        position = positions[0]
        assert (row_and_column(int(position["ko_point"])) if position["ko_point"] else None) == (ko and (ko[0] + 1, ko[1] + 1))
        assert prisoners[color] == position["captures"][color]
        colors = position["color"].tolist()
        assert [(SGFMILL_COLORS[colors[at]], place) for at, place in places if colors[at] != EMPTY] == board.list_occupied_points()
        color = opponent(color)
        moves += 1
    return moves


@pytest.mark.parametrize("size", SIZES)
def test_random_games_are_those_of_sgfmill(size: int) -> None:
    moves = game = 0
    while moves < MOVES_PER_SIZE:
        moves += play_and_compare(size, 1000 * size + game, min(4 * size * size, MOVES_PER_SIZE - moves))
        game += 1
    assert moves == MOVES_PER_SIZE


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE, AGA, NEW_ZEALAND, TROMP_TAYLOR], ids=lambda rules: rules.name)
@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_legality_is_that_of_the_reference(size: int, rules: Rules) -> None:
    """Every point for both colors, superko and suicide included, through games that wander into every rule."""
    dice = random.Random(size)
    for _ in range(3):
        game, board = Game(size, rules), Board(size, rules)
        for _ in range(30):
            for color in (BLACK, WHITE):
                for point in board_points(size):
                    assert game.is_legal(color, point) == board.is_legal(color, point), f"{point} {color}\n{board}"
                    assert is_eye_of(game.positions, 0, point, color) == board.is_eye(color, point) or board.colors[point] != EMPTY
            assert count_area(game.positions, 0) == board.area_score()
            moves = [point for point in board_points(size) if board.is_legal(board.to_play, point)]
            move = dice.choice([*moves, PASS])
            color = board.to_play
            board.play(color, move)
            game.play(color, move)
            assert [game.captures(BLACK), game.captures(WHITE)] == [board.captures[BLACK], board.captures[WHITE]]
            assert check(game.positions, 0) == SOUND


@pytest.mark.parametrize(("size", "legal"), [(1, 1), (2, 57), (3, 12675)])
def test_number_of_legal_positions(size: int, legal: int) -> None:
    """The perft of Go: Tromp and Farneback, Combinatorics of Go (2006)."""
    assert count_legal_positions(kernel.new_positions(1, size), size) == legal


@pytest.mark.slow
def test_number_of_legal_positions_on_4x4() -> None:
    assert count_legal_positions(kernel.new_positions(1, 4), 4) == 24_318_165


@pytest.mark.parametrize("size", SIZES)
def test_invariants_hold_through_playouts(size: int) -> None:
    fault = first_fault_in_random_games(kernel.new_positions(1, size), size, size, 40)
    assert fault == SOUND, FAULTS[fault]


def test_a_damaged_position_is_noticed() -> None:
    """The checker itself works: a liberty too many is a fault."""
    positions = kernel.new_positions(1, 5)
    kernel.play(positions, 0, 21, BLACK)
    assert check(positions, 0) == SOUND
    positions[0]["liberties"][21] += kernel.LIBERTY[41]
    assert FAULTS[check(positions, 0)] == "liberties"
    kernel.clear(positions, 0, 5)
    positions[0]["hash"] ^= kernel.ZOBRIST[BLACK, 21]
    assert FAULTS[check(positions, 0)] == "hash"


def test_uniform_moves_are_uniform(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        . X O a b
        X X O O c
        d X X O O
        X e X X O
        X X f X O
    """
    game = diagram(drawing, to_play=WHITE)
    hits = np.zeros(kernel.POINTS, np.int64)
    draw_uniform_moves(game.positions, 70_000, hits)
    playable = {point for name, point in marks(drawing).items() if name in "abc"}  # the rest is Black's eyes: suicide
    assert set(np.flatnonzero(hits)) == playable
    expected = 70_000 / len(playable)
    assert all(abs(hits[point] - expected) < 5 * expected**0.5 for point in playable)  # five standard deviations


def test_false_eyes(diagram: Diagram, marks: Marks) -> None:
    """An eye in the middle may miss one diagonal point, an eye at the edge or in the corner none."""
    drawing = """
        a X b X .
        X X X O .
        . X c X .
        . O X O .
        . . . . d
    """
    game = diagram(drawing)
    eyes = {name for name, point in marks(drawing).items() if is_eye_of(game.positions, 0, point, BLACK)}
    assert eyes == {"a"}  # b: a white stone at the edge; c: three white diagonals; d: not even surrounded


def test_an_eye_in_the_middle_survives_one_white_diagonal(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        . . . . .
        . X X O .
        . X a X .
        . X X X .
        . . . . .
    """
    game = diagram(drawing)
    assert is_eye_of(game.positions, 0, marks(drawing)["a"], BLACK)
    assert not is_eye_of(game.positions, 0, marks(drawing)["a"], WHITE)
