"""What the network sees, against the slow reference, and ladders on drawn boards."""

import hashlib
from collections.abc import Callable

import numpy as np
import pytest
from kernels_policy import survey_first
from reference import Board

from gtp_engine.engine.move_model.model_file import MODEL_FILE, load_model
from gtp_engine.engine.network import features
from gtp_engine.engine.network.features import HISTORY, LEAF_SCRATCH, PLANES, SYMMETRIES, write_planes
from gtp_engine.engine.playout.policy import SUGGESTIONS, playout_policy
from gtp_engine.engine.playout.survey import SURVEY
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, PASS, WHITE, board_points, from_vertex, row_and_column

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

MODELS = load_model()
NO_SURVEY = np.ones(1, SURVEY)  # as if one playout had been won
COMPARED = [plane for plane in range(features.MOVE_MODEL) if not features.LADDER_CAPTURE <= plane <= features.LADDER_DANGER]


def planes_of(
    game: Game, komi: float = 6.5, recent: list[int] | None = None, surveys: np.ndarray | None = None, symmetry: int = 0
) -> np.ndarray:
    """What the side to move sees, [PLANES, S, S]."""
    planes, leaf = np.full((PLANES, game.size, game.size), np.nan, np.float32), leaf_of(game, game.to_play, komi)
    moves = ([move for _, move in reversed(game.moves)] if recent is None else recent)[:HISTORY]
    leaf["moves"] = moves + [NO_POINT] * (HISTORY - len(moves))
    leaf["survey"] = NO_SURVEY if surveys is None else surveys
    leaf["symmetry"] = symmetry
    write_planes(leaf, np.zeros(1, LEAF_SCRATCH), MODELS, planes)
    return planes


def place(point: int, size: int) -> tuple[int, int]:
    """Row and column of a plane."""
    row, column = row_and_column(point)
    return size - row, column - 1


def slow_planes(board: Board, moves: list[int], komi: float) -> np.ndarray:
    """The same without ladders, from the table in features.py, by trying every move on the slow board."""
    size, own = board.size, board.to_play
    planes = np.zeros((PLANES, size, size), np.float32)
    for point in board_points(size):
        at = place(point, size)
        color = board.colors[point]
        if color != EMPTY:
            planes[(0 if color == own else 1, *at)] = 1
            planes[((2 if color == own else 6) + min(len(board.liberties(point)), 4) - 1, *at)] = 1
        after = board.copy()
        if color == EMPTY and not board.why_illegal(own, point):
            after.play(own, point, enforce_superko=False)
            taken = after.captures[own] - board.captures[own]
            if taken:
                planes[(16 + min(taken, 3) - 1, *at)] = 1
            planes[(19 + min(len(after.liberties(point)), 4) - 1, *at)] = 1
        row, column = at
        planes[(27, *at)] = 1 / (1 + min(row, column, size - 1 - row, size - 1 - column))
    if board.ko and board.ko[0] == own:
        planes[(10, *place(board.ko[1], size))] = 1
    for i, move in enumerate(moves[::-1][:5]):
        if move != PASS:
            planes[(11 + i, *place(move, size))] = 1
    planes[26], planes[28] = 1, own == BLACK
    planes[29] = (komi if own == WHITE else -komi) / 20
    return planes


@pytest.mark.parametrize(("size", "games", "moves", "every"), [(3, 5, 18, 1), (5, 4, 50, 4), (9, 2, 150, 25), (19, 1, 120, 120)])
def test_planes_of_random_games_are_those_of_the_slow_twin(size: int, games: int, moves: int, every: int) -> None:
    dice = np.random.default_rng(size)
    for _ in range(games):
        game = Game(size)
        board = Board(size)
        for number in range(moves):
            if number % every == every - 1:
                planes = planes_of(game)
                assert np.array_equal(planes[COMPARED], slow_planes(board, [move for _, move in game.moves], 6.5)[COMPARED]), str(board)
            move = int(dice.choice([*game.legal_points(game.to_play), PASS]))
            board.play(game.to_play, move)
            game.play(game.to_play, move)


LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . b . .
    . . . . . . . . .
    . . . a . . . . .
    . . O X e . . . .
    . . . O O . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def points_in(plane: np.ndarray, size: int) -> set[int]:
    """The points where a plane is 1."""
    return {point for point in board_points(size) if plane[place(point, size)] == 1}


