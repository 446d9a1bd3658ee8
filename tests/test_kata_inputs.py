"""What KataGo's networks are shown of a position: drawn boards, and the planes and numbers that they must give."""

import numpy as np
import pytest
from conftest import draw_game

from gtp_engine.engine.network.katago import inputs
from gtp_engine.engine.network.katago.calibration import KOMI, shown
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.symmetry import SYMMETRIES
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of, point_of
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, TROMP_TAYLOR, Rules

CORNER = """
    . . . . .
    . . . . .
    . X X . .
    X O . . .
    . . . . .
"""
CORNER_WITH_HELP = """
    . . . . .
    . . . . .
    . X X . .
    X O . O .
    . . . . .
"""
ALIVE_IN_THE_CORNER = """
    . X . X O
    X X X X O
    O O O O O
    . . . . .
    . O . . .
"""
KO = """
    . . . . .
    . X O . .
    X . X O .
    . X O . .
    . . . . .
"""


CAUGHT_AT_THE_EDGE = """
    . . O . .
    . X X X .
    . . . . .
    . . . . .
    . . . . .
"""
FAR_FROM_THE_EDGE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . O . . . . . .
    . X X X . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def seen(game: Game, scratches: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Planes [22, S, S] and numbers [19] of the game's position; `scratches` [1] SCRATCH: what the thread remembers."""
    found = shown(leaf_of(game, game.to_play, KOMI), np.zeros(1, SCRATCH) if scratches is None else scratches)
    return found["planes"][0], found["globals"][0]


def marked(plane: np.ndarray) -> str:
    """The points of a plane where it is 1, as vertices in order."""
    size = len(plane)
    return " ".join(sorted(f"{'ABCDEFGHJ'[column]}{size - row}" for row, column in zip(*np.nonzero(plane), strict=True)))


def played(game: Game, *moves: str) -> Game:
    """The game after these moves of the players in turn."""
    for move in moves:
        game.play(game.to_play, PASS if move == "pass" else from_vertex(move, game.size))
    return game


@pytest.mark.parametrize(("drawing", "working"), [(CORNER, "B1 C2"), (CORNER_WITH_HELP, "C2")])
def test_a_stone_caught_in_a_ladder_and_the_moves_that_catch_it(drawing: str, working: str) -> None:
    planes, _ = seen(draw_game(drawing, BLACK))
    assert marked(planes[inputs.LADDER]) == "B2"
    assert marked(planes[inputs.WORKING]) == working
    planes, _ = seen(draw_game(drawing, WHITE))
    assert marked(planes[inputs.LADDER]) == "B2"
    assert marked(planes[inputs.WORKING]) == ""  # moves against own stones are none


def test_the_ladders_of_earlier_positions() -> None:
    game = played(draw_game(CORNER, WHITE), "C2", "D4")
    planes, _ = seen(game)
    assert [marked(planes[inputs.LADDER + back]) for back in range(3)] == ["", "", "B2"]


def test_the_ladders_of_another_board_are_not_taken_for_those_of_this_one() -> None:
    """The same stones on the same points, seen by one thread: on the larger board nothing is caught, neither now nor a move ago."""
    scratches = np.zeros(1, SCRATCH)
    planes, _ = seen(draw_game(CAUGHT_AT_THE_EDGE, BLACK), scratches)
    assert marked(planes[inputs.LADDER]) == "C5"
    planes, _ = seen(played(draw_game(FAR_FROM_THE_EDGE, BLACK), "H8"), scratches)
    assert [marked(planes[inputs.LADDER + back]) for back in range(2)] == ["", ""]


def test_whose_points_are_whose() -> None:
    planes, _ = seen(draw_game(ALIVE_IN_THE_CORNER, BLACK))
    assert marked(planes[inputs.AREA]) == "A4 A5 B4 B5 C4 C5 D4 D5"
    assert planes[inputs.AREA + 1].sum() == 25 - 8
    planes, _ = seen(draw_game(ALIVE_IN_THE_CORNER, WHITE, JAPANESE))
    assert not planes[inputs.AREA : inputs.AREA + 2].any()


def test_stones_and_their_liberties() -> None:
    planes, _ = seen(draw_game(CORNER, BLACK))
    assert marked(planes[inputs.OWN]) == "A2 B3 C3" and marked(planes[inputs.OPPONENT]) == "B2"
    assert [marked(planes[inputs.LIBERTIES + k]) for k in range(3)] == ["", "A2 B2", ""]


def test_a_ko_is_forbidden() -> None:
    planes, _ = seen(played(draw_game(KO, WHITE), "B3"))
    assert marked(planes[inputs.KO]) == "C3"
    assert marked(planes[inputs.RECENT]) == "B3"


@pytest.mark.parametrize(("rules", "is_shown"), [(CHINESE, False), (TROMP_TAYLOR, True)])
def test_a_pass_is_shown_where_the_next_one_ends_the_game(rules: Rules, is_shown: bool) -> None:
    planes, numbers = seen(played(Game(5, rules), "C3", "pass"))
    assert numbers[inputs.PASS_ENDS] == is_shown and numbers[0] == is_shown
    assert marked(planes[inputs.RECENT + 1]) == ("C3" if is_shown else "")


def test_earlier_passes_are_shown() -> None:
    planes, numbers = seen(played(Game(5), "C3", "pass", "D4"))
    assert list(numbers[:5]) == [0, 1, 0, 0, 0]
    assert [marked(planes[inputs.RECENT + k]) for k in range(3)] == ["D4", "", "C3"]


NUMBERS = [
    (TROMP_TAYLOR, {inputs.SUPERKO: 1, inputs.KO_KIND: 0.5, inputs.SUICIDE: 1}),
    (CHINESE, {inputs.SUPERKO: 1, inputs.KO_KIND: 0.5}),
    (AGA, {inputs.SUPERKO: 1, inputs.KO_KIND: -0.5}),
    (JAPANESE, {inputs.TERRITORY: 1, inputs.SEKI_TAX: 1}),
]


@pytest.mark.parametrize(("rules", "expected"), NUMBERS)
def test_the_rules_and_the_komi(rules: Rules, expected: dict[int, float]) -> None:
    _, numbers = seen(Game(5, rules))
    wanted = np.zeros(19, np.float32)
    wanted[inputs.KOMI] = -KOMI / inputs.KOMI_SCALE
    wanted[list(expected)] = list(expected.values())
    np.testing.assert_allclose(numbers, wanted)
    _, numbers = seen(played(Game(5, CHINESE), "C3"))
    assert numbers[inputs.KOMI] == pytest.approx(KOMI / inputs.KOMI_SCALE)


def turned(planes: np.ndarray, symmetry: int) -> np.ndarray:
    """Planes [..., S, S] turned as bits of the symmetry say: the rows mirrored, the columns, then both swapped."""
    planes = planes[..., ::-1, :] if symmetry & 1 else planes
    planes = planes[..., ::-1] if symmetry & 2 else planes
    return planes.swapaxes(-1, -2) if symmetry & 4 else planes


@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_a_turned_game_has_turned_planes(symmetry: int) -> None:
    """Whether the moves are turned, or the leaf says how it is seen; ladders too."""
    size, dice = 7, np.random.default_rng(3)
    game, other = Game(size), Game(size)
    moved = turned(np.arange(size * size).reshape(size, size), symmetry).ravel().tolist()
    for _ in range(40):
        move = int(dice.choice(game.legal_points(game.to_play)))
        game.play(game.to_play, move)
        other.play(other.to_play, point_of(moved.index(place_of(move, size)), size))
    planes = turned(seen(game)[0], symmetry)
    np.testing.assert_array_equal(seen(other)[0], planes)
    leaf = leaf_of(game, game.to_play, KOMI)
    leaf["symmetry"] = symmetry
    np.testing.assert_array_equal(shown(leaf, np.zeros(1, SCRATCH))["planes"][0], planes)
