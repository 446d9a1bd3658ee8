"""Engine: the facade that GTP, reviews and scripts call; and that genmove never plays what the rules forbid."""

import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from kernels_consistency import FAULTS, SOUND, check
from reference import Board

from gtp_engine import sgf
from gtp_engine.engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.engine.player.engine import Engine, EngineError, IllegalMove
from gtp_engine.engine.search.evaluator import PlayoutEvaluator
from gtp_engine.engine.search.params import MIXED, PLAYOUTS, SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, MAX_SIZE, MIN_SIZE, PASS, RESIGN, WHITE, is_on_board, point_at
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, RULE_SETS, TROMP_TAYLOR, Rules

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]


def new_engine(size: int = 5, rules: Rules = CHINESE, komi: float = 7.5, **changes: object) -> Engine:
    """A fast engine that plays the same every time."""
    options: dict[str, object] = {"playouts": 50, "seed": 1, "memory": 16, "threads": 1}
    return Engine(SearchParams(**(options | changes)), rules, komi, size)  # type: ignore[arg-type]  # any field


@pytest.fixture
def engine() -> Engine:
    """On 5x5."""
    return new_engine()


def warnings_of(engine: Engine) -> list[str]:
    """The list that hears the engine's warnings from now on."""
    heard: list[str] = []
    engine.warn = heard.append
    return heard


# ---------------------------------------------------------------- genmove keeps the rules


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_genmove_never_breaks_the_rules_in_force(size: int, rules: Rules) -> None:
    """A game, also past two passes, every move checked by the slow reference, superko included. Two of four moves are random."""
    dice = random.Random(size)
    engine = new_engine(size, rules, 0.5, playouts=6, resign=False)
    board = Board(size, rules)
    for number in range(4 * size * size):
        color = board.to_play
        if number % 4 < 2:
            point = engine.genmove(color)
            assert board.is_legal(color, point), f"{board.why_illegal(color, point)}: {color} {point}\n{board}"
        else:
            point = dice.choice([*(point for point in board.stones(EMPTY) if board.is_legal(color, point)), PASS])
            engine.state.play(color, point)
        board.play(color, point)
        assert engine.game.stones(BLACK) == board.stones(BLACK) and engine.game.stones(WHITE) == board.stones(WHITE)
    assert check(engine.game.positions, 0) == SOUND, FAULTS[check(engine.game.positions, 0)]


@pytest.mark.parametrize("evaluator", ["playouts", "mixed"])
@pytest.mark.parametrize("size", [MIN_SIZE, 7, 13, MAX_SIZE])
def test_genmove_answers_on_every_board(size: int, evaluator: str) -> None:
    engine = new_engine(size, playouts=20, evaluator=evaluator, resign=False)
    for _ in range(6):
        point = engine.genmove(engine.game.to_play)
        assert point == PASS or is_on_board(point, size)
    assert len(engine.game.moves) == 6


def test_genmove_may_be_asked_for_either_color(engine: Engine) -> None:
    for color in (WHITE, WHITE, BLACK, BLACK):
        engine.genmove(color)
        assert engine.game.moves[-1][0] == color


def test_genmove_answers_after_the_end_of_the_game(engine: Engine) -> None:
    for _ in range(3):
        engine.state.play(engine.game.to_play, PASS)
    assert engine.genmove(engine.game.to_play) != RESIGN


def test_examine_searches_as_far_as_told_and_plays_nothing(engine: Engine) -> None:
    """Also where genmove would pass at once, and with what the tree already holds counted."""
    for _ in range(2):
        engine.state.play(BLACK, PASS)
    first = engine.examine(WHITE, Limits(simulations=80))
    assert (first.simulations, first.new_simulations) == (80, 80)
    assert engine.examine(WHITE, Limits(simulations=100)).new_simulations == 20
    assert engine.game.moves == [(BLACK, PASS)] * 2


def test_genmove_plays_its_answer(engine: Engine) -> None:
    point = engine.genmove(BLACK)
    assert engine.game.last_move() == (BLACK, point)
    assert engine.game.color_at(point) == BLACK
    assert engine.last_result is not None and engine.last_result.simulations == 50


# ---------------------------------------------------------------- play, undo, superko

SEND_TWO_RETURN_ONE = """
    a O b O .
    X X O . .
    . . . . .
    . . . . .
    . . . . .
"""


@pytest.mark.parametrize(("rules", "warned"), [(CHINESE, True), (TROMP_TAYLOR, True), (AGA, False), (JAPANESE, False)])
def test_a_superko_repetition_is_accepted_with_a_warning(rules: Rules, warned: bool, diagram: Diagram, marks: Marks) -> None:
    engine = new_engine(5, rules)
    engine.state.set_game(diagram(SEND_TWO_RETURN_ONE, WHITE, rules))
    heard = warnings_of(engine)
    points = marks(SEND_TWO_RETURN_ONE)
    engine.state.play(WHITE, points["a"])
    engine.state.play(BLACK, points["b"])
    assert heard == []
    engine.state.play(WHITE, point_at(5, 2))
    assert engine.game.color_at(point_at(5, 2)) == WHITE
    assert [rules.name in text and "B5" in text for text in heard] == [True] * warned


