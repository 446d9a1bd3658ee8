"""Eye spaces searched to the end: which shapes live; and every move inside against the slow reference."""

import random

import pytest
from reference import Board

from gtp_engine.go.eye_space import TAKEN, EyeSpace, KoFight, State, can_capture_invaders, can_kill, killer_plays, owner_plays
from gtp_engine.go.points import BLACK, EMPTY, WHITE, point_at

# name: (lives when the killer plays first, dies even when the owner does, the shape); O are the killer's stones.
SHAPES = {
    "one point": (False, True, "."),
    "two": (False, True, ". ."),
    "straight three": (False, False, ". . ."),
    "three, middle taken": (False, True, ". O ."),
    "three, end taken": (False, False, "O . ."),
    "bent three, middle taken": (False, True, "O . / ."),
    "straight four": (True, False, ". . . ."),
    "straight four, middle taken": (False, False, ". O . ."),
    "zigzag four": (True, False, ". . _ / _ . ."),
    "square four": (False, True, ". . / . ."),
    "pyramid four": (False, False, ". . . / _ ."),
    "pyramid four, vital taken": (False, True, ". O . / _ ."),
    "bulky five": (False, False, ". . . / . ."),
    "bulky five, vital taken": (False, True, ". O . / . ."),
    "bulky five, another taken": (False, False, "O . . / . ."),
    "crossed five": (False, False, "_ . / . . . / _ ."),
    "crossed five, vital taken": (False, True, "_ . / . O . / _ ."),
    "straight five": (True, False, ". . . . ."),
    "T five": (True, False, ". . . / _ . / _ ."),
    "rabbity six": (False, False, "_ . . / . . . / _ ."),
    "rabbity six, vital taken": (False, True, "_ . . / . O . / _ ."),
    "straight six": (True, False, ". . . . . ."),
    "rectangular six": (True, False, ". . . / . . ."),
}


def read_shape(shape: str) -> tuple[EyeSpace, int]:
    """The space inside one wall, and the killer's stones in it."""
    symbols = {(down, across): c for down, row in enumerate(shape.split("/")) for across, c in enumerate(row.split()) if c != "_"}
    order = sorted(symbols)
    beside = []
    wall = 0
    for i, (down, across) in enumerate(order):
        around = [(down + 1, across), (down - 1, across), (down, across + 1), (down, across - 1)]
        beside.append(sum(1 << order.index(other) for other in around if other in symbols))
        wall |= (1 << i) * any(other not in symbols for other in around)
    return EyeSpace(tuple(beside), (wall,)), sum(1 << i for i, point in enumerate(order) if symbols[point] == "O")


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_live_and_die_as_they_should(name: str) -> None:
    lives, dies, shape = SHAPES[name]
    space, killers = read_shape(shape)
    for ko in KoFight:
        assert can_kill(space, killers, True, ko) == (not lives)
        assert can_kill(space, killers, False, ko) == dies


# The corner is the first point; its neighbors there have one liberty less.
def test_bent_four_in_the_corner_is_a_ko() -> None:
    """Empty with the killer to play: killed when ko threats don't count, alive when the owner may retake. The owner first lives."""
    space, _ = read_shape(". . . / . _")
    corner = EyeSpace(space.beside, (space.walls[0] & ~1,))  # the corner point touches no wall: its other sides are the edge
    assert can_kill(corner, 0, True, KoFight.NO_THREATS)
    assert not can_kill(corner, 0, True, KoFight.OWNER_WINS)
    assert not can_kill(corner, 0, False, KoFight.NO_THREATS)
    assert not can_kill(space, 0, True, KoFight.NO_THREATS), "elsewhere the bend is no weakness"


def test_rectangular_six_in_the_corner_needs_a_liberty_outside() -> None:
    space, _ = read_shape(". . . / . . .")
    corner = EyeSpace(space.beside, (space.walls[0] & ~0b11,))  # two points touch the edge instead of the wall
    assert can_kill(corner, 0, True, KoFight.NO_THREATS)
    assert not can_kill(corner, 0, False, KoFight.NO_THREATS)


