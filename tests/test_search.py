"""Search: limits, interrupts, a full pool, superko inside the tree, and the seam of the evaluators."""

import random
import threading
from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest
from count_evaluator import CountEvaluator
from kernels_network import walk_to_child
from reference import Board, IllegalMoveError
from trees import Tree, plain_params, tree_of

from gtp_engine.engine.search import arrays
from gtp_engine.engine.search.evaluator import Evaluator, PlayoutEvaluator
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.engine.search.tree import BLOCK, FORBIDDEN, NODE, ROOT
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, board_points, opponent, point_at
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, RULE_SETS, TROMP_TAYLOR, Rules

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

KOMI = 7.5
GUARD = 60.0  # seconds; a search that nothing else ends fails its test instead of hanging


def run(
    game: Game, simulations: int, komi: float = KOMI, params: SearchParams | None = None, evaluator: Evaluator | None = None
) -> SearchResult:
    """Search for the player to move."""
    search = Search(params or plain_params(), evaluator)
    search.prepare(game, game.to_play, komi)
    return search.run(Limits(simulations=simulations))


# ---------------------------------------------------------------- limits and interrupts


def test_a_search_ends_after_its_simulations() -> None:
    for count in (1, 2, 15, 16, 17, 1000):
        result = run(Game(9), count)
        assert result.new_simulations == result.simulations == count


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.05])
def test_a_search_ends_after_its_time(seconds: float) -> None:
    search = Search(plain_params())
    search.prepare(Game(9), BLACK, KOMI)
    result = search.run(Limits(seconds=seconds))
    assert result.new_simulations >= 1
    assert result.seconds < seconds + GUARD / 10


def test_at_least_one_simulation_is_run() -> None:
    search = Search(plain_params())
    search.prepare(Game(9), BLACK, KOMI)
    result = search.run(Limits(simulations=0))
    assert result.new_simulations >= 1 and result.best.visits >= 1


@pytest.mark.parametrize("params", [plain_params(), plain_params(threads=2)], ids=["one", "two"])
def test_another_thread_cancels_the_search(params: SearchParams) -> None:
    search = Search(params)
    search.prepare(Game(9), BLACK, KOMI)
    results: list[SearchResult] = []
    cancelled = threading.Event()
    searching = threading.Thread(target=lambda: results.append(search.run(Limits(seconds=GUARD), None, cancelled)))
    searching.start()
    cancelled.set()
    searching.join()
    assert results[0].seconds < GUARD / 2
    assert results[0].best.visits >= 1


def test_a_search_may_be_cancelled_before_it_begins_and_the_next_one_is_not() -> None:
    search, cancelled = Search(plain_params()), threading.Event()
    search.prepare(Game(9), BLACK, KOMI)
    cancelled.set()
    assert search.run(Limits(simulations=100_000), None, cancelled).new_simulations < 100_000
    search.clear()
    search.prepare(Game(9), BLACK, KOMI)
    assert search.run(Limits(simulations=500)).new_simulations == 500


# ---------------------------------------------------------------- what the result says

CAPTURE = """
    . . . . .
    . X X . .
    X O O a .
    . X X . .
    . . . . O
"""


@pytest.mark.parametrize("evaluator", [PlayoutEvaluator, CountEvaluator])
def test_every_evaluator_finds_the_capture(evaluator: Callable[[], Evaluator], diagram: Diagram, marks: Marks) -> None:
    """Through one seam: CountEvaluator answers leaf by leaf, PlayoutEvaluator plays many out in one call."""
    result = run(diagram(CAPTURE, BLACK), 1500, 5.5, plain_params(), evaluator())
    assert result.best.point == result.best.variation[0] == marks(CAPTURE)["a"]
    assert result.best.win_rate > 0.8


def test_playouts_save_the_stones_too(diagram: Diagram, marks: Marks) -> None:
    assert run(diagram(CAPTURE, WHITE), 1500).best.point == marks(CAPTURE)["a"]


@pytest.mark.parametrize("evaluator", [PlayoutEvaluator, CountEvaluator])
def test_win_rate_and_score_are_those_of_the_player_to_move(evaluator: Callable[[], Evaluator], diagram: Diagram) -> None:
    """Black owns the board: good for Black, bad for White, whoever is asked."""
    drawing = """
        . X . X .
        X X X X X
        X X . X X
        . X X X .
        X . X . X
    """
    for komi, black_wins in ((0.5, True), (30.5, False)):
        for to_play in (BLACK, WHITE):
            result = run(diagram(drawing, to_play), 100, komi, plain_params(), evaluator())
            wins = black_wins == (to_play == BLACK)
            assert result.win_rate == (1.0 if wins else 0.0)
            assert result.score == pytest.approx((25 - komi) * (1 if to_play == BLACK else -1))
            assert all(candidate.win_rate == result.win_rate for candidate in result.candidates)


FINISHED = """
    . X O . O
    X X O O .
    . X O . O
    X X O O .
    . X O . O
"""


def test_ownership_is_that_of_the_player_to_move(diagram: Diagram) -> None:
    for to_play in (BLACK, WHITE):
        result = run(diagram(FINISHED, to_play), 200)
        sign = 1 if to_play == BLACK else -1
        expected = [sign * (1 if point % 20 <= 2 else -1) for point in board_points(5)]
        assert result.ownership[list(board_points(5))].tolist() == expected
        assert not np.delete(result.ownership, list(board_points(5))).any()


@pytest.mark.parametrize("evaluator", [PlayoutEvaluator, CountEvaluator])
def test_a_drawn_game_is_worth_half(evaluator: Callable[[], Evaluator], diagram: Diagram) -> None:
    result = run(diagram(FINISHED), 100, 10 - 15, plain_params(), evaluator())
    assert (result.win_rate, result.score) == (0.5, 0.0)


