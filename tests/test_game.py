"""Game: undo, superko, set-up, handicap and copies, compared with the slow reference and with boards drawn in text."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from kernels_consistency import FAULTS, SOUND, check
from reference import Board

from gtp_engine.go.game import Game, IllegalMove
from gtp_engine.go.handicap import fixed_handicap_points
from gtp_engine.go.points import BLACK, EDGE, EMPTY, NO_POINT, PASS, STRIDE, WHITE, board_points, opponent, point_at
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, RULE_SETS, TROMP_TAYLOR, Ko, Rules

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

WHAT_COUNTS = ("color", "hash", "ko_point", "to_play", "last_move", "previous_move", "passes", "move_count", "captures", "board_size")


def state(game: Game) -> list[object]:
    """All that a player can know about the game now."""
    position = [np.asarray(game.positions[0][name]).tolist() for name in WHAT_COUNTS]
    return [*position, game.moves.copy(), game.setup_stones.copy(), game.handicap, game.situations(), game.rules, game.size]


def play_randomly(game: Game, moves: int, seed: int) -> list[list[object]]:
    """Play legal moves of either color, passes among them; the state before each move and at the end."""
    dice = random.Random(seed)
    states = [state(game)]
    for _ in range(moves):
        color = game.to_play if dice.random() < 0.9 else opponent(game.to_play)
        game.play(color, dice.choice([*game.legal_points(color), PASS]))
        states.append(state(game))
    return states


def assert_sound(game: Game) -> None:
    fault = check(game.positions, 0)
    assert fault == SOUND, FAULTS[fault]


# ---------------------------------------------------------------- undo and copy


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_undo_goes_back_to_the_start_move_by_move(size: int, rules: Rules) -> None:
    game = Game(size, rules)
    states = play_randomly(game, 40, size)
    for earlier in reversed(states[:-1]):
        game.undo()
        assert state(game) == earlier
        assert_sound(game)
    with pytest.raises(IndexError):
        game.undo()
    assert state(game) == states[0]


def test_what_was_undone_can_be_played_again() -> None:
    game = Game(5)
    states = play_randomly(game, 60, 3)
    moves = game.moves.copy()
    for _ in range(45):
        game.undo()
    for color, point in moves[15:]:
        game.play(color, point)
    assert state(game) == states[-1]


def test_undo_keeps_handicap_and_set_up_stones(diagram: Diagram) -> None:
    game = Game(9)
    game.place_handicap(fixed_handicap_points(9, 4))
    before = state(game)
    game.play(WHITE, point_at(5, 5))
    game.undo()
    assert state(game) == before
    with pytest.raises(IndexError):
        game.undo()
    assert game.stones(BLACK) == sorted(fixed_handicap_points(9, 4))


def test_undo_brings_prisoners_and_ko_back(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        . . . . .
        . X O . .
        X O b O .
        . X O . .
        . . . . .
    """
    game, taken = diagram(drawing, BLACK, JAPANESE), point_at(3, 2)
    game.play(BLACK, marks(drawing)["b"])
    assert (game.captures(BLACK), game.color_at(taken), game.ko_point()) == (1, EMPTY, taken)
    game.undo()
    assert (game.captures(BLACK), game.color_at(taken), game.ko_point()) == (0, WHITE, NO_POINT)


def test_a_copy_goes_its_own_way() -> None:
    game = Game(5)
    play_randomly(game, 20, 1)
    twin = game.copy()
    assert state(twin) == state(game)
    before = state(game)
    play_randomly(twin, 20, 2)
    for _ in range(30):
        twin.undo()
    twin.set_up([(BLACK, point_at(1, 1))], WHITE)
    assert state(game) == before
    assert_sound(game)
    for _ in range(20):
        game.undo()
    assert state(game) == state(Game(5))


