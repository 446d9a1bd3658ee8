"""Alpha-beta finds what minimax finds and visits what theory says: random trees, exact leaf counts, table and deepening."""

import math
from collections.abc import Callable
from random import Random
from typing import TypeAlias, TypeVar

import pytest

from gtp_engine.textbook import alphabeta, minimax
from gtp_engine.textbook.alphabeta import AlphaBeta, Known
from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.depth_limited import negamax
from gtp_engine.textbook.dice_game import DiceGame
from gtp_engine.textbook.explicit_tree import ExplicitTree, alternating
from gtp_engine.textbook.game import FIRST, Move, Position
from gtp_engine.textbook.go_game import GoPosition, stone_difference
from gtp_engine.textbook.hexapawn import Hexapawn
from gtp_engine.textbook.three_players import CoinRow
from gtp_engine.textbook.tictactoe import TicTacToe, open_lines

TREES = 10_000
P = TypeVar("P", bound=Position)
Lists: TypeAlias = "int | list[Lists]"


class Log(Counter):
    """Also keeps the way to every leaf."""

    def __init__(self) -> None:
        super().__init__()
        self.way: list[Move] = []
        self.leaf_ways: list[str] = []

    def descend(self, position: P, move: Move) -> P:
        self.way.append(move)
        return super().descend(position, move)

    def leaf(self, value: float) -> float:
        self.leaf_ways.append("".join(self.way))
        return super().leaf(value)

    def leave(self, value: float) -> float:
        if self.way:
            self.way.pop()
        return value


def random_lists(dice: Random, depth: int) -> Lists:
    """A tree of up to `depth` moves with one to three branches each, and leaves from -5 to 5, so that many are equal."""
    if depth == 0 or dice.random() < 0.15:
        return dice.randint(-5, 5)
    return [random_lists(dice, depth - 1) for _ in range(dice.randint(1, 3))]


def solve(lists: Lists, sign: int = 1) -> int:
    """The value for the player to move, by the definition and nothing else."""
    return sign * lists if isinstance(lists, int) else max(-solve(item, -sign) for item in lists)


def shuffling(dice: Random) -> Callable[[ExplicitTree, list[Move]], list[Move]]:
    return lambda _, moves: dice.sample(moves, len(moves))


def assert_bounds(found: float, value: float, alpha: float, beta: float) -> None:
    """The contract of AlphaBeta.bound."""
    if found <= alpha:
        assert value <= found
    elif found >= beta:
        assert value >= found
    else:
        assert value == found


# ---------------------------------------------------------------- the same value as minimax


def test_alpha_beta_is_minimax_on_random_trees_in_any_order_for_any_window() -> None:
    dice = Random(2024)
    for number in range(TREES):
        lists = random_lists(dice, 4)
        tree = alternating(lists)
        value = solve(lists)
        search = AlphaBeta(order=shuffling(dice), table={} if number % 2 else None)
        alpha, beta = sorted(dice.sample(range(-7, 8), 2))
        assert_bounds(search.bound(tree, math.inf, alpha, beta), value, alpha, beta)
        assert search.bound(tree, math.inf) == value
        if number % 10 == 0:
            assert minimax.value(tree, FIRST, Counter()) == value == negamax(tree, math.inf, alphabeta.unknown, Counter())


def test_one_table_serves_many_windows() -> None:
    """What a search with one window left in the table must not mislead the next one."""
    dice = Random(7)
    for _ in range(300):
        lists = random_lists(dice, 4)
        tree, value = alternating(lists), solve(lists)
        search = AlphaBeta(order=shuffling(dice), table={})
        for _ in range(6):
            alpha, beta = sorted(dice.sample(range(-7, 8), 2))
            assert_bounds(search.bound(tree, math.inf, alpha, beta), value, alpha, beta)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_alpha_beta_is_negamax_at_every_depth(depth: int) -> None:
    """Tic-tac-toe from positions of random games, with the table shared by all of them."""
    dice = Random(depth)
    search = AlphaBeta[TicTacToe](open_lines, lambda _, moves: dice.sample(moves, len(moves)), {})
    for _ in range(12):
        position = TicTacToe()
        for _ in range(dice.randint(0 if depth < 4 else 2, 5)):
            if not position.is_over():
                position = position.apply_move(dice.choice(position.legal_moves()))
        assert search.bound(position, depth) == negamax(position, depth, open_lines, Counter())


