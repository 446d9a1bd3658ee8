"""The textbook's games: counted in full where numbers are known, drawn where they are not."""

from collections.abc import Callable
from random import Random

import pytest
from reference import Board

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, board_points, from_vertex, to_vertex
from gtp_engine.textbook.dice_game import DiceGame
from gtp_engine.textbook.explicit_tree import ExplicitTree, alternating, chance, choice, leaf
from gtp_engine.textbook.game import CHANCE, FIRST, SECOND, Position
from gtp_engine.textbook.go_game import GoPosition, capturing_moves, stone_difference
from gtp_engine.textbook.hexapawn import Hexapawn
from gtp_engine.textbook.three_players import CoinRow
from gtp_engine.textbook.tictactoe import TicTacToe, open_lines

STARTS: dict[str, Callable[[], Position]] = {
    "tictactoe": TicTacToe,
    "hexapawn": Hexapawn,
    "dice": DiceGame,
    "coins": CoinRow,
    "go": lambda: GoPosition.start(3),
    "tree": lambda: alternating([[4, 2], 7, {"A": 1, "B": [3, 5]}]),
}


def count_games(position: Position, seen: set[Position]) -> int:
    """Complete games from `position` on; adds every position on the way to `seen`."""
    seen.add(position)
    if position.is_over():
        return 1
    return sum(count_games(position.apply_move(move), seen) for move in position.legal_moves())


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.apply_move(move)
    return position


def random_game(position: Position, dice: Random) -> list[Position]:
    """Every position of a random game."""
    positions = [position]
    while not position.is_over():
        position = position.apply_move(dice.choice(position.legal_moves()))
        positions.append(position)
    return positions


# ---------------------------------------------------------------- the contract, every game


@pytest.mark.parametrize("name", STARTS)
def test_random_games_keep_the_contract(name: str) -> None:
    dice = Random(1)
    for _ in range(5):
        first, second = (random_game(STARTS[name](), Random(seed)) for seed in [dice.randrange(1000)] * 2)
        assert first == second and [hash(position) for position in first] == [hash(position) for position in second]
        assert len(set(first)) == len(first), "no move leaves the position as it was"
        *unfinished, last = first
        for position in unfinished:
            assert position.legal_moves() and not position.is_over() and position.winner() is None
            assert all(position.is_legal(move) for move in position.legal_moves())
            assert position.next_player in [CHANCE, *range(position.players)]
        assert last.legal_moves() == [] and last.winner() in [None, *range(last.players)]
        assert last.players != 2 or last.utility(FIRST) == -last.utility(SECOND)


@pytest.mark.parametrize("name", STARTS)
def test_a_move_leaves_the_position_before_it_alone(name: str) -> None:
    start = STARTS[name]()
    before, text = hash(start), str(start)
    for move in start.legal_moves():
        start.apply_move(move)
    assert (hash(start), str(start)) == (before, text) and start == STARTS[name]()


@pytest.mark.parametrize("name", STARTS)
def test_an_illegal_move_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=r"^illegal move Z99$"):
        STARTS[name]().apply_move("Z99")


@pytest.mark.parametrize("name", STARTS)
def test_no_move_in_a_finished_game(name: str) -> None:
    last = random_game(STARTS[name](), Random(3))[-1]
    with pytest.raises(ValueError, match=r"^the game is over: no move a1$"):
        last.apply_move("a1")


@pytest.mark.parametrize("name", STARTS)
def test_an_unfinished_game_has_no_utility(name: str) -> None:
    with pytest.raises(ValueError, match="not over"):
        STARTS[name]().utility(FIRST)


@pytest.mark.parametrize("name", sorted(set(STARTS) - {"dice"}))
def test_chance_has_no_move_where_a_player_has(name: str) -> None:
    with pytest.raises(ValueError, match="chance has no move"):
        STARTS[name]().chance_outcomes()


# ---------------------------------------------------------------- tic-tac-toe


def test_tic_tac_toe_has_255168_games_and_5478_positions() -> None:
    seen: set[Position] = set()
    assert (count_games(TicTacToe(), seen), len(seen)) == (255_168, 5_478)


