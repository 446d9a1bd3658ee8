"""The textbook's lookahead, minimax and depth-limited search, on positions where the answer is plain or known."""

import math
from collections.abc import Callable
from random import Random
from typing import TypeVar

import pytest

from gtp_engine.textbook import depth_limited, expectiminimax, lookahead, maxn, minimax
from gtp_engine.textbook.alphabeta import AlphaBeta
from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.depth_limited import negamax, quiescent
from gtp_engine.textbook.dice_game import DiceGame
from gtp_engine.textbook.explicit_tree import alternating
from gtp_engine.textbook.game import FIRST, SECOND, Move, Position
from gtp_engine.textbook.go_game import GoPosition, capturing_moves, stone_difference
from gtp_engine.textbook.hexapawn import Hexapawn
from gtp_engine.textbook.lookahead import find_safe_moves, find_two_move_win, find_winning_move
from gtp_engine.textbook.minimax import Result, best_moves, best_result, values_of_moves
from gtp_engine.textbook.three_players import CoinRow
from gtp_engine.textbook.tictactoe import TicTacToe, open_lines

P = TypeVar("P", bound=Position)
Choose = Callable[[Position, Random], str]

TWO_STEPS = alternating({"A": {"D": 4, "E": -2, "F": 5}, "B": {"D": -3, "E": 3, "F": 1}, "C": {"D": 0, "E": 3, "F": -1}})
THREE_LEVELS = alternating([[[4, 2, 7], [3, 1], [5, 8]], [[2, 9], [5, 6]], [[1, 2], [3, 5]]])
HORIZON = """
. . . X O
. . . . .
. . . . .
O O O . .
X X X . .
b"""  # Black can take E5, but then White takes three stones by D1


def chosen(choose: Choose, position: Position, times: int = 30) -> set[str]:
    """Every move that `choose` comes to with different dice."""
    return {choose(position, Random(seed)) for seed in range(times)}


# ---------------------------------------------------------------- one to three moves ahead


def test_a_winning_move_is_found() -> None:
    assert find_winning_move(TicTacToe.from_text("XX./OO./...")) == "c3"
    assert find_winning_move(TicTacToe.from_text("XX./O../..O")) == "c3"
    assert find_winning_move(TicTacToe.from_text("X../.O./...")) is None


def test_unsafe_moves_are_dropped() -> None:
    """X threatens the upper row: O must go there."""
    assert find_safe_moves(TicTacToe.from_text("XX./.O./...")) == ["c3"]
    assert find_safe_moves(TicTacToe.from_text("XXO/.O./X..")) == ["a2"]


def test_no_move_is_safe_against_two_threats() -> None:
    assert find_safe_moves(TicTacToe.from_text("X.X/..O/XO.")) == []


def test_a_move_that_ends_the_game_in_a_draw_is_safe() -> None:
    assert find_safe_moves(TicTacToe.from_text("XOX/XOO/OX.")) == ["c1"]


def test_a_move_that_lets_a_pawn_through_is_not_safe() -> None:
    """After b1b2 Black's c2c1 would win; taking that pawn is safe, and so is winning at once."""
    position = Hexapawn.from_text("..B/W.B/.W. w")
    assert find_winning_move(position) == "a2a3"
    assert find_safe_moves(position) == ["a2a3", "b1c2"]


def test_a_fork_is_found() -> None:
    """X in opposite corners with O between: a third corner makes two lines at a time."""
    position = TicTacToe.from_text("X../.O./O.X")
    move = find_two_move_win(position)
    assert move == "c3"
    after = position.apply_move(move)
    assert all(find_winning_move(after.apply_move(reply)) for reply in after.legal_moves())


def test_a_win_at_once_goes_before_a_fork() -> None:
    assert find_two_move_win(TicTacToe.from_text("XX./OO./...")) == "c3"


def test_a_threat_of_the_opponent_stops_a_two_move_win() -> None:
    """The fork at c3 would come too late: O has two in a row and wins first."""
    assert find_two_move_win(TicTacToe.from_text("X../OO./..X")) is None
    assert find_two_move_win(TicTacToe()) is None


def test_the_lookahead_player_wins_blocks_or_plays_on() -> None:
    assert chosen(lookahead.choose_move, TicTacToe.from_text("XX./OO./...")) == {"c3"}
    assert chosen(lookahead.choose_move, TicTacToe.from_text("XX./.O./...")) == {"c3"}
    assert chosen(lookahead.choose_move, TicTacToe(), 200) == set(TicTacToe().legal_moves())
    assert chosen(lookahead.choose_move, TicTacToe.from_text("X.X/..O/XO.")) == {"b3", "a2", "b2", "c1"}