def test_an_illegal_move_is_refused_and_changes_nothing(engine: Engine) -> None:
    engine.state.play(BLACK, point_at(3, 3))
    for point in (point_at(3, 3), point_at(6, 6), 0, RESIGN):
        with pytest.raises(IllegalMove):
            engine.state.play(WHITE, point)
    assert engine.game.moves == [(BLACK, point_at(3, 3))]


def test_undo_takes_all_or_none_back(engine: Engine) -> None:
    for column in (1, 2, 3):
        engine.state.play(engine.game.to_play, point_at(1, column))
    with pytest.raises(EngineError, match=r"^cannot undo$"):
        engine.state.undo(4)
    assert len(engine.game.moves) == 3
    engine.state.undo(2)
    engine.state.undo()
    assert engine.game.moves == [] and engine.game.stones(BLACK) == []
    with pytest.raises(EngineError, match=r"^cannot undo$"):
        engine.state.undo()


def test_games_with_undo_stay_sound(engine: Engine) -> None:
    """Undo at random between searched moves: the tree is dropped, the position is never damaged."""
    dice = random.Random(1)
    for _ in range(60):
        if engine.game.moves and dice.random() < 0.4:
            engine.state.undo(dice.randint(1, len(engine.game.moves)))
        before = engine.game.copy()
        color = engine.game.to_play
        point = engine.genmove(color)
        assert point == RESIGN or before.is_legal(color, point)
        assert check(engine.game.positions, 0) == SOUND


# ---------------------------------------------------------------- what outlives the board


def test_rules_komi_and_clock_outlive_the_board(engine: Engine) -> None:
    engine.state.set_rules(JAPANESE)
    engine.state.komi = 6.5
    engine.clock.time_settings(100.0, 0.0, 0)
    clock = engine.clock
    for change in (engine.state.clear_board, lambda: engine.state.set_board_size(9)):
        change()
        assert (engine.state.rules, engine.game.rules, engine.state.komi, engine.clock) == (JAPANESE, JAPANESE, 6.5, clock)
    assert engine.game.size == 9


@pytest.mark.parametrize("size", [MIN_SIZE - 1, MAX_SIZE + 1, 0, -3])
def test_a_board_that_we_do_not_play_on_is_refused(size: int, engine: Engine) -> None:
    engine.state.play(BLACK, 21)
    with pytest.raises(ValueError, match=r"^unacceptable size$"):
        engine.state.set_board_size(size)
    assert engine.game.moves == [(BLACK, 21)] and engine.game.size == 5


def test_rules_set_during_the_game_hold_for_it(engine: Engine, diagram: Diagram, marks: Marks) -> None:
    engine.state.set_game(diagram(SEND_TWO_RETURN_ONE, WHITE, AGA))
    for color, name in ((WHITE, "a"), (BLACK, "b")):
        engine.state.play(color, marks(SEND_TWO_RETURN_ONE)[name])
    engine.state.set_rules(CHINESE)
    heard = warnings_of(engine)
    engine.state.play(WHITE, point_at(5, 2))
    assert len(heard) == 1


def test_first_moves_by_black_alone_are_handicap(engine: Engine) -> None:
    """As servers send it without the handicap commands; one move is none."""
    engine.state.play(BLACK, point_at(2, 2))
    assert engine.state.handicap() == 0
    engine.state.play(BLACK, point_at(4, 4))
    engine.state.play(BLACK, point_at(2, 4))
    assert engine.state.handicap() == 3
    engine.state.play(WHITE, point_at(3, 3))
    engine.state.play(BLACK, point_at(4, 2))
    assert engine.state.handicap() == 3
    assert engine.state.white_points() == 7.5 + 3


def test_a_handicap_is_placed_once(engine: Engine) -> None:
    engine.state.place_handicap([point_at(2, 2), point_at(4, 4)])
    assert engine.state.handicap() == 2 and engine.game.to_play == WHITE
    with pytest.raises(ValueError, match="board not empty"):
        engine.state.place_handicap([point_at(3, 3), point_at(1, 1)])


# ---------------------------------------------------------------- seeds, reg_genmove, parameters


def playing(engine: Engine, moves: int) -> list[int]:
    """The moves of the engine against itself."""
    return [engine.genmove(engine.game.to_play) for _ in range(moves)]


def test_the_same_seed_plays_the_same_game() -> None:
    first, second, other = (playing(new_engine(7, seed=seed), 12) for seed in (5, 5, 6))
    assert first == second != other


def test_a_seed_set_later_counts_from_there(engine: Engine) -> None:
    playing(engine, 3)
    engine.state.clear_board()
    engine.seed = 77
    assert engine.seed == 77
    assert playing(engine, 8) == playing(new_engine(seed=77), 8)