def test_bent_four_that_only_the_killer_can_start() -> None:
    """Three of the killer's stones in the corner: the owner can't play at all, so it is dead where ko threats don't count."""
    space, killers = read_shape("O O O . / . _")
    corner = EyeSpace(space.beside, (space.walls[0] & ~1,))
    assert can_kill(corner, killers, False, KoFight.NO_THREATS)
    assert not can_kill(corner, killers, False, KoFight.OWNER_WINS)


@pytest.mark.parametrize("shape", [". O . .", "O . . . .", ". . O . / . .", "O . . . . ."])
def test_a_lone_invader_of_a_living_space_can_be_taken(shape: str) -> None:
    assert can_capture_invaders(*read_shape(shape))


def test_invaders_of_a_seki_can_not_be_taken() -> None:
    """Six in a row and a shared liberty at each end: whoever plays first loses."""
    space, killers = read_shape(". O O O O .")
    assert not can_kill(space, killers, True, KoFight.NO_THREATS)
    assert not can_capture_invaders(space, killers)


def test_two_walls_can_be_taken_one_by_one() -> None:
    """A three-point space with its middle between two walls that only it connects: the one on the left is taken there."""
    united, killers = read_shape(". . .")
    divided = EyeSpace(united.beside, (0b001, 0b110))
    assert can_kill(united, killers, True, KoFight.NO_THREATS)
    assert can_kill(divided, killers, False, KoFight.NO_THREATS) and not can_kill(united, killers, False, KoFight.NO_THREATS)


# ---------------------------------------------------------------- against the reference


def board_around(shape: str) -> tuple[Board, list[int]]:
    """A 7x7 board full of black stones but for the shape in its middle, White to play; and the shape's points in order."""
    symbols = {(down, across) for down, row in enumerate(shape.split("/")) for across, c in enumerate(row.split()) if c != "_"}
    points = [point_at(5 - down, 2 + across) for down, across in sorted(symbols)]
    board = Board(7)
    board.set_up([(BLACK, point) for point in board.colors if point not in points], WHITE)
    return board, points


def state_of(board: Board, points: list[int]) -> State:
    """The board's position as eye_space sees it."""
    killers, owners = (sum(1 << i for i, point in enumerate(points) if board.colors[point] == color) for color in (WHITE, BLACK))
    ko = 1 << points.index(board.ko[1]) if board.ko is not None and board.ko[0] == board.to_play else 0
    return State(killers, owners, board.to_play == WHITE, ko)


@pytest.mark.parametrize("shape", [". . .", ". . / . .", ". . . / . . _", "_ . _ / . . . / _ . _", "_ . . / . . . / _ . _", ". . . . . ."])
def test_every_move_inside_is_that_of_the_reference(shape: str) -> None:
    """Random play until a wall is taken, with ko and suicide; the reference's superko left aside."""
    dice = random.Random(1)
    space, _ = read_shape(shape)
    moves = ends = 0
    for _ in range(30):
        board, points = board_around(shape)
        wall = board.chain(point_at(1, 1))
        for _ in range(30):
            i = dice.randrange(len(points))
            before, color = state_of(board, points), board.to_play
            if board.colors[points[i]] != EMPTY or before.ko == 1 << i:
                continue
            after = killer_plays(space, before, 1 << i) if color == WHITE else owner_plays(space, before, 1 << i)
            if board.why_illegal(color, points[i]) == "suicide":
                assert after is None
                continue
            board.play(color, points[i], enforce_superko=False)
            moves += 1
            if not wall <= set(board.stones(BLACK)):
                assert after is TAKEN
                ends += 1
                break
            assert after == state_of(board, points), str(board)
    assert moves > 60
    assert ends > 0