@pytest.mark.parametrize(
    ("board", "winner"),
    [("XXX/OO./...", FIRST), ("XO./XO./.OX", SECOND), ("O.X/XOX/..O", SECOND), ("XOX/XOO/OXX", None)],
)
def test_three_in_a_line_win(board: str, winner: int | None) -> None:
    position = TicTacToe.from_text(board)
    assert position.is_over() and position.winner() == winner


def test_a_full_board_with_a_line_is_a_win() -> None:
    assert TicTacToe.from_text("XOX/OXO/XOX").winner() == FIRST


def test_moves_are_squares_as_a_board_is_read() -> None:
    position = TicTacToe.from_text("X.O/.X./O..")
    assert position.legal_moves() == ["b3", "a2", "c2", "b1", "c1"]
    assert str(position.apply_move("c1")) == "X . O\n. X .\nO . X"


@pytest.mark.parametrize("text", ["", "XO", "X.O/.X./O...", "XYO/.../...", "XX./.../...", "O../.../..."])
def test_a_wrong_tic_tac_toe_board_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"tic-tac-toe|take turns"):
        TicTacToe.from_text(text)


def test_open_lines_are_counted_for_the_player_to_move() -> None:
    """X in the middle leaves O the four sides; X still has all eight."""
    assert open_lines(TicTacToe()) == 0
    assert open_lines(TicTacToe.from_text(".../.X./...")) == 4 - 8
    assert open_lines(TicTacToe.from_text("O../.X./...")) == 5 - 4


# ---------------------------------------------------------------- hexapawn


def test_pawns_step_ahead_and_capture_diagonally() -> None:
    assert Hexapawn().legal_moves() == ["a1a2", "b1b2", "c1c2"]
    assert Hexapawn.from_text("BBB/.W./W.W b").legal_moves() == ["a3a2", "a3b2", "c3b2", "c3c2"]


def test_the_far_row_wins() -> None:
    position = play(Hexapawn.from_text("B.B/.W./... w"), "b2b3")
    assert position.is_over() and position.winner() == FIRST


def test_who_cannot_move_loses() -> None:
    position = Hexapawn.from_text("..B/..W/... b")
    assert position.is_over() and position.winner() == FIRST


def test_who_has_no_pawn_loses() -> None:
    position = play(Hexapawn.from_text("B../.W./... w"), "b2a3")
    assert position.winner() == FIRST


@pytest.mark.parametrize("text", ["", "BBB/.../WWW", "BBB/.../WWW x", "BBB/.../WW w", "BBB/B../WWW w", "BWB/.../WW. w"])
def test_a_wrong_hexapawn_board_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"hexapawn|three pawns|won already"):
        Hexapawn.from_text(text)


# ---------------------------------------------------------------- dice, coins, trees


def test_the_die_takes_turns_with_the_players() -> None:
    position = play(DiceGame(), "roll")
    assert position.next_player == CHANCE
    assert position.chance_outcomes() == [(1 / 6, str(face)) for face in range(1, 7)]
    position = play(position, "5", "hold")
    assert position.next_player == SECOND and str(position) == "5 : 0"


@pytest.mark.parametrize(
    ("totals", "turn", "winner"),
    [((22, 0), FIRST, SECOND), ((5, 22), SECOND, FIRST), ((5, 6), 2, SECOND), ((6, 5), 2, FIRST), ((5, 5), 2, None)],
)
def test_bust_loses_and_more_wins(totals: tuple[int, int], turn: int, winner: int | None) -> None:
    position = DiceGame(totals=totals, turn=turn)
    assert position.is_over() and position.winner() == winner


def test_coins_go_to_who_takes_them() -> None:
    position = play(CoinRow((5, 1, 2, 9)), "right", "left", "right", "left")
    assert [position.utility(player) for player in range(3)] == [9 + 1, 5, 2]
    assert position.winner() == 0


def test_an_even_row_of_coins_has_no_winner() -> None:
    assert play(CoinRow((4, 4, 1)), "left", "left", "left").winner() is None


def test_a_tree_is_what_was_written() -> None:
    tree = alternating({"A": [4, -2], "B": 3})
    assert (tree.next_player, tree.legal_moves()) == (FIRST, ["A", "B"])
    assert play(tree, "A").next_player == SECOND
    assert [play(tree, "A", "2").utility(player) for player in (FIRST, SECOND)] == [-2, 2]
    assert play(tree, "B").winner() == FIRST