def test_reg_genmove_plays_nothing_and_always_answers_the_same() -> None:
    engine = new_engine(9, seed=0)
    engine.state.play(BLACK, point_at(5, 5))
    answers = {engine.reg_genmove(WHITE)}
    engine.genmove(WHITE)
    engine.state.undo()
    answers.add(engine.reg_genmove(WHITE))
    other = new_engine(9, seed=0)
    other.state.play(BLACK, point_at(5, 5))
    answers.add(other.reg_genmove(WHITE))
    assert len(answers) == 1
    assert engine.game.moves == [(BLACK, point_at(5, 5))]


def test_new_parameters_count_from_the_next_move(engine: Engine) -> None:
    engine.genmove(BLACK)
    engine.set_params(SearchParams(playouts=123, seed=1, memory=16, threads=1))
    engine.genmove(WHITE)
    assert engine.last_result is not None and engine.last_result.simulations == 123
    assert engine.params.playouts == 123


# ---------------------------------------------------------------- time


def test_a_move_comes_when_nobody_sent_a_clock() -> None:
    engine = new_engine(9, playouts=0, seconds=0.05)
    assert engine.genmove(BLACK) != RESIGN
    assert engine.last_result is not None and engine.last_result.new_simulations >= 1


def test_the_clock_bounds_a_move_and_is_charged() -> None:
    engine = new_engine(9, playouts=1_000_000_000)
    engine.clock.set_absolute(10.0)
    engine.genmove(BLACK)
    assert engine.last_result is not None and engine.last_result.seconds < 10.0
    left = engine.clock.allowance(BLACK, 9, 1, 0.0)
    other = engine.clock.allowance(WHITE, 9, 1, 0.0)
    assert left is not None and other is not None and left.desired < other.desired


def test_a_clock_that_has_run_out_still_gets_a_legal_move(engine: Engine) -> None:
    engine.clock.set_absolute(0.0)
    assert engine.genmove(BLACK) != RESIGN
    assert len(engine.game.moves) == 1


def test_an_interrupt_ends_genmove() -> None:
    engine = new_engine(9, playouts=0, seconds=60.0)
    cancelled = threading.Event()
    thinking = threading.Thread(target=engine.genmove, args=(BLACK,), kwargs={"cancelled": cancelled})
    thinking.start()
    cancelled.set()
    thinking.join()
    assert len(engine.game.moves) == 1
    assert engine.last_result is not None and engine.last_result.seconds < 30


# ---------------------------------------------------------------- records, warming up


def test_a_saved_game_is_loaded_again(tmp_path: Path) -> None:
    engine = new_engine(7, AGA, 5.5)
    engine.state.place_handicap([point_at(3, 3), point_at(5, 5)])
    playing(engine, 10)
    path = tmp_path / "game.sgf"
    path.write_text(engine.state.sgf(), encoding="utf-8")
    other = new_engine()
    other.state.load_sgf(path, None)
    assert (other.game.moves, other.game.size, other.state.rules, other.state.komi) == (engine.game.moves, 7, AGA, 5.5)
    assert other.state.handicap() == 2
    assert other.state.sgf() == engine.state.sgf()
    other.state.load_sgf(path, 4)
    assert other.game.moves == engine.game.moves[:3]


def test_a_damaged_record_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    engine.genmove(BLACK)
    before = engine.state.sgf()
    path = tmp_path / "broken.sgf"
    path.write_text("(;SZ[9];B[aa];W[aa])", encoding="utf-8")
    with pytest.raises(sgf.SgfError, match="2"):
        engine.state.load_sgf(path, None)
    with pytest.raises(sgf.SgfError):
        engine.state.load_sgf(tmp_path / "missing.sgf", None)
    assert engine.state.sgf() == before


def test_warming_up_touches_neither_game_nor_seed() -> None:
    engine, cold = new_engine(), new_engine()
    playing(engine, 2)
    playing(cold, 2)
    moves = list(engine.game.moves)
    engine.warm_up()
    assert engine.game.moves == moves
    assert playing(engine, 5) == playing(cold, 5)


def test_an_unknown_status_is_refused(engine: Engine) -> None:
    with pytest.raises(EngineError, match=r"^syntax error$"):
        engine.status_points("asleep")


def test_another_game_gets_its_boards_evaluator_and_keeps_the_seed(monkeypatch: pytest.MonkeyPatch, evaluators_made: list[object]) -> None:
    """A review goes from game to game so."""
    monkeypatch.setattr("gtp_engine.engine.search.params.BEST_BY_SIZE", ((5, PLAYOUTS), (19, MIXED)))
    engine = new_engine(size=19)
    engine.seed = 7
    for size in (7, 5, 9):
        engine.state.set_game(Game(size))
        engine.examine(BLACK, Limits(simulations=1))
        assert type(evaluators_made[-1]) is (NetworkEvaluator if size > 5 else PlayoutEvaluator)
        assert engine.seed == 7
    engine.state.set_game(Game(11))
    engine.examine(BLACK, Limits(simulations=1))
    assert len(evaluators_made) == 4  # 19x19, 7x7, 5x5, and one for 9x9 and 11x11