# ---------------------------------------------------------------- legality, against the reference


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
@pytest.mark.parametrize("size", [2, 3, 4])
def test_legality_is_that_of_the_reference(size: int, rules: Rules) -> None:
    """Every point for both colors after every move of random games on boards so small that superko comes up all the time."""
    dice = random.Random(size)
    repetitions = 0
    for _ in range(3):
        game, board = Game(size, rules), Board(size, rules)
        for _ in range(40):
            for color in (BLACK, WHITE):
                for point in board_points(size):
                    assert game.is_legal(color, point) == board.is_legal(color, point), f"{color} {point}\n{board}"
                    if not game.why_illegal(color, point):
                        assert game.repeats_position(color, point) == board.repeats_position(color, point)
                        repetitions += game.repeats_position(color, point)
            move = dice.choice([*game.legal_points(game.to_play), PASS])
            board.play(game.to_play, move)
            game.play(game.to_play, move)
    assert (repetitions > 0) == (rules.ko is not Ko.SIMPLE)


def test_refused_moves_say_why_and_change_nothing(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        a O . . .
        O . . . .
        . . X O .
        . X O b O
        . . X O .
    """
    game = diagram(drawing, BLACK, JAPANESE)
    points = marks(drawing)
    game.play(BLACK, points["b"])  # takes the stone to its left, and has only its place as a liberty
    before = state(game)
    for color, point, reason in [
        (WHITE, point_at(3, 3), "occupied point"),
        (WHITE, point_at(6, 1), "not on the board"),
        (WHITE, 100_000, "not on the board"),
        (WHITE, -1, "not on the board"),
        (WHITE, point_at(2, 3), "ko"),
        (BLACK, points["a"], "suicide"),
    ]:
        with pytest.raises(IllegalMove, match=f"^{reason}$"):
            game.play(color, point)
        assert not game.is_legal(color, point)
    assert state(game) == before


def test_suicide_of_a_chain_where_the_rules_allow_it(diagram: Diagram, marks: Marks) -> None:
    drawing = """
        X a O .
        O O O .
        . . . .
        . . . .
    """
    a = marks(drawing)["a"]
    for rules in (NEW_ZEALAND, TROMP_TAYLOR):
        game = diagram(drawing, BLACK, rules)
        game.play(BLACK, a)
        assert game.stones(BLACK) == []
        assert (game.captures(WHITE), game.captures(BLACK)) == (2, 0)
        assert_sound(game)
        game.undo()
        assert game.captures(WHITE) == 0 and len(game.stones(BLACK)) == 1
    for rules in (CHINESE, JAPANESE, AGA):
        assert diagram(drawing, BLACK, rules).why_illegal(BLACK, a) == "suicide"


def test_a_single_stone_is_never_played_as_suicide(diagram: Diagram, marks: Marks) -> None:
    """Under every rule set: it would only be a pass in disguise."""
    drawing = """
        a O .
        O O .
        . . .
    """
    for rules in RULE_SETS.values():
        assert diagram(drawing, BLACK, rules).why_illegal(BLACK, marks(drawing)["a"]) == "suicide"


# ---------------------------------------------------------------- superko


def test_superko_forbids_the_ko_after_two_passes(diagram: Diagram, marks: Marks) -> None:
    """Simple ko is over after a move elsewhere; superko looks at the whole board, where passes change nothing."""
    drawing = """
        . . . . .
        . X O . .
        X O b O .
        . X O . .
        . . . . .
    """
    for rules, allowed in ((JAPANESE, True), (CHINESE, False), (AGA, False), (NEW_ZEALAND, False), (TROMP_TAYLOR, False)):
        game = diagram(drawing, BLACK, rules)
        taken = point_at(3, 2)
        game.play(BLACK, marks(drawing)["b"])
        assert game.why_illegal(WHITE, taken) == "ko"
        game.play(WHITE, PASS)
        game.play(BLACK, PASS)
        assert game.why_illegal(WHITE, taken) == ""
        assert game.is_legal(WHITE, taken) == allowed
        assert game.repeats_position(WHITE, taken) != allowed
        assert (taken in game.legal_points(WHITE)) == allowed


SEND_TWO_RETURN_ONE = """
    a O b O .
    X X O . .
    . . . . .
    . . . . .
    . . . . .
"""


@pytest.mark.parametrize(
    ("rules", "allowed"), [(CHINESE, False), (TROMP_TAYLOR, False), (AGA, True), (NEW_ZEALAND, True), (JAPANESE, True)]
)
def test_positional_superko_forbids_what_situational_allows(rules: Rules, allowed: bool, diagram: Diagram, marks: Marks) -> None:
    """White sends two stones, Black takes them, White takes one back: the board is as before, but now Black is to play."""
    game, points = diagram(SEND_TWO_RETURN_ONE, WHITE, rules), marks(SEND_TWO_RETURN_ONE)
    before = game.positions[0]["hash"]
    one_back = point_at(5, 2)
    game.play(WHITE, points["a"])
    game.play(BLACK, points["b"])
    assert game.captures(BLACK) == 2
    assert game.is_legal(WHITE, one_back) == allowed
    game.play(WHITE, one_back)  # accepted: a server may have allowed it
    assert game.positions[0]["hash"] == before and game.to_play == BLACK
    assert_sound(game)


def test_the_rules_can_change_during_the_game(diagram: Diagram, marks: Marks) -> None:
    game, points = diagram(SEND_TWO_RETURN_ONE, WHITE, AGA), marks(SEND_TWO_RETURN_ONE)
    game.play(WHITE, points["a"])
    game.play(BLACK, points["b"])
    assert game.is_legal(WHITE, point_at(5, 2))
    game.rules = CHINESE
    assert not game.is_legal(WHITE, point_at(5, 2))


def test_undo_forgets_the_positions_of_the_moves_taken_back(diagram: Diagram, marks: Marks) -> None:
    game, points = diagram(SEND_TWO_RETURN_ONE, WHITE, CHINESE), marks(SEND_TWO_RETURN_ONE)
    game.play(WHITE, points["a"])
    game.play(BLACK, points["b"])
    assert len(set(game.situations())) == 3
    game.undo()
    assert len(game.situations()) == 2
    assert game.is_legal(BLACK, points["b"])


def test_pass_never_repeats() -> None:
    game = Game(5)
    for _ in range(4):
        assert game.is_legal(game.to_play, PASS)
        assert not game.repeats_position(game.to_play, PASS)
        game.play(game.to_play, PASS)
    assert game.passes() == 4


# ---------------------------------------------------------------- set-up and handicap


def test_set_up_draws_the_board(diagram: Diagram) -> None:
    drawing = """
        . O . . X
        O . X X X
        . O O O .
        . O . O O
        . . . . .
    """
    game = diagram(drawing, WHITE)
    rows = [" ".join(".XO"[game.color_at(point_at(row, column))] for column in range(1, 6)) for row in range(5, 0, -1)]
    assert rows == [line.strip() for line in drawing.strip().splitlines()]
    assert game.to_play == WHITE and game.moves == [] and game.handicap == 0
    assert game.chain_at(point_at(4, 3)) == [point_at(4, 3), point_at(4, 4), point_at(4, 5), point_at(5, 5)]
    assert game.chain_at(point_at(1, 1)) == []
    assert game.color_at(point_at(6, 1)) == EDGE
    assert_sound(game)


def test_set_up_forgets_what_was_before(diagram: Diagram) -> None:
    game = Game(3)
    play_randomly(game, 15, 1)
    game.set_up([(WHITE, point_at(2, 2))], BLACK)
    fresh = Game(3)
    fresh.set_up([(WHITE, point_at(2, 2))], BLACK)
    assert state(game) == state(fresh)
    with pytest.raises(IndexError):
        game.undo()


@pytest.mark.parametrize(
    ("stones", "why"),
    [
        ([(BLACK, point_at(1, 1)), (WHITE, point_at(1, 1))], "repeated vertex A1"),
        ([(BLACK, point_at(4, 1))], "not on the board"),
        ([(BLACK, PASS)], "not on the board"),
        ([(EMPTY, point_at(1, 1))], "not on the board"),
        ([(BLACK, point_at(1, 1)), (WHITE, point_at(1, 2)), (WHITE, point_at(2, 1))], "A1 has no liberties"),
    ],
)
def test_an_impossible_set_up_changes_nothing(stones: list[tuple[int, int]], why: str) -> None:
    game = Game(3)
    play_randomly(game, 6, 1)
    before = state(game)
    with pytest.raises(ValueError, match=why):
        game.set_up(stones, BLACK)
    assert state(game) == before


def test_handicap_stones_are_no_moves() -> None:
    game = Game(9)
    points = fixed_handicap_points(9, 3)
    game.place_handicap(points)
    assert game.handicap == 3 and game.moves == [] and game.to_play == WHITE
    assert game.setup_stones == [(BLACK, point) for point in points]
    with pytest.raises(ValueError, match="board not empty"):
        game.place_handicap(points)


@pytest.mark.parametrize("points", [[point_at(3, 3), point_at(3, 3)], [point_at(3, 3), PASS], [point_at(10, 1)]])
def test_a_refused_handicap_leaves_the_board_empty(points: list[int]) -> None:
    game = Game(9)
    with pytest.raises(ValueError, match=r"repeated vertex|not on the board"):
        game.place_handicap(points)
    assert game.stones(BLACK) == [] and game.handicap == 0 and game.to_play == BLACK


def test_handicap_needs_a_board_without_moves() -> None:
    game = Game(9)
    game.play(BLACK, PASS)
    with pytest.raises(ValueError, match="board not empty"):
        game.place_handicap(fixed_handicap_points(9, 2))


def test_colors_may_move_in_any_order(diagram: Diagram) -> None:
    """As GTP allows: the next to play is the opponent of the last mover, and simple ko binds only that player."""
    game = Game(5)
    for column in (1, 2, 3):
        game.play(BLACK, point_at(1, column))
        assert game.to_play == WHITE
    assert game.last_move() == (BLACK, point_at(1, 3))
    assert [mover for mover, _ in game.moves] == [BLACK] * 3
    assert Game(5).last_move() is None


def test_colors_and_chains_are_those_of_the_position() -> None:
    """They are kept as long as the position stands: after a move, an undo, a set-up and in a copy they are the new one's."""
    dice, game = random.Random(3), Game(5, TROMP_TAYLOR)
    for step in range(400):
        way = dice.random()
        if way < 0.2 and game.moves:
            game.undo()
        elif way < 0.25:
            game.set_up([(BLACK, point_at(2, 2)), (BLACK, point_at(2, 3)), (WHITE, point_at(4, 4))], WHITE)
        else:
            game.play(game.to_play, dice.choice(game.legal_points(game.to_play) or [PASS]))
        twin = game.copy()
        for each in (game, twin):
            colors = np.asarray(each.positions[0]["color"]).tolist()
            assert each.colors() == colors and [each.color_at(point) for point in range(len(colors))] == colors, step
            stones = [*each.stones(BLACK), *each.stones(WHITE)]
            assert sorted(each.chains()) == sorted(stones)
            for stone in stones:
                assert each.chain_at(stone) == joined_with(stone, colors), step
        twin.play(BLACK, PASS)
        assert game.chain_at(0) == []


def joined_with(stone: int, colors: list[int]) -> list[int]:
    """The chain, found by walking from stone to stone."""
    found, waiting = {stone}, [stone]
    while waiting:
        point = waiting.pop()
        for other in (point - STRIDE, point - 1, point + 1, point + STRIDE):
            if colors[other] == colors[stone] and other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found)