def test_a_tree_of_three_players_and_chance() -> None:
    tree = choice(2, left=leaf(1, 2, 3), right=chance((0.25, leaf(0, 0, 9)), (0.75, leaf(5, 5, 5))))
    assert (tree.players, tree.next_player) == (3, 2)
    assert play(tree, "right").chance_outcomes() == [(0.25, "1"), (0.75, "2")]
    assert (play(tree, "left").winner(), play(tree, "right", "2").winner()) == (2, None)


@pytest.mark.parametrize(
    "build",
    [
        lambda: alternating([]),
        lambda: alternating([1, []]),
        lambda: choice(FIRST),
        lambda: chance(),
        lambda: chance((0.5, leaf(1))),
        lambda: chance((1.5, leaf(1)), (-0.5, leaf(2))),
    ],
)
def test_a_tree_that_makes_no_sense_is_an_error(build: Callable[[], ExplicitTree]) -> None:
    with pytest.raises(ValueError, match=r"needs a branch|add up to 1"):
        build()


# ---------------------------------------------------------------- Go


def test_go_is_the_go_of_the_reference_board() -> None:
    """Random games on 3x3, where superko matters soon: legal moves and the board after each move; in the end, the count."""
    for seed in range(6):
        position, board, dice = GoPosition.start(3, komi=0), Board(3), Random(seed)
        while not position.is_over():
            legal = [point for point in board_points(3) if board.is_legal(board.to_play, point)]
            assert position.legal_moves() == [*map(to_vertex, legal), "pass"]
            move = dice.choice(position.legal_moves())
            position = position.apply_move(move)
            board.play(board.to_play, from_vertex(move, 3))
            assert str(position) == str(board)
        assert position.utility(FIRST) == board.area_score()


def test_a_repeated_position_is_illegal() -> None:
    """Ko: Black takes at C3, and White may take back only when something else has changed."""
    ko = GoPosition.from_text(".XO../XO.O./.XO../...../..... b")
    after = ko.apply_move("c4")
    assert not after.is_legal("b4")
    assert "b4" not in [move.lower() for move in after.legal_moves()]
    assert play(after, "E1", "E2").is_legal("b4")


def test_area_is_counted_with_komi() -> None:
    position = play(GoPosition.from_text("..XO./..XO./..XO./..XO./..XO. b", komi=0.5), "pass", "pass")
    assert [position.utility(player) for player in (FIRST, SECOND)] == [4.5, -4.5]
    assert position.winner() == FIRST
    assert play(GoPosition.start(3, komi=0), "pass", "pass").winner() is None


def test_what_superko_remembers_is_part_of_the_position() -> None:
    """The same stones by another way are another position, since other moves may be forbidden from there."""
    start = GoPosition.start(3)
    one, other = play(start, "A1", "B2", "C3", "pass"), play(start, "C3", "B2", "A1", "pass")
    assert str(one) == str(other) and one != other
    assert one == play(start, "A1", "B2", "C3", "pass")


def test_a_game_under_way_becomes_a_position() -> None:
    game = Game(5)
    game.play(BLACK, 21)
    position = GoPosition.from_game(game, WHITE, 7.5)
    game.play(WHITE, 22)
    assert (position.next_player, position.komi, stone_difference(position)) == (SECOND, 7.5, -1)


def test_captures_are_found() -> None:
    position = GoPosition.from_text("...XO/...../...../OOO../XXX.. b")
    assert capturing_moves(position) == ["E4"]
    assert capturing_moves(position.apply_move("E4")) == ["D1"]


def test_own_eyes_are_known() -> None:
    position = GoPosition.from_text(".X./XX./... b")
    assert position.fills_own_eye("A3") and not position.fills_own_eye("C3") and not position.fills_own_eye("pass")


@pytest.mark.parametrize(
    "text", ["b", "... b", "X../... b", "X/.../... b", "XY./.../... b", ".../.../... x", "XO./O../... b", "./. b", "", ". b"]
)
def test_a_wrong_go_board_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"square board|not a color|no liberties"):
        GoPosition.from_text(text)


@pytest.mark.parametrize("size", [-1, 0, 1, 20])
def test_a_wrong_go_board_size_is_an_error(size: int) -> None:
    with pytest.raises(ValueError, match=f"2 to 19 lines, not {size}"):
        GoPosition.start(size)