def test_two_move_wins_are_those_of_minimax() -> None:
    """Along random games: who has a win in two moves wins with it, whatever the opponent does."""
    found = 0
    for seed in range(100):
        position, dice = TicTacToe(), Random(seed)
        while not position.is_over():
            move = find_two_move_win(position)
            if move is not None:
                assert values_of_moves(position, known={})[move] == 1
                found += 1
            position = position.apply_move(dice.choice(position.legal_moves()))
    assert found > 50


# ---------------------------------------------------------------- minimax


def test_tic_tac_toe_is_a_draw_whatever_x_begins_with() -> None:
    counter = Counter()
    assert minimax.value(TicTacToe(), FIRST, counter) == 0
    assert (counter.nodes, counter.leaves) == (549_945, 255_168)
    assert values_of_moves(TicTacToe(), known={}) == dict.fromkeys(TicTacToe().legal_moves(), 0)


def test_every_position_needs_a_look_only_once() -> None:
    known: dict[Position, float] = {}
    assert minimax.value(TicTacToe(), FIRST, Counter(), known) == 0
    assert len(known) == 5_478


def test_the_second_player_wins_at_hexapawn() -> None:
    assert best_result(Hexapawn()) is Result.LOSS
    assert minimax.value(Hexapawn(), SECOND, Counter()) == 1


@pytest.mark.parametrize(
    ("board", "result"),
    [
        ("XX./OO./...", Result.WIN),
        ("X.X/..O/XO.", Result.LOSS),
        ("X../.O./...", Result.DRAW),
        ("XXX/OO./...", Result.LOSS),
        ("XOX/XOO/OXX", Result.DRAW),
    ],
)
def test_results_are_for_the_player_to_move(board: str, result: Result) -> None:
    assert best_result(TicTacToe.from_text(board)) is result


def test_the_two_step_game_is_worth_minus_one_by_c() -> None:
    values = values_of_moves(TWO_STEPS)
    assert values == {"A": -2, "B": -3, "C": -1}
    assert best_moves(values) == ["C"]


def test_the_three_level_tree_is_worth_six() -> None:
    assert minimax.value(THREE_LEVELS, FIRST, Counter()) == 6
    assert best_moves(values_of_moves(THREE_LEVELS)) == ["2"]


def test_equal_moves_are_chosen_at_random_and_with_the_same_dice_alike() -> None:
    tree = alternating({"A": 1, "B": 2, "C": 2, "D": 0, "E": 2})
    assert chosen(minimax.choose_move, tree) == {"B", "C", "E"}
    assert minimax.choose_move(tree, Random(5)) == minimax.choose_move(tree, Random(5))


def test_two_perfect_players_draw() -> None:
    for seed in range(3):
        position, dice = TicTacToe(), Random(seed)
        while not position.is_over():
            position = position.apply_move(minimax.choose_move(position, dice))
        assert position.winner() is None


# ---------------------------------------------------------------- a depth and an evaluation


def test_the_middle_has_most_open_lines() -> None:
    values = depth_limited.values_of_moves(TicTacToe(), 1, open_lines)
    assert values == {"a3": 3, "b3": 2, "c3": 3, "a2": 2, "b2": 4, "c2": 2, "a1": 3, "b1": 2, "c1": 3}


def test_a_win_in_sight_goes_before_a_promising_position() -> None:
    def lines(position: TicTacToe) -> float:
        return open_lines(position) / 10  # less than a win, which is 1

    assert depth_limited.values_of_moves(TicTacToe.from_text("XX./OO./..."), 1, lines)["c3"] == 1
    assert depth_limited.choose_move(TicTacToe.from_text("XX./OO./..."), 1, lines, Random(1)) == "c3"


def test_a_deep_enough_search_is_minimax() -> None:
    for board in ("X../.O./..X", "XO./.X./..O", "XOX/.../.O."):
        position = TicTacToe.from_text(board)
        assert depth_limited.values_of_moves(position, math.inf, open_lines) == values_of_moves(position)


def test_depth_counts_moves() -> None:
    counter = Counter()
    negamax(TicTacToe(), 2, open_lines, counter)
    assert (counter.nodes, counter.leaves) == (9 + 9 * 8, 9 * 8)