def test_candidates_are_in_order_and_add_up() -> None:
    result = run(Game(5), 2000)
    visits = [candidate.visits for candidate in result.candidates]
    assert visits == sorted(visits, reverse=True) and min(visits) > 0
    assert sum(visits) == result.simulations == 2000
    for candidate in result.candidates:
        game = Game(5)
        for point in candidate.variation:
            assert game.is_legal(game.to_play, point)
            game.play(game.to_play, point)


# ---------------------------------------------------------------- superko

FORBIDDEN_KO = """
    . X O O .
    X O b O .
    X X O O .
    X X X O O
    X . X X .
"""


@pytest.mark.parametrize("evaluator", [PlayoutEvaluator, CountEvaluator])
@pytest.mark.parametrize(
    ("rules", "allowed"), [(JAPANESE, True), (CHINESE, False), (AGA, False), (NEW_ZEALAND, False), (TROMP_TAYLOR, False)]
)
def test_the_best_looking_move_is_not_chosen_when_superko_forbids_it(
    rules: Rules, allowed: bool, evaluator: Callable[[], Evaluator], diagram: Diagram, marks: Marks
) -> None:
    """Black took the ko, then both passed: White taking back would win everything, and repeat the board."""
    game, take_back = diagram(FORBIDDEN_KO, BLACK, rules), point_at(4, 2)
    game.play(BLACK, marks(FORBIDDEN_KO)["b"])
    game.play(WHITE, PASS)
    game.play(BLACK, PASS)
    result = run(game, 2000, 0.5, plain_params(), evaluator())
    assert (result.best.point == take_back) == allowed
    assert (take_back in [candidate.point for candidate in result.candidates]) == allowed
    if allowed:
        assert result.best.visits > 1000


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
@pytest.mark.parametrize(("size", "moves"), [(2, 0), (3, 7)])
def test_every_move_in_the_tree_is_legal(size: int, moves: int, rules: Rules) -> None:
    """Walked with the slow reference, superko included; what superko forbids was cut off and has no visits."""
    game, board, dice = Game(size, rules), Board(size, rules), random.Random(7)
    for _ in range(moves):
        move = dice.choice(game.legal_points(game.to_play))
        board.play(game.to_play, move)
        game.play(game.to_play, move)
    search = Search(plain_params(expand_visits=1, exploration=2.0))
    search.prepare(game, game.to_play, 0.5)
    search.run(Limits(simulations=1000))
    cut_off = walk_legally(tree_of(search), board, game.to_play, 0)
    assert (cut_off > 0) == (rules is not JAPANESE)


def walk_legally(tree: Tree, board: Board, color: int, passes: int) -> int:
    """Play every visited node under `tree`; gives back how many moves superko forbade. AssertionError for an illegal one."""
    cut_off = 0
    assert passes < 2 or not tree.children, "the game is over"
    for child in tree.children:
        if child.move == FORBIDDEN:
            assert child.visits == 0
            cut_off += 1
        elif child.visits > 0:
            after = board.copy()
            try:
                after.play(color, child.move)
            except IllegalMoveError as reason:
                raise AssertionError(f"{reason}: {color} {child.move}\n{board}") from reason
            cut_off += walk_legally(child, after, opponent(color), passes + 1 if child.move == PASS else 0)
    return cut_off


def test_a_move_found_forbidden_since_it_was_chosen_is_not_played() -> None:
    """As by another thread, between the choice of the child and the step to it."""
    search = Search(plain_params())
    game = Game(5)
    search.prepare(game, BLACK, 0.5)
    search.run(Limits(simulations=200))
    nodes, shared, workspaces = search._arrays.nodes, search._arrays.shared, search._arrays.workspaces
    child = int(nodes[ROOT]["first_child"])
    nodes["move"][child] = FORBIDDEN
    visits = nodes["visits"][[ROOT, child]].tolist()
    assert not walk_to_child(nodes, child, shared, workspaces, search._arrays.situations)
    assert nodes["visits"][[ROOT, child]].tolist() == visits
    assert (workspaces["position"]["color"][0] == shared["root"]["color"][0]).all()


def test_superko_keeps_the_books_balanced() -> None:
    """A walk that superko cuts off is not counted: asked for N simulations, N are done."""
    result = run(Game(2, CHINESE), 3000, 0.5)
    assert result.new_simulations >= 3000
    assert result.simulations == result.new_simulations


def test_a_root_without_any_move_but_pass(diagram: Diagram) -> None:
    """Both sides have only eyes left to fill."""
    assert [candidate.point for candidate in run(diagram(FINISHED), 50).candidates] == [PASS]


def test_a_pool_has_no_more_nodes_than_their_indices_can_tell_apart() -> None:
    """Whatever --memory allows."""
    largest = next(item.metadata["high"] for item in fields(SearchParams) if item.name == "memory")
    assert arrays.nodes_in(largest) == np.iinfo(NODE["first_child"]).max == np.iinfo(NODE["parent"]).max
    assert 2 * BLOCK < arrays.nodes_in(1000) < arrays.nodes_in(2000) <= 2 * arrays.nodes_in(1000) + 1
    assert arrays.nodes_in(0) == 2 * BLOCK


def test_a_smaller_tree_where_memory_is_short(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The system gives no more than 100,000 nodes at once."""
    given = arrays.pool_of
    monkeypatch.setattr(arrays, "pool_of", lambda capacity: None if capacity > 100_000 else given(capacity))
    pool = arrays.new_pool(1_000_000)
    assert 2 * BLOCK <= len(pool) <= 50_000
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1 and "little memory" in errors
    monkeypatch.setattr(arrays, "pool_of", lambda capacity: None)
    with pytest.raises(MemoryError):
        arrays.new_pool(1_000_000)
