"""Expectiminimax and max^n against brute force: every strategy enumerated, and the same values from the definitions."""

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

from gtp_engine.textbook import expectiminimax, maxn, minimax
from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.dice_game import HOLD, ROLL, DiceGame
from gtp_engine.textbook.explicit_tree import ExplicitTree, alternating, chance, choice, leaf
from gtp_engine.textbook.game import CHANCE, FIRST, SECOND, Move, Position
from gtp_engine.textbook.hexapawn import Hexapawn
from gtp_engine.textbook.three_players import CoinRow
from gtp_engine.textbook.tictactoe import TicTacToe

Strategy = dict[Position, Move]


def decisions(position: Position, player: int) -> list[Position]:
    """Every position reachable from `position` where `player` is to move, each once."""
    found: dict[Position, None] = {}

    def walk(position: Position) -> None:
        if position.next_player == player and not position.is_over():
            found[position] = None
        for move in position.legal_moves():
            walk(position.apply_move(move))

    walk(position)
    return list(found)


def strategies(position: Position, player: int) -> list[Strategy]:
    """Everything that `player` could decide beforehand."""
    places = decisions(position, player)
    return [dict(zip(places, moves, strict=True)) for moves in product(*(place.legal_moves() for place in places))]


def expected(position: Position, player: int, strategy: Strategy) -> float:
    """The average utility for `player` when everybody follows `strategy`."""
    if position.is_over():
        return position.utility(player)
    if position.next_player == CHANCE:
        return sum(odds * expected(position.apply_move(move), player, strategy) for odds, move in position.chance_outcomes())
    return expected(position.apply_move(strategy[position]), player, strategy)


# ---------------------------------------------------------------- expectiminimax


def test_a_chance_node_is_worth_its_average() -> None:
    tree = choice(FIRST, safe=leaf(2, -2), bet=chance((0.25, leaf(10, -10)), (0.75, leaf(-1, 1))))
    assert expectiminimax.values_of_moves(tree) == {"safe": 2, "bet": 1.75}
    assert expectiminimax.choose_move(tree, Random(1)) == "safe"


@pytest.mark.parametrize(("limit", "faces"), [(1, 2), (2, 2), (2, 3)])
def test_the_dice_game_is_worth_what_the_best_of_all_strategies_gets(limit: int, faces: int) -> None:
    """Every strategy of the first player against every one of the second."""
    start = DiceGame(limit, faces)
    answers = strategies(start, SECOND)
    brute = max(min(expected(start, FIRST, mine | theirs) for theirs in answers) for mine in strategies(start, FIRST))
    assert expectiminimax.value(start, FIRST, Counter()) == pytest.approx(brute, abs=1e-12)
    assert len(answers) >= 4


def exact_value(limit: int, faces: int) -> Fraction:
    """The first player's expected utility by the rules alone, in fractions: two tables, no positions."""

    @cache
    def second(target: int, total: int) -> Fraction:
        """For the second player, who has `total` against `target`."""
        if total > limit:
            return Fraction(-1)
        rolled = sum((second(target, total + face) for face in range(1, faces + 1)), Fraction(0)) / faces
        return max(Fraction((total > target) - (total < target)), rolled)

    @cache
    def first(total: int) -> Fraction:
        if total > limit:
            return Fraction(-1)
        return max(-second(total, 0), sum((first(total + face) for face in range(1, faces + 1)), Fraction(0)) / faces)

    return first(0)


@pytest.mark.parametrize(("limit", "faces"), [(1, 2), (2, 2), (5, 3), (9, 6), (21, 6)])
def test_the_dice_game_is_worth_what_exact_fractions_say(limit: int, faces: int) -> None:
    value = expectiminimax.value(DiceGame(limit, faces), FIRST, Counter(), {})
    assert value == pytest.approx(float(exact_value(limit, faces)), abs=1e-12)
    assert expectiminimax.value(DiceGame(limit, faces), SECOND, Counter(), {}) == pytest.approx(-value, abs=1e-12)


def test_what_is_known_already_changes_no_value() -> None:
    known, searched = Counter(), Counter()
    assert expectiminimax.value(DiceGame(5, 3), FIRST, known, {}) == expectiminimax.value(DiceGame(5, 3), FIRST, searched)
    assert known.nodes < searched.nodes / 4


def test_who_is_ahead_holds_and_who_is_behind_rolls() -> None:
    ahead, behind = (DiceGame(totals=totals, turn=SECOND) for totals in ((18, 19), (18, 17)))
    assert expectiminimax.choose_move(ahead, Random(1)) == HOLD
    assert expectiminimax.choose_move(behind, Random(1)) == ROLL


def test_without_chance_expectiminimax_is_minimax() -> None:
    assert expectiminimax.values_of_moves(Hexapawn()) == minimax.values_of_moves(Hexapawn())


def random_chance_tree(dice: Random, depth: int) -> ExplicitTree:
    if depth == 0:
        value = dice.randint(-9, 9)
        return leaf(value, -value)
    kind = dice.choice([FIRST, SECOND, CHANCE])
    below = [random_chance_tree(dice, depth - 1) for _ in range(2)]
    return chance((0.25, below[0]), (0.75, below[1])) if kind == CHANCE else choice(kind, one=below[0], other=below[1])