def test_beyond_the_horizon_lies_the_loss_of_three_stones() -> None:
    """One move deep, taking a stone looks best; followed by captures until none is left, saving three stones does."""
    position = GoPosition.from_text(HORIZON)
    settled = quiescent(stone_difference, capturing_moves, 6)
    blind = depth_limited.values_of_moves(position, 1, stone_difference)
    seeing = depth_limited.values_of_moves(position, 1, settled)
    assert (blind["E4"], best_moves(blind)) == (2, ["E4"])
    assert (seeing["E4"], seeing["D1"], best_moves(seeing)) == (-2, 1, ["D1"])


def test_quiescence_sees_what_a_deeper_search_sees() -> None:
    """After Black takes E5, White's best answer in a full-width search costs the same three stones."""
    after = GoPosition.from_text(HORIZON).apply_move("E4")
    assert -negamax(after, 1, stone_difference, Counter()) == -2 == -quiescent(stone_difference, capturing_moves, 6)(after)


def test_nobody_has_to_capture() -> None:
    """Black could take B1, but White takes back three stones: without captures Black is better off."""
    position = GoPosition.from_text("...../...../OO.../XXO../.OX.. b")
    settled = quiescent(stone_difference, capturing_moves, 4)
    assert capturing_moves(position) == ["A1"]
    assert settled(position) == stone_difference(position) == -1
    assert -settled(position.apply_move("A1")) == -3


# ---------------------------------------------------------------- what is counted


class Nesting(Counter):
    """Notes how deep the search is, and what it finds at the root."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.root_values: list[float] = []

    def descend(self, position: P, move: Move) -> P:
        self.depth += 1
        return super().descend(position, move)

    def leave(self, value: float) -> float:
        if self.depth == 0:
            self.root_values.append(value)
        self.depth -= self.depth > 0
        return value


@pytest.mark.parametrize(
    "search",
    [
        lambda position, counter: minimax.value(position, FIRST, counter),
        lambda position, counter: minimax.value(position, FIRST, counter, {}),
        lambda position, counter: minimax.values_of_moves(position, counter),
        lambda position, counter: depth_limited.negamax(position, math.inf, lambda _: 0.0, counter),
        lambda position, counter: depth_limited.values_of_moves(position, math.inf, lambda _: 0.0, counter),
        lambda position, counter: expectiminimax.value(position, FIRST, counter, {}),
        lambda position, counter: expectiminimax.values_of_moves(position, counter),
        lambda position, counter: maxn.values(position, counter),
        lambda position, counter: maxn.values_of_moves(position, counter),
        lambda position, counter: AlphaBeta[Position](counter=counter).bound(position, math.inf),
        lambda position, counter: AlphaBeta[Position](table={}, counter=counter).search(position, math.inf),
    ],
)
def test_every_search_reports_every_position_and_the_root_once(search: Callable[[Position, Counter], object]) -> None:
    """The calls to a counter come nested, so that a subclass can draw the tree."""
    nesting = Nesting()
    search(THREE_LEVELS, nesting)
    assert (nesting.depth, nesting.root_values) == (0, [6])
    assert nesting.leaves <= nesting.nodes


# ---------------------------------------------------------------- bad input

CHOOSERS: dict[str, Choose] = {
    "lookahead": lookahead.choose_move,
    "minimax": minimax.choose_move,
    "depth_limited": lambda position, dice: depth_limited.choose_move(position, 3, lambda _: 0.0, dice),
}


@pytest.mark.parametrize("name", CHOOSERS)
def test_a_finished_game_has_no_best_move(name: str) -> None:
    with pytest.raises(ValueError, match=r"^no legal move: the game is over$"):
        CHOOSERS[name](TicTacToe.from_text("XXX/OO./..."), Random(1))


@pytest.mark.parametrize("name", CHOOSERS)
@pytest.mark.parametrize("position", [CoinRow(), DiceGame().apply_move("roll")])
def test_games_for_others_are_refused(name: str, position: Position) -> None:
    with pytest.raises(ValueError, match=r"^a game of 3 players|^chance moves here"):
        CHOOSERS[name](position, Random(1))


@pytest.mark.parametrize("depth", [0, -1, math.nan])
def test_a_depth_below_one_is_refused(depth: float) -> None:
    with pytest.raises(ValueError, match=r"^depth .*: a search must look at least one move ahead$"):
        depth_limited.values_of_moves(TicTacToe(), depth, open_lines)
    with pytest.raises(ValueError, match="one move ahead"):
        quiescent(open_lines, TicTacToe.legal_moves, int(depth) if depth == depth else 0)
