"""Tactics: liberties and self-atari against the slow reference, ladders on drawn boards."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from kernels_policy import (
    count_liberties,
    count_liberties_after,
    find_capture_beside,
    find_ladder_capture,
    is_lost_in_ladder,
    puts_itself_in_atari,
)
from reference import Board

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, PASS, WHITE, from_vertex, to_vertex
from gtp_engine.go.tactics import MANY

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]


def random_games(size: int, seed: int) -> Iterator[tuple[Game, Board]]:
    """Random games at several moments, beside the same ones on the reference's board; more of the small ones."""
    dice = np.random.default_rng(seed)
    for _ in range(81 // (size * size)):
        game, board = Game(size), Board(size)
        for number in range(3 * size * size):
            move = int(dice.choice([*game.legal_points(game.to_play), PASS]))
            board.play(game.to_play, move)
            game.play(game.to_play, move)
            if number % 5 == 0:
                yield game, board


# ---------------------------------------------------------------- liberties


@pytest.mark.parametrize("size", [3, 5, 9])
def test_liberties_are_those_of_the_reference(size: int) -> None:
    for game, board in random_games(size, 1):
        for point in board.stones(BLACK) + board.stones(WHITE):
            expected = board.liberties(point)
            count, first, second = count_liberties(game.positions, point)
            assert count == min(len(expected), MANY)
            found = {first, second} - {NO_POINT}
            assert len(found) == min(count, 2) and found <= expected, f"{to_vertex(point)}\n{board}"


def liberties_when_played(board: Board, color: int, point: int) -> tuple[int, bool]:
    """(liberties of the new stone's chain, were stones taken) after a move that ko and superko are not asked about."""
    after = board.copy()
    after.ko = None
    before = after.captures[color]
    after.play(color, point, enforce_superko=False)
    return len(after.liberties(point)), after.captures[color] > before


@pytest.mark.parametrize("most", [2, MANY])
@pytest.mark.parametrize("size", [3, 5, 9])
def test_liberties_after_a_move_are_those_of_the_reference(size: int, most: int) -> None:
    """Exact when nothing is taken; after a capture at least one and never too many, as the contract says."""
    seen = {False: 0, True: 0}
    for game, board in random_games(size, 2):
        for color in (BLACK, WHITE):
            for point in board.stones(EMPTY):
                if board.why_illegal(color, point) == "suicide":
                    assert count_liberties_after(game.positions, point, color, most) == 0
                    continue
                expected, has_taken = liberties_when_played(board, color, point)
                found = count_liberties_after(game.positions, point, color, most)
                seen[has_taken] += 1
                picture = f"{to_vertex(point)} for {color}\n{board}"
                assert 1 <= found <= min(expected, most) if has_taken else found == min(expected, most), picture
                if not has_taken:
                    assert puts_itself_in_atari(game.positions, point, color) == (expected < 2), picture
    assert min(seen.values()) > 10


def test_self_atari_on_drawn_boards(diagram: Diagram, marks: Marks) -> None:
    """a: into the tiger's mouth; b: takes a stone and gets its point as a second liberty; c: connects to a chain with liberties."""
    drawing = """
        . . . . . X a
        . . . . . . X
        . O . . . . .
        O X b . . . .
        . O O X . . .
        . . O O X . .
        . . . . O c .
    """
    game, at = diagram(drawing), marks(drawing)
    answers = {mark: puts_itself_in_atari(game.positions, at[mark], WHITE) for mark in "abc"}
    assert answers == {"a": True, "b": False, "c": False}


def test_a_chain_is_saved_by_taking_what_attacks_it(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        . . . . . . .
        . . a . . . .
        . X O X . . .
        . O X O . . .
        . . . . . . .
        . . . . . X .
        . . . . . . .
    """
    game, at = diagram(drawing), marks(drawing)
    saved = {to_vertex(stone): find_capture_beside(game.positions, stone) for stone in game.stones(BLACK)}
    assert saved == {"B5": at["a"], "D5": at["a"], "C4": at["a"], "F2": NO_POINT}


# ---------------------------------------------------------------- ladders

# X runs from D4; O has C4, D3 and E3, and plays `a` to drive it to the upper right.
LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . b . .
    . . . . . . . . .
    . . . a . . . . .
    . . O X . . . . .
    . . . O O . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def test_a_ladder_works_on_an_empty_board(diagram: Diagram, marks: Marks) -> None:
    game = diagram(LADDER)
    chased = game.stones(BLACK)[0]
    assert to_vertex(find_ladder_capture(game.positions, 0, chased, game.positions.copy())) == to_vertex(marks(LADDER)["a"])
    game.play(WHITE, marks(LADDER)["a"])
    assert is_lost_in_ladder(game.positions, 0, chased, game.positions.copy())


@pytest.mark.parametrize("breaker", ["E5", "F6", "G7", "H8"])
def test_a_friend_on_the_way_breaks_the_ladder(breaker: str, diagram: Diagram, marks: Marks) -> None:
    """Each of these points lies where the ladder would run."""
    game = diagram(LADDER)
    chased = game.stones(BLACK)[0]
    game.play(BLACK, point_of(breaker))
    assert find_ladder_capture(game.positions, 0, chased, game.positions.copy()) == NO_POINT
    game.play(WHITE, marks(LADDER)["a"])
    assert not is_lost_in_ladder(game.positions, 0, chased, game.positions.copy())


@pytest.mark.parametrize("bystander", ["A9", "C8", "H3", "J2"])
def test_a_stone_off_the_way_breaks_nothing(bystander: str, diagram: Diagram, marks: Marks) -> None:
    game = diagram(LADDER)
    chased = game.stones(BLACK)[0]
    game.play(BLACK, point_of(bystander))
    assert find_ladder_capture(game.positions, 0, chased, game.positions.copy()) == marks(LADDER)["a"]


def point_of(vertex: str) -> int:
    """The point that the vertex names on 9x9."""
    return from_vertex(vertex, 9)


def test_a_chaser_in_atari_ends_the_ladder(diagram: Diagram, marks: Marks) -> None:
    """As the ladder above, but the stone on C4 can be taken on the way."""
    drawing = LADDER.replace(". . O X . . . . .", ". X O X . . . . .").replace(". . . O O . . . .", ". . X O O . . . .")
    game = diagram(drawing)
    chased = game.chain_at(point_of("D4"))[0]
    game.play(WHITE, marks(drawing)["a"])
    assert find_capture_beside(game.positions, chased) == point_of("C5")
    assert not is_lost_in_ladder(game.positions, 0, chased, game.positions.copy())


def test_a_stone_at_the_edge_is_driven_along_it(diagram: Diagram, marks: Marks) -> None:
    """On the second line the chased is pushed to the first and caught there; on the open side it runs."""
    drawing = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . O X b . . .
        . . a . . . .
    """
    game, at = diagram(drawing), marks(drawing)
    chased = game.stones(BLACK)[0]
    assert find_ladder_capture(game.positions, 0, chased, game.positions.copy()) == at["b"]
    game.play(WHITE, at["a"])
    assert not is_lost_in_ladder(game.positions, 0, chased, game.positions.copy()), "the wrong side"


def test_a_chain_with_three_liberties_is_in_no_ladder(diagram: Diagram) -> None:
    game = diagram("""
        . . . . .
        . . . . .
        . . X O .
        . . . . .
        . . . . .
    """)
    assert find_ladder_capture(game.positions, 0, game.stones(BLACK)[0], game.positions.copy()) == NO_POINT


def test_the_last_liberty_is_where_a_chain_is_taken(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        X a . . .
        O . . . .
        . . . . .
        . . . . .
        . . . . .
    """
    game = diagram(drawing)
    assert find_ladder_capture(game.positions, 0, game.stones(BLACK)[0], game.positions.copy()) == marks(drawing)["a"]


def test_reading_a_ladder_changes_nothing(diagram: Diagram, marks: Marks) -> None:
    game = diagram(LADDER)
    game.play(WHITE, marks(LADDER)["a"])
    before = game.positions.copy()
    is_lost_in_ladder(game.positions, 0, game.stones(BLACK)[0], game.positions.copy())
    find_ladder_capture(game.positions, 0, game.stones(BLACK)[0], game.positions.copy())
    assert (game.positions == before).all()