def test_the_attacker_sees_the_move_that_starts_a_ladder(diagram: Diagram, marks: Marks) -> None:
    planes = planes_of(diagram(LADDER, to_play=WHITE))
    assert points_in(planes[features.LADDER_CAPTURE], 9) == {marks(LADDER)["a"]}
    assert not planes[features.LADDER_DANGER].any()


def test_the_defender_sees_its_danger(diagram: Diagram) -> None:
    game = diagram(LADDER)
    planes = planes_of(game)
    assert points_in(planes[features.LADDER_DANGER], 9) == set(game.stones(BLACK))
    assert not planes[features.LADDER_CAPTURE].any()


@pytest.mark.parametrize("escapes", [False, True])
def test_a_chain_in_atari_sees_an_escape_only_with_a_breaker(escapes: bool, diagram: Diagram, marks: Marks) -> None:
    game = diagram(LADDER)
    if escapes:
        game.play(BLACK, marks(LADDER)["b"])
    game.play(WHITE, marks(LADDER)["a"])
    assert game.to_play == BLACK
    expected = {marks(LADDER)["e"]} if escapes else set()
    assert points_in(planes_of(game)[features.LADDER_ESCAPE], 9) == expected


def test_self_atari_captures_and_suicide_are_seen(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        s X O O c
        X X X X .
        . . . . .
        . . . . X
        . . . X a
    """
    planes = planes_of(diagram(drawing, to_play=WHITE))
    points = {name: place(point, 5) for name, point in marks(drawing).items()}
    after = planes[features.LIBERTIES_AFTER : features.LIBERTIES_AFTER + 4]
    assert not after[:, *points["s"]].any() and not after[:, *points["a"]].any()  # no legal moves
    assert list(after[:, *points["c"]]) == [1, 0, 0, 0]  # self-atari
    black = planes_of(diagram(drawing, to_play=BLACK))
    assert list(black[features.CAPTURES : features.CAPTURES + 3, *points["c"]]) == [0, 1, 0]
    assert list(black[features.LIBERTIES_AFTER : features.LIBERTIES_AFTER + 4, *points["c"]]) == [0, 1, 0, 0]


def test_komi_and_color_are_seen_from_the_mover(diagram: Diagram) -> None:
    game = Game(5)
    black = planes_of(game, komi=10.0)
    game.play(BLACK, PASS)
    white = planes_of(game, komi=10.0)
    assert (black[features.KOMI] == -0.5).all() and (white[features.KOMI] == 0.5).all()
    assert (black[features.BLACK_TO_PLAY] == 1).all() and not white[features.BLACK_TO_PLAY].any()


def test_the_move_model_gives_legal_moves_probabilities_that_sum_to_one(diagram: Diagram, marks: Marks) -> None:
    game = diagram(LADDER, to_play=WHITE)
    plane = planes_of(game)[features.MOVE_MODEL]
    probabilities = np.where(plane > 0, np.exp((plane - 1) * features.MODEL_SPAN), 0.0)
    assert probabilities.sum() == pytest.approx(1.0, abs=0.01)  # the least probable ones are left out
    assert plane.min() == 0.0 and not any(plane[place(point, 9)] for point in [*game.stones(BLACK), *game.stones(WHITE)])
    assert plane[place(marks(LADDER)["a"], 9)] > plane[0, 0]


@pytest.mark.parametrize(("to_play", "sign"), [(BLACK, 1), (WHITE, -1)])
def test_what_playouts_say_is_seen_from_the_mover(to_play: int, sign: int) -> None:
    """Two playouts of four won by Black, one drawn, by 24 points in all; Black owns one point always, White one in half of them."""
    game = Game(5)
    if to_play == WHITE:
        game.play(BLACK, PASS)
    surveys = np.zeros(1, SURVEY)
    surveys["tally"]["playouts"], surveys["wins"], surveys["lead"] = 4, 2.5, 24.0
    blacks, whites = 21, 43
    surveys["tally"]["ownership"][0, blacks], surveys["tally"]["ownership"][0, whites] = 4, -2
    planes = planes_of(game, surveys=surveys)
    assert planes[features.PLAYOUT_OWNERS][place(blacks, 5)] == sign * 1.0
    assert planes[features.PLAYOUT_OWNERS][place(whites, 5)] == sign * -0.5
    assert np.count_nonzero(planes[features.PLAYOUT_OWNERS]) == 2
    assert (planes[features.PLAYOUT_WINS] == sign * 0.25).all()
    assert planes[features.PLAYOUT_LEAD][0, 0] == pytest.approx(sign * 6.0 / features.KOMI_SCALE)


def test_a_survey_leaves_the_position_and_agrees_with_itself() -> None:
    """On a board that Black has filled but for two eyes every playout is Black's."""
    game = Game(3)
    for color, vertex in ((BLACK, "A2"), (BLACK, "B1"), (BLACK, "B2"), (BLACK, "B3"), (BLACK, "C2"), (BLACK, "C3"), (BLACK, "A3")):
        game.play(color, from_vertex(vertex, 3))
    positions, surveys = np.repeat(game.positions[:1], 3), np.zeros(1, SURVEY)
    survey_first(surveys, 6, 2.5, positions, playout_policy(SearchParams()), np.zeros(1, SUGGESTIONS))
    tally = surveys[0]["tally"]
    assert (tally["playouts"], surveys[0]["wins"], surveys[0]["lead"]) == (6, 6.0, 6 * (9 - 2.5))
    assert tally["ownership"].sum() == 6 * 9
    for name in game.positions.dtype.names or ():
        assert name == "random" or (positions[0][name] == game.positions[0][name]).all(), name


def test_the_move_model_is_the_one_that_networks_learned_with() -> None:
    """Fitted anew, it has other weights: then FEATURES_VERSION must grow, and this digest with it."""
    assert (features.FEATURES_VERSION, hashlib.sha256(MODEL_FILE.read_bytes()).hexdigest()[:16]) == (3, "3ddb0b20cc89e87c")


def test_recent_moves_may_come_from_the_caller(marks: Marks) -> None:
    game = Game(9)
    planes = planes_of(game, recent=[PASS, 21])
    assert not planes[features.RECENT].any()
    assert points_in(planes[features.RECENT + 1], 9) == {21}


def test_the_position_is_left_as_it_was() -> None:
    game = Game(9)
    for point in (21, 41, 22, 45):
        game.play(game.to_play, point)
    before = game.positions[0].copy()
    planes_of(game)
    assert game.positions[0] == before


def turn(plane: np.ndarray, symmetry: int) -> np.ndarray:
    """A plane [S, S] turned as bits of the symmetry say: the rows mirrored, the columns, then both swapped."""
    turned = plane[::-1] if symmetry & 1 else plane
    turned = turned[:, ::-1] if symmetry & 2 else turned
    return turned.T if symmetry & 4 else turned


@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_a_transformed_game_has_transformed_planes(symmetry: int) -> None:
    """Playing the turned game gives the turned planes, ladders too."""
    size = 7
    dice = np.random.default_rng(3)
    game, turned = Game(size), Game(size)
    numbers = np.arange(float(size * size)).reshape(size, size)
    moved = turn(numbers, symmetry)
    for _ in range(40):
        move = int(dice.choice(game.legal_points(game.to_play)))
        row, column = np.argwhere(moved == numbers[place(move, size)])[0]
        game.play(game.to_play, move)
        turned.play(turned.to_play, int((size - row) * 20 + column + 1))
    expected = np.array([turn(plane, symmetry) for plane in planes_of(game)])
    assert np.array_equal(planes_of(game, symmetry=symmetry), expected)
    assert np.allclose(planes_of(turned), expected, atol=1e-6)  # the move model's sums are made in another order


def test_symmetries_are_all_different() -> None:
    game = Game(3)
    game.play(BLACK, from_vertex("A2", 3))
    game.play(WHITE, from_vertex("A3", 3))
    assert len({planes_of(game, symmetry=symmetry).tobytes() for symmetry in range(SYMMETRIES)}) == SYMMETRIES


def test_the_table_of_planes_is_complete() -> None:
    """Every plane from 0 to PLANES - 1 has a line in the module's table."""
    table = [line for line in (features.__doc__ or "").splitlines() if line.startswith("| ")][1:]
    numbers = [line.split("|")[1].strip() for line in table]
    covered: list[int] = []
    for text in numbers:
        first, _, last = text.replace(",", "-").partition("-")
        covered += range(int(first), int(last or first) + 1)
    assert covered == list(range(PLANES))
