"""Playouts and counting: drawn boards against counts made by hand and by the slow reference."""

from collections.abc import Callable

import numpy as np
import pytest
from kernels_policy import survey_first
from reference import Board, from_diagram

from gtp_engine.engine.playout.playout import PLAYOUT_SCRATCH, TALLY, run_playouts
from gtp_engine.engine.playout.policy import SUGGESTIONS, playout_policy
from gtp_engine.engine.playout.status import dead_stones, estimate_ownership
from gtp_engine.engine.playout.survey import SURVEY
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.count import count, empty_regions, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points, is_on_board, point_at, to_vertex
from gtp_engine.go.position import new_positions
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, TROMP_TAYLOR
from gtp_engine.go.score import count_area

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

POLICIES = ["light", "heavy"]
HEAVY = playout_policy(SearchParams(policy="heavy"))

FINISHED = """
    . X O . O
    X X O O .
    . X O . O
    X X O O .
    . X O . O
"""  # nothing left but eyes: every playout ends here


def playouts(game: Game, policy: str, number: int, seed: int = 1) -> np.void:
    """The tally of `number` playouts from the game's position."""
    positions = game.positions.copy()
    positions[0]["random"] = seed
    tallies = np.zeros(1, TALLY)
    run_playouts(positions, playout_policy(SearchParams(policy=policy)), tallies, np.zeros(1, PLAYOUT_SCRATCH), number)
    tally: np.void = tallies[0]
    return tally


# ---------------------------------------------------------------- playouts


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_a_finished_board_keeps_its_score(to_play: int, policy: str, diagram: Diagram) -> None:
    game = diagram(FINISHED, to_play)
    tally = playouts(game, policy, 50)
    assert tally["playouts"] == 50
    assert tally["moves"] == 50 * 2, "two passes each"
    assert tally["score_sum"] == 50 * from_diagram(FINISHED).area_score() == 50 * -5
    owners = {point: BLACK if tally["ownership"][point] == 50 else WHITE for point in board_points(5)}
    assert owners == {point: from_diagram(FINISHED).owner(point) for point in board_points(5)}


@pytest.mark.parametrize("policy", POLICIES)
def test_playouts_end_full_and_counted(policy: str) -> None:
    """Every playout from an empty board: each point owned by somebody or a seki, the scores the sum of the owners."""
    for size in (2, 3, 5, 9):
        tally = playouts(Game(size), policy, 100)
        on_board = list(board_points(size))
        assert tally["score_sum"] == tally["ownership"][on_board].sum()
        assert not np.delete(tally["ownership"], on_board).any()
        assert (abs(tally["ownership"]) <= 100).all()
        assert 100 * size * size * 0.5 < tally["moves"] <= 100 * size * size * 3


@pytest.mark.parametrize("policy", POLICIES)
def test_playouts_leave_the_position_alone(policy: str, diagram: Diagram) -> None:
    positions = diagram(FINISHED.replace("X X O O", ". X O O")).positions.copy()
    before = positions[0].copy()
    run_playouts(positions, playout_policy(SearchParams(policy=policy)), np.zeros(1, TALLY), np.zeros(1, PLAYOUT_SCRATCH), 20)
    changed = [name for name in before.dtype.names if not np.array_equal(before[name], positions[0][name])]
    assert changed == ["random"]


@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_seed_plays_the_same(policy: str) -> None:
    first, second, other = (playouts(Game(9), policy, 30, seed) for seed in (1, 1, 2))
    assert first == second
    assert first != other


@pytest.mark.parametrize("policy", POLICIES)
def test_the_player_to_move_comes_first(policy: str, diagram: Diagram) -> None:
    """On a board this small the first stone decides."""
    drawing = """
        . . .
        . . .
        . . .
    """
    leads = [playouts(diagram(drawing, to_play), policy, 500)["score_sum"] for to_play in (BLACK, WHITE)]
    assert leads[0] > 0 > leads[1]


def test_an_even_board_is_even() -> None:
    """From the empty board the first player leads a little, by about as much for either color."""
    black = playouts(Game(9), "light", 3000)["score_sum"] / 3000
    game = Game(9)
    game.play(BLACK, PASS)
    white = playouts(game, "light", 3000)["score_sum"] / 3000
    assert 1 < black < 4
    assert -4 < white < -1


def test_heavy_playouts_take_what_stands_in_atari(diagram: Diagram) -> None:
    """Five stones that only a careless player lets live."""
    drawing = """
        . . . . . . .
        . X X X X X .
        X O O O O O .
        . X X X X X .
        . . . . . . .
        . . O . O . .
        . . . . . . .
    """
    game = diagram(drawing, BLACK)
    stones = [point_at(5, column) for column in range(2, 7)]
    taken = {policy: playouts(game, policy, 500)["ownership"][stones].mean() / 500 for policy in POLICIES}
    assert taken["heavy"] > taken["light"]
    assert taken["heavy"] > 0.8


# ---------------------------------------------------------------- counting


@pytest.mark.parametrize("seed", range(5))
def test_area_of_random_boards_is_that_of_the_reference(seed: int) -> None:
    """Any position, finished or not: the compiled count, the plain one, and the reference with its flood fill."""
    dice = np.random.default_rng(seed)
    for size in (2, 3, 5, 9):
        game, board = Game(size), Board(size)
        for _ in range(2 * size * size):
            move = int(dice.choice([*game.legal_points(game.to_play), PASS]))
            board.play(game.to_play, move)
            game.play(game.to_play, move)
            assert count_area(game.positions, 0) == board.area_score()
        assert count(game, ()).score == board.area_score()
        assert count(game, ()).owners == {point: board.owner(point) for point in board_points(size)}