def test_random_trees_with_chance_are_worth_what_the_best_strategy_gets() -> None:
    """Players move in any order here; a position that appears twice is the same decision, and has the same best answer."""
    dice, largest = Random(11), 0
    for _ in range(150):
        tree = random_chance_tree(dice, 3)
        mine, theirs = strategies(tree, FIRST), strategies(tree, SECOND)
        largest = max(largest, len(mine) * len(theirs))
        brute = max(min(expected(tree, FIRST, one | other) for other in theirs) for one in mine)
        assert expectiminimax.value(tree, FIRST, Counter()) == pytest.approx(brute, abs=1e-12)
    assert largest >= 64


# ---------------------------------------------------------------- max^n


def coins_by_definition(coins: tuple[int, ...], to_move: int = 0) -> tuple[int, ...]:
    """What each player gets of a row of coins when all take what is best for themselves, the left coin in case of doubt."""
    if not coins:
        return (0, 0, 0)
    results = []
    for coin, rest in ((coins[0], coins[1:]), (coins[-1], coins[:-1])):
        later = list(coins_by_definition(rest, (to_move + 1) % 3))
        later[to_move] += coin
        results.append(tuple(later))
    return max(results, key=lambda result: result[to_move])


@pytest.mark.parametrize("seed", range(20))
def test_max_n_on_coins_is_what_the_definition_says(seed: int) -> None:
    dice = Random(seed)
    coins = tuple(dice.randint(1, 9) for _ in range(dice.randint(1, 9)))
    assert maxn.values(CoinRow(coins), Counter()) == coins_by_definition(coins)


def test_max_n_on_the_coins_as_they_come() -> None:
    found = maxn.values(CoinRow(), Counter())
    assert found == coins_by_definition(CoinRow().coins)
    assert sum(found) == sum(CoinRow().coins)


@pytest.mark.parametrize("coins", [(5, 1, 2, 10), (5, 1, 2, 10, 7), (3, 9, 4, 1, 7)])
def test_no_player_does_better_by_any_other_strategy(coins: tuple[int, ...]) -> None:
    """What max^n means: with the others' moves fixed, every strategy of one player is tried, from every position on."""
    start = CoinRow(coins)
    places = [place for player in range(3) for place in decisions(start, player)]
    agreed: Strategy = {}
    for place in places:
        moves = maxn.values_of_moves(place)
        agreed[place] = max(moves, key=lambda move: moves[move][place.next_player])
    assert tuple(expected(start, player, agreed) for player in range(3)) == maxn.values(start, Counter())
    for player in range(3):
        best = max(expected(start, player, agreed | other) for other in strategies(start, player))
        assert maxn.values(start, Counter())[player] == best


def test_with_two_players_max_n_is_minimax() -> None:
    for start in (Hexapawn(), TicTacToe.from_text("X../.O./..."), alternating([[4, -2, 5], [-3, 3, 1], [0, 3, -1]])):
        value = minimax.value(start, FIRST, Counter())
        assert maxn.values(start, Counter()) == (value, -value)


def test_equal_moves_are_chosen_at_random() -> None:
    tree = choice(FIRST, A=leaf(1, 0, 5), B=leaf(2, 9, 0), C=leaf(2, 0, 9), D=leaf(0, 0, 0))
    assert {maxn.choose_move(tree, Random(seed)) for seed in range(30)} == {"B", "C"}
    assert maxn.values(tree, Counter()) == (2, 9, 0)


def test_a_counter_counts_leaves_and_nodes() -> None:
    counter = Counter()
    maxn.values(CoinRow((1, 2, 3, 4)), counter)
    assert (counter.nodes, counter.leaves) == (2 + 4 + 8 + 8, 8)


# ---------------------------------------------------------------- bad input


def test_a_finished_game_has_no_best_move() -> None:
    with pytest.raises(ValueError, match=r"^no legal move: the game is over$"):
        maxn.choose_move(CoinRow(()), Random(1))
    with pytest.raises(ValueError, match=r"^no legal move: the game is over$"):
        expectiminimax.choose_move(DiceGame(turn=2), Random(1))


def test_a_rolling_die_is_no_choice() -> None:
    rolling = DiceGame().apply_move("roll")
    with pytest.raises(ValueError, match="chance moves here"):
        expectiminimax.values_of_moves(rolling)
    with pytest.raises(ValueError, match="chance moves here"):
        maxn.values(DiceGame(1, 2), Counter())
    with pytest.raises(ValueError, match="chance moves here"):
        maxn.choose_move(rolling, Random(1))


def test_finished_games_have_values_for_everybody() -> None:
    assert maxn.values(DiceGame(totals=(4, 3), turn=2), Counter()) == (1, -1)


def test_three_players_are_too_many_for_expectiminimax() -> None:
    with pytest.raises(ValueError, match=r"^a game of 3 players"):
        expectiminimax.choose_move(CoinRow(), Random(1))