def test_alpha_beta_is_negamax_on_go() -> None:
    dice = Random(3)
    for _ in range(3):
        position = GoPosition.start(3)
        for _ in range(4):
            position = position.apply_move(dice.choice(position.legal_moves()[:-1]))
        search = AlphaBeta[GoPosition](stone_difference, table={})
        assert search.search(position, 3).value == negamax(position, 3, stone_difference, Counter())


def test_games_are_solved() -> None:
    assert AlphaBeta[Position](table={}).search(TicTacToe(), math.inf).value == 0
    assert AlphaBeta[Position]().search(Hexapawn(), math.inf).value == -1


def test_black_wins_2x2_go_by_one_point() -> None:
    """The value that Tromp found for area and positional superko; passing first and scoring next solves it in a moment."""

    def order(position: GoPosition, moves: list[Move]) -> list[Move]:
        sign = 1 if position.next_player == FIRST else -1
        return ["pass", *sorted(moves[:-1], key=lambda move: -sign * position.apply_move(move).score())]

    assert AlphaBeta(order=order, table={}).search(GoPosition.start(2, komi=0), math.inf).value == 1


# ---------------------------------------------------------------- what is not visited


def test_the_two_step_game_skips_two_leaves_of_b() -> None:
    """B's first leaf, -3, is already worse than A, which is worth -2; so what else B leads to doesn't matter."""
    tree = alternating({"A": {"D": 4, "E": -2, "F": 5}, "B": {"D": -3, "E": 3, "F": 1}, "C": {"D": 0, "E": 3, "F": -1}})
    log = Log()
    found = AlphaBeta[ExplicitTree](counter=log).search(tree, 2)
    assert (found.value, found.move) == (-1, "C")
    assert log.leaf_ways == ["AD", "AE", "AF", "BD", "CD", "CE", "CF"]
    assert (log.leaves, log.nodes) == (7, 3 + 7)


def test_the_three_level_tree_is_worth_six() -> None:
    log = Log()
    found = AlphaBeta[ExplicitTree](counter=log).search(
        alternating([[[4, 2, 7], [3, 1], [5, 8]], [[2, 9], [5, 6]], [[1, 2], [3, 5]]]), math.inf
    )
    assert (found.value, found.move) == (6, "2")
    assert log.leaf_ways == ["111", "112", "113", "121", "122", "131", "211", "212", "221", "222", "311", "312"]


def best_first(lists: Lists, sign: int = 1) -> Lists:
    """The same tree with the best move first at every node."""
    if isinstance(lists, int):
        return lists
    return [best_first(item, -sign) for item in sorted(lists, key=lambda item: solve(item, -sign))]


def uniform(dice: Random, width: int, depth: int) -> Lists:
    return [uniform(dice, width, depth - 1) for _ in range(width)] if depth else dice.randint(-1000, 1000)