WITH_DEAD_STONES = """
    . X O . .
    X X O . O
    . X O O .
    X X O X .
    . X O O O
"""


def test_dead_stones_are_points_and_prisoners(diagram: Diagram) -> None:
    dead = [point_at(2, 4)]
    without = from_diagram(WITH_DEAD_STONES.replace("O X .", "O . ."))
    for rules in (CHINESE, AGA, TROMP_TAYLOR):
        counted = count(diagram(WITH_DEAD_STONES, BLACK, rules), dead)
        assert counted.score == without.area_score() == 10 - 15
        assert counted.owners == {point: without.owner(point) for point in board_points(5)}
    assert count(diagram(WITH_DEAD_STONES, BLACK, JAPANESE), dead).score == 3 - (6 + 1)
    assert count(diagram(WITH_DEAD_STONES, BLACK, JAPANESE), ()).score == 3 - 3  # the dead stone spoils three points


def test_prisoners_count_under_territory_rules_only(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        O X . . .
        a X . . .
        X X X X X
        O O O O O
        . O . O .
    """
    for rules, expected in ((CHINESE, 15 - 10), (JAPANESE, 7 + 1 - 3)):
        game = diagram(drawing, BLACK, rules)
        game.play(BLACK, marks(drawing)["a"])
        assert game.captures(BLACK) == 1
        assert count(game, ()).score == expected
        game.play(WHITE, PASS)
        assert count(game, ()).score == expected, "a pass costs nothing"


def test_eyes_in_seki_are_nobodys_points_under_territory_rules(diagram: Diagram) -> None:
    drawing = """
        . X O . X
        X X O O X
        O O O X X
        O . O X .
        O O O X X
    """
    game = diagram(drawing, BLACK, JAPANESE)
    in_seki = game.chain_at(point_at(5, 5))
    assert count(game, ()).score - count(game, (), in_seki).score == 1  # Black's eye on E2
    area = diagram(drawing, BLACK, CHINESE)
    assert count(area, ()) == count(area, (), in_seki)


def test_dame_belong_to_nobody(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        . X a O .
        . X b O .
        X X X O O
        . X O O .
        . X O . .
    """
    for rules in (CHINESE, JAPANESE):
        owners = count(diagram(drawing, BLACK, rules), ()).owners
        assert {to_vertex(point) for point, owner in owners.items() if owner == EMPTY} == {"C4", "C5"}
        assert {owners[point] for point in marks(drawing).values()} == {EMPTY}


def test_regions_and_their_borders(diagram: Diagram) -> None:
    game = diagram(FINISHED)
    colors = {point: game.color_at(point) for point in board_points(5)}
    regions = list(empty_regions(colors, 5))
    assert sorted(region.owner(colors) for region in regions) == [BLACK] * 3 + [WHITE] * 5
    for region in regions:
        (point,) = region.points
        assert region.border == frozenset(neighbors(point, 5))
    board = Board(5)
    assert all(set(neighbors(point, 5)) == board.neighbors(point) for point in board_points(5))


# ---------------------------------------------------------------- the status of stones


def test_the_stone_without_hope_is_dead(diagram: Diagram) -> None:
    game = diagram(WITH_DEAD_STONES)
    assert dead_stones(game, estimate_ownership(game, HEAVY)) == {point_at(2, 4)}


def test_an_empty_board_has_no_owner() -> None:
    ownership = estimate_ownership(Game(9), HEAVY)
    assert (abs(ownership) < 0.2).all()
    assert dead_stones(Game(9), ownership) == set()


def test_ownership_does_not_depend_on_who_asks(diagram: Diagram) -> None:
    """The same whoever is to play, and each time; exchanging the colors exchanges the owners."""
    game = diagram(WITH_DEAD_STONES, BLACK)
    ownership = estimate_ownership(game, HEAVY)
    assert (ownership == estimate_ownership(diagram(WITH_DEAD_STONES, WHITE), HEAVY)).all()
    swapped = WITH_DEAD_STONES.replace("X", "o").replace("O", "X").replace("o", "O")
    assert abs(ownership + estimate_ownership(diagram(swapped), HEAVY)).max() < 0.15
    assert all(is_on_board(int(point), 5) for point in np.flatnonzero(ownership))


def test_new_positions_are_empty_boards() -> None:
    positions = new_positions(3, 7)
    assert len(positions) == 3 and (positions["empty_count"] == 49).all() and (positions["to_play"] == BLACK).all()


def test_a_survey_leaves_the_position_and_agrees_with_itself(diagram: Diagram) -> None:
    """On a board that Black has filled but for two eyes every playout is Black's."""
    game = diagram("""
        X X X
        X X X
        . X .
    """)
    positions, surveys = np.repeat(game.positions[:1], 3), np.zeros(1, SURVEY)
    survey_first(surveys, 6, 2.5, positions, playout_policy(SearchParams()), np.zeros(1, SUGGESTIONS))
    tally = surveys[0]["tally"]
    assert (tally["playouts"], surveys[0]["wins"], surveys[0]["lead"]) == (6, 6.0, 6 * (9 - 2.5))
    assert tally["ownership"].sum() == 6 * 9
    for name in game.positions.dtype.names or ():
        assert name == "random" or (positions[0][name] == game.positions[0][name]).all(), name
