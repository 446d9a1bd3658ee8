"""The slow reference against sgfmill's board, against known counts, and against positions that one can check by eye."""

import random

import pytest
from reference import Board, IllegalMoveError, count_legal_positions, from_diagram
from sgfmill.boards import Board as SgfmillBoard

from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points, from_vertex, row_and_column
from gtp_engine.go.rules import CHINESE, JAPANESE, NEW_ZEALAND, Ko, Rules, Scoring

SUICIDE_WITHOUT_SUPERKO = Rules("test", Ko.SIMPLE, True, Scoring.AREA)


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 57), (3, 12675)])
def test_counts_the_legal_positions(size: int, count: int) -> None:
    assert count_legal_positions(size) == count


def sgfmill_colors(board: SgfmillBoard, size: int) -> dict[int, int]:
    names = {None: EMPTY, "b": BLACK, "w": WHITE}
    coordinates = {point: row_and_column(point) for point in board_points(size)}
    return {point: names[board.get(row - 1, column - 1)] for point, (row, column) in coordinates.items()}


def count_of(board: SgfmillBoard, color: str) -> int:
    """The number of this color's stones."""
    return sum(there == color for there, _ in board.list_occupied_points())


@pytest.mark.parametrize("rules", [JAPANESE, SUICIDE_WITHOUT_SUPERKO])
@pytest.mark.parametrize(("size", "moves"), [(2, 60), (3, 150), (5, 250), (9, 150)])
def test_random_games_agree_with_sgfmill(size: int, moves: int, rules: Rules) -> None:
    chance = random.Random(size)
    ours, theirs = Board(size, rules), SgfmillBoard(size)
    forbidden = None  # sgfmill's ko point
    for number in range(moves):
        color = ours.to_play
        point = chance.choice([*ours.stones(EMPTY), PASS])
        if point == PASS:
            ours.play(color, PASS)
            forbidden = None
            continue
        row, column = row_and_column(point)
        trial, name = theirs.copy(), "b" if color == BLACK else "w"
        next_forbidden = trial.play(row - 1, column - 1, name)
        lost = count_of(theirs, name) + 1 - count_of(trial, name)
        legal = (row - 1, column - 1) != forbidden and (lost == 0 or (rules.suicide and lost > 1))
        assert ours.is_legal(color, point) == legal, f"move {number}\n{ours}"
        if legal:
            ours.play(color, point)
            theirs, forbidden = trial, next_forbidden
            assert ours.colors == sgfmill_colors(theirs, size)
            assert (ours.ko is None) == (forbidden is None)
            assert ours.area_score() == theirs.area_score()
            assert ours.all_chains_breathe()


KO = """
. . . . .
. X O . .
X O . O .
. X O . .
. . . . .
"""


def test_simple_ko_forbids_the_immediate_recapture_only() -> None:
    board = from_diagram(KO, JAPANESE)
    board.play(BLACK, from_vertex("C3", 5))
    assert board.captures[BLACK] == 1
    assert board.why_illegal(WHITE, from_vertex("B3", 5)) == "ko"
    assert board.is_legal(BLACK, from_vertex("B3", 5)), "filling one's own ko is no recapture"
    board.play(WHITE, PASS)
    board.play(BLACK, PASS)
    assert board.is_legal(WHITE, from_vertex("B3", 5))


@pytest.mark.parametrize("rules", [CHINESE, NEW_ZEALAND])
def test_superko_outlives_two_passes(rules: Rules) -> None:
    board = from_diagram(KO, rules)
    board.play(BLACK, from_vertex("C3", 5))
    board.play(WHITE, PASS)
    board.play(BLACK, PASS)
    assert board.repeats_position(WHITE, from_vertex("B3", 5))


SENDING_TWO_RETURNING_ONE = """
. . . .
. . . .
O O X .
. X . X
"""


def test_positional_superko_forbids_what_situational_allows() -> None:
    for rules, reason in ((CHINESE, "superko"), (NEW_ZEALAND, ""), (JAPANESE, "")):
        board = from_diagram(SENDING_TWO_RETURNING_ONE, rules)
        board.play(BLACK, from_vertex("A1", 4))
        board.play(WHITE, from_vertex("C1", 4))
        assert board.captures[WHITE] == 2
        # taking back one stone restores the drawing, now with White to play
        assert board.why_illegal(BLACK, from_vertex("B1", 4)) == reason


def test_suicide_is_for_chains_of_two_or_more_and_only_where_allowed() -> None:
    drawn = """
    . X O .
    O O O .
    . . . .
    . . . .
    """
    allowed, forbidden = from_diagram(drawn, NEW_ZEALAND), from_diagram(drawn, CHINESE)
    corner = from_vertex("A4", 4)
    assert forbidden.why_illegal(BLACK, corner) == "suicide"
    allowed.play(BLACK, corner)
    assert str(allowed).split("\n")[0] == ". . O ."
    assert allowed.captures[WHITE] == 2
    assert allowed.why_illegal(BLACK, from_vertex("B4", 4)) == ""


def test_an_illegal_move_leaves_the_board_alone() -> None:
    board = from_diagram(KO, JAPANESE)
    before = board.position()
    with pytest.raises(IllegalMoveError, match="occupied"):
        board.play(BLACK, from_vertex("B3", 5))
    assert (board.position(), board.to_play) == (before, BLACK)


def test_eyes_at_the_edge_need_all_diagonals_and_in_the_middle_all_but_one() -> None:
    board = from_diagram(
        """
        . X . X O
        X X X . X
        . X O X .
        X X X . X
        O X . X O
        """
    )
    eyes = {vertex for vertex in ("A5", "C5", "D4", "A3", "E3", "D2", "C1") if board.is_eye(BLACK, from_vertex(vertex, 5))}
    assert eyes == {"A5", "C5", "A3", "E3", "C1"}  # D4 and D2 have two white diagonals
    board.colors[from_vertex("E5", 5)] = EMPTY
    assert board.is_eye(BLACK, from_vertex("D4", 5)), "one white diagonal is no harm in the middle"
    board.colors[from_vertex("B4", 5)] = WHITE
    assert not board.is_eye(BLACK, from_vertex("A5", 5)), "but it is in the corner"
    assert not board.is_eye(WHITE, from_vertex("A3", 5))


def test_area_counts_what_reaches_one_color_only() -> None:
    board = from_diagram(
        """
        . X . O .
        X X . O O
        X X . O .
        X X X O O
        . X O O .
        """
    )
    owners = {vertex: board.owner(from_vertex(vertex, 5)) for vertex in ("A5", "A1", "C4", "E5", "E1", "B2")}
    assert owners == {"A5": BLACK, "A1": BLACK, "C4": EMPTY, "E5": WHITE, "E1": WHITE, "B2": BLACK}
    assert board.area_score() == 11 - 11
    assert Board(3).area_score() == 0