@pytest.mark.parametrize(("width", "depth"), [(1, 3), (2, 1), (2, 2), (2, 7), (3, 3), (3, 4), (3, 6), (4, 5), (5, 4), (7, 3), (10, 2)])
def test_perfect_order_visits_the_least_number_of_leaves(width: int, depth: int) -> None:
    """Knuth and Moore: b^ceil(d/2) + b^floor(d/2) - 1, where minimax visits b^d."""
    for seed in range(3):
        lists = best_first(uniform(Random(seed), width, depth))
        counter, full = Counter(), Counter()
        value = AlphaBeta[ExplicitTree](counter=counter).search(alternating(lists), depth).value
        assert value == solve(lists) == negamax(alternating(lists), depth, alphabeta.unknown, full)
        assert counter.leaves == width ** math.ceil(depth / 2) + width ** (depth // 2) - 1
        assert full.leaves == width**depth


def test_no_order_visits_more_than_minimax_or_less_than_the_least() -> None:
    dice = Random(5)
    for _ in range(200):
        counter = Counter()
        AlphaBeta[ExplicitTree](counter=counter, order=shuffling(dice)).search(alternating(uniform(dice, 3, 4)), 4)
        assert 3**2 + 3**2 - 1 <= counter.leaves <= 3**4


# ---------------------------------------------------------------- table and deepening


def test_a_table_saves_nodes() -> None:
    with_table, without = Counter(), Counter()
    AlphaBeta[Position](table={}, counter=with_table).search(TicTacToe(), math.inf)
    AlphaBeta[Position](counter=without).search(TicTacToe(), math.inf)
    assert with_table.nodes < without.nodes / 3 < 549_945 / 75


def test_deepening_gives_each_depth_in_turn() -> None:
    found = list(AlphaBeta[TicTacToe](open_lines, table={}).deepen(TicTacToe(), 4))
    assert [result.depth for result in found] == [1, 2, 3, 4]
    assert [result.value for result in found] == [negamax(TicTacToe(), depth, open_lines, Counter()) for depth in range(1, 5)]


def test_deepening_tries_first_what_was_best_before() -> None:
    """The last search of a deepening visits fewer positions than the same search from a standstill."""
    start, plain = TicTacToe.from_text("X../.O./..."), Counter()
    AlphaBeta[TicTacToe](open_lines, table={}, counter=plain).search(start, 5)
    deepening = AlphaBeta[TicTacToe](open_lines, table={})
    for found in deepening.deepen(start, 5):
        if found.depth == 4:
            before = deepening.counter.nodes
    assert deepening.counter.nodes - before < plain.nodes


def test_the_best_guess_comes_first() -> None:
    """The square with most open lines; and a win before everything else."""
    order = alphabeta.best_guess_first(open_lines)
    assert list(order(TicTacToe(), TicTacToe().legal_moves()))[:5] == ["b2", "a3", "c3", "a1", "c1"]
    position = TicTacToe.from_text("XX./OO./...")
    assert next(iter(alphabeta.best_guess_first(alphabeta.unknown)(position, position.legal_moves()))) == "c3"


def test_the_caller_can_stop_a_deepening() -> None:
    counter = Counter()
    search = AlphaBeta[TicTacToe](open_lines, counter=counter)
    assert next(search.deepen(TicTacToe(), 9)).move == "b2"
    assert counter.nodes == 9


def test_a_best_move_in_the_table_is_tried_first() -> None:
    log = Log()
    tree = alternating({"A": 1, "B": 5})
    AlphaBeta[ExplicitTree](table={tree: Known(0, -math.inf, math.inf, "B")}, counter=log).search(tree, 1)
    assert log.leaf_ways == ["B", "A"]


def test_equal_moves_are_chosen_at_random_and_with_the_same_dice_alike() -> None:
    tree = alternating({"A": [1, 2], "B": [2, 9], "C": [2, 2], "D": [0, 0], "E": [2, 3]})
    chosen = [alphabeta.choose_move(tree, 2, alphabeta.unknown, Random(seed)) for seed in range(300)]
    assert set(chosen) == {"B", "C", "E"}
    assert min(chosen.count(move) for move in "BCE") > 70
    assert chosen == [alphabeta.choose_move(tree, 2, alphabeta.unknown, Random(seed)) for seed in range(300)]


# ---------------------------------------------------------------- bad input


def test_a_finished_game_has_no_best_move() -> None:
    with pytest.raises(ValueError, match=r"^no legal move: the game is over$"):
        AlphaBeta[Position]().search(TicTacToe.from_text("XXX/OO./..."), 3)


@pytest.mark.parametrize("depth", [0, -3])
def test_a_depth_below_one_is_refused_at_once(depth: int) -> None:
    with pytest.raises(ValueError, match="one move ahead"):
        AlphaBeta[Position]().search(TicTacToe(), depth)
    with pytest.raises(ValueError, match="one move ahead"):
        AlphaBeta[Position]().deepen(TicTacToe(), depth)


@pytest.mark.parametrize("position", [CoinRow(), DiceGame().apply_move("roll")])
def test_games_for_others_are_refused(position: Position) -> None:
    with pytest.raises(ValueError, match=r"^a game of 3 players|^chance moves here"):
        AlphaBeta[Position]().search(position, 3)
