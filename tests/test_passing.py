"""The end of the game: passing, resignation, scores and the status of stones, as the engine decides them."""

import time
from collections.abc import Callable

import pytest
from drawings import ONE_POINT_LEFT, TWO_SHARED_LIBERTIES
from reference import from_diagram

from gtp_engine.engine.player import passing
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.game_state import GameState
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.verdict import judge, leads, open_points
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, opponent, to_vertex
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, RULE_SETS, TROMP_TAYLOR, Rules, Scoring

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

SETTLED = """
    . X O . .
    X X O . O
    . X O O .
    X X O X a
    . X O O O
"""  # area: Black 10, White 15 with the dead stone taken; 11 and 12 with every stone alive


def engine_at(game: Game, komi: float, **changes: object) -> Engine:
    """An engine that stands at `game` and never resigns unless told."""
    options: dict[str, object] = {"playouts": 100, "seed": 1, "memory": 16, "threads": 1, "resign": False}
    engine = Engine(SearchParams(**(options | changes)), game.rules, komi, game.size)  # type: ignore[arg-type]  # any field
    engine.state.set_game(game)
    return engine


# ---------------------------------------------------------------- passing

DEAD_STONES_COUNT_AS_DEAD = [CHINESE, JAPANESE, AGA, NEW_ZEALAND]
IDS = [rules.name for rules in DEAD_STONES_COUNT_AS_DEAD]


@pytest.mark.parametrize("rules", DEAD_STONES_COUNT_AS_DEAD, ids=IDS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_winner_of_a_settled_game_passes(color: int, rules: Rules, diagram: Diagram) -> None:
    komi = -9.5 if color == BLACK else 0.5
    assert engine_at(diagram(SETTLED, color, rules), komi).genmove(color) == PASS


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_winner_answers_a_pass_with_a_pass(color: int, rules: Rules, diagram: Diagram, marks: Marks) -> None:
    """But White takes the dead stone off where the rules would count it as alive."""
    engine = engine_at(diagram(SETTLED, opponent(color), rules), -9.5 if color == BLACK else 0.5)
    engine.state.play(opponent(color), PASS)
    assert engine.genmove(color) == (marks(SETTLED)["a"] if rules.all_alive and color == WHITE else PASS)


@pytest.mark.parametrize("rules", [CHINESE, AGA, NEW_ZEALAND, TROMP_TAYLOR], ids=["chinese", "aga", "new_zealand", "tromp-taylor"])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_loser_plays_on_while_a_point_is_left(color: int, rules: Rules, diagram: Diagram, marks: Marks) -> None:
    """Also after the opponent's pass, which would end a lost game; the last point is worth something where area counts."""
    engine = engine_at(diagram(ONE_POINT_LEFT, opponent(color), rules), 9.5 if color == BLACK else -9.5)
    engine.state.play(opponent(color), PASS)
    assert engine.genmove(color) == marks(ONE_POINT_LEFT)["a"]


BORDER = """
    . X X O O . .
    X . X O . O .
    . X X O O . O
    X . X O . O .
    . X X O O . O
    . X X O O O O
    . . a b . . .
"""  # who plays at a or b first gains two points


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_winner_closes_the_border_before_it_passes(color: int, diagram: Diagram, marks: Marks) -> None:
    """Also where territory counts."""
    game = diagram(BORDER, opponent(color), JAPANESE)
    assert not judge(game).is_settled
    engine = engine_at(game, -20.5 if color == BLACK else 20.5)
    engine.state.play(opponent(color), PASS)
    assert engine.genmove(color) in (marks(BORDER)["a"], marks(BORDER)["b"])


def test_the_winner_fills_the_last_neutral_point_and_no_territory(diagram: Diagram, marks: Marks) -> None:
    """A move there costs nothing; one more would cost a point."""
    engine = engine_at(diagram(ONE_POINT_LEFT, WHITE, JAPANESE), -20.5)
    engine.state.play(WHITE, PASS)
    assert engine.genmove(BLACK) == marks(ONE_POINT_LEFT)["a"]
    engine.state.play(WHITE, PASS)
    assert engine.genmove(BLACK) == PASS


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_shared_liberties_of_a_seki_cost_more_than_nothing(color: int, diagram: Diagram) -> None:
    game = diagram(TWO_SHARED_LIBERTIES.translate(str.maketrans("WB", "OX")), color, JAPANESE)
    assert open_points(game, color, judge(game)) == set()


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_where_a_move_costs_nothing(color: int, diagram: Diagram, marks: Marks) -> None:
    """On a neutral point; not where the own stone would be in atari. Under area rules it is worth a point."""
    for rules in (JAPANESE, CHINESE):
        game = diagram(ONE_POINT_LEFT, color, rules)
        assert open_points(game, color, judge(game)) == {marks(ONE_POINT_LEFT)["a"]}


@pytest.mark.parametrize(("komi", "is_answered"), [(-9.5, True), (0.5, False), (4.5, True)])
def test_a_close_game_that_seems_lost_is_searched_before_a_pass_is_answered(komi: float, is_answered: bool, diagram: Diagram) -> None:
    """The count is 5 points for White."""
    game = diagram(SETTLED, WHITE)
    game.play(WHITE, PASS)
    assert passing.answers_pass(game, BLACK, komi, judge) is is_answered


@pytest.mark.parametrize(("win_rate", "is_done"), [(0.4, True), (0.6, False)])
def test_a_verdict_that_loses_is_not_believed_against_a_search(win_rate: float, is_done: bool, diagram: Diagram) -> None:
    game = diagram(SETTLED, BLACK)
    verdict = judge(game)
    assert verdict.is_settled and not leads(verdict.count.score, BLACK, 0.5)
    assert passing.is_done(game, verdict, BLACK, 0.5, Candidate(PASS, 10, win_rate, 0.0, [PASS])) is is_done


@pytest.mark.parametrize(("win_rate", "score", "is_played"), [(0.9, 9.0, True), (0.86, 4.0, True), (0.9, 3.9, False), (0.84, 9.0, False)])
def test_the_winner_plays_where_that_costs_nothing(win_rate: float, score: float, is_played: bool, diagram: Diagram, marks: Marks) -> None:
    """Instead of the pass that the search likes best, while a point is left: not for less win rate or lead."""
    game, point = diagram(ONE_POINT_LEFT, BLACK), marks(ONE_POINT_LEFT)["a"]
    passed, best = Candidate(PASS, 60, 0.9, 5.0, [PASS]), Candidate(point, 40, win_rate, score, [point])
    assert passing.is_better_than_pass(game, BLACK, -9.5, passed, best, judge(game)) is is_played


def test_dead_stones_are_taken_off_when_the_rules_count_them_as_alive(diagram: Diagram, marks: Marks) -> None:
    """White wins by 2.5 with the dead stone gone, and loses by 1.5 while it stands."""
    for passes_first in (True, False):
        engine = engine_at(diagram(SETTLED, BLACK if passes_first else WHITE, TROMP_TAYLOR), -2.5)
        if passes_first:
            engine.state.play(BLACK, PASS)
        assert engine.score() == 1.5
        assert engine.genmove(WHITE) == marks(SETTLED)["a"]
        assert engine.score() == -2.5


@pytest.mark.parametrize("left", [0.0, 0.3, 60.0])
def test_the_second_look_at_a_pass_keeps_to_the_clock(left: float) -> None:
    """It begins when the search has used its time already."""
    engine = engine_at(Game(9), 7.5)
    engine.clock.set_absolute(60.0)
    engine.clock.time_left(BLACK, left, 0)
    engine.clock.start_move(BLACK, time.monotonic())
    seconds = passing.pass_check(engine.search_limits(BLACK)).seconds
    assert seconds is not None
    assert seconds == 0.5 if left == 60.0 else seconds <= 0.01
    engine.clock.set_none()
    assert passing.pass_check(engine.search_limits(BLACK)).seconds is None  # so many playouts, whatever the machine


def test_in_time_trouble_there_is_no_time_for_a_verdict(diagram: Diagram, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes longer than a move may: so the game goes on until there is no other move, or the opponent passes."""
    engine = engine_at(diagram(SETTLED, WHITE), 0.5)
    engine.clock.set_absolute(10.0)
    engine.clock.time_left(WHITE, 0.2, 0)
    with monkeypatch.context() as patch:
        patch.setattr(OwnSearch, "verdict", lambda search, game: pytest.fail("a verdict was asked for"))
        assert engine.genmove(WHITE) != PASS
    engine.state.play(BLACK, PASS)
    assert engine.genmove(WHITE) == PASS


def test_nobody_passes_on_an_empty_board() -> None:
    for color in (BLACK, WHITE):
        engine = engine_at(Game(5), 0.5)
        assert engine.genmove(color) != PASS


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
@pytest.mark.parametrize("size", [4, 5])
def test_nobody_passes_a_game_away(size: int, rules: Rules) -> None:
    """Against itself: the second pass in a row comes from the winner, unless all is settled or there is no other move."""
    engine = engine_at(Game(size, rules), 0.5, playouts=60)
    while engine.game.passes() < 2:
        assert len(engine.game.moves) < 4 * size * size, engine.state.sgf()
        engine.genmove(engine.game.to_play)
    last = opponent(engine.game.to_play)
    won = (engine.score() > 0) == (last == BLACK)
    candidates = {candidate.point for candidate in engine.last_result.candidates} if engine.last_result else set()
    assert won or candidates == {PASS} or engine.verdict().is_settled, engine.state.sgf()


# ---------------------------------------------------------------- scores and status


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_score_of_a_settled_board(rules: Rules, diagram: Diagram) -> None:
    """Area: the reference counts the board with the dead stone replaced. Territory: by hand, 3 to 6 points and a prisoner."""
    engine = engine_at(diagram(SETTLED, BLACK, rules), 0.5)
    if rules.scoring is Scoring.TERRITORY:
        black, white = 3, 6 + 1
        assert engine.score() == black - white - 0.5
        return
    drawing = SETTLED.replace("a", ".")
    board = from_diagram(drawing if rules.all_alive else drawing.replace("O X .", "O . ."))
    assert engine.score() == board.area_score() - 0.5


def test_komi_and_handicap_are_in_the_score() -> None:
    for rules, compensation in ((CHINESE, 2), (AGA, 1), (JAPANESE, 0), (NEW_ZEALAND, 0), (TROMP_TAYLOR, 0)):
        engine = engine_at(Game(5, rules), 3.5)
        bare = engine.score()
        engine.state.place_handicap([43, 83])
        assert engine.state.handicap() == 2
        with_stones = engine.score()
        engine.state.komi = 0.0
        assert engine.score() == with_stones + 3.5
        assert engine.state.white_points() == compensation
        assert bare == engine_at(Game(5, rules), 0.0).score() - 3.5


def test_status_lists_of_a_settled_board(diagram: Diagram, marks: Marks) -> None:
    engine = engine_at(diagram(SETTLED), 0.5)
    names = {status: [" ".join(map(to_vertex, chain)) for chain in engine.status_points(status)] for status in ("alive", "dead", "seki")}
    assert names["dead"] == ["D2"]
    assert names["seki"] == []
    assert sorted(" ".join(names["alive"]).split()) == sorted(
        to_vertex(point) for color in (BLACK, WHITE) for point in engine.game.stones(color) if to_vertex(point) != "D2"
    )
    assert [to_vertex(point) for point in engine.status_points("black_territory")[0]] == ["A1", "A3", "A5"]
    assert [to_vertex(point) for point in engine.status_points("white_territory")[0]] == ["D2", "E2", "E3", "D4", "D5", "E5"]
    assert engine.status_points("dame") == []


def test_every_stone_is_alive_where_the_rules_say_so(diagram: Diagram) -> None:
    engine = engine_at(diagram(SETTLED, BLACK, TROMP_TAYLOR), 0.5)
    assert engine.status_points("dead") == []
    assert [[to_vertex(point) for point in points] for points in engine.status_points("dame")] == [["E2", "E3"]]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_score_and_status_agree(rules: Rules, diagram: Diagram) -> None:
    """Under area rules the score is what the status lists add up to."""
    engine = engine_at(diagram(SETTLED, BLACK, rules), 0.5)
    if rules.scoring is Scoring.TERRITORY:
        return
    alive = {point for chain in engine.status_points("alive") for point in chain}
    points = [len(alive & set(engine.game.stones(color))) for color in (BLACK, WHITE)]
    territory = [sum(map(len, engine.status_points(f"{color}_territory"))) for color in ("black", "white")]
    assert engine.score() == points[0] + territory[0] - points[1] - territory[1] - 0.5


# ---------------------------------------------------------------- resignation

OPEN_BOARD = """
    . . . . . . .
    . . X . O . .
    . . X . O . .
    . . X . O . .
    . . X . O . .
    . . . . . . .
    . . . . . . .
"""
HOPELESS = 100.0  # komi that nobody can win against; told to playouts, for networks of KataGo see at most 20 points more than the board has


def own_moves(engine: Engine, color: int, count: int) -> list[int]:
    """What the engine answers for `color`, the opponent passing in between."""
    answers = []
    for _ in range(count):
        answers.append(engine.genmove(color))
        if answers[-1] == RESIGN:
            break
        engine.state.play(opponent(color), PASS)
    return answers


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_resigns_after_several_hopeless_searches_in_a_row(moves: int, diagram: Diagram) -> None:
    engine = engine_at(diagram(OPEN_BOARD), HOPELESS, evaluator="playouts", resign=True, resign_moves=moves, resign_after=0.0)
    answers = own_moves(engine, BLACK, 10)
    assert answers.index(RESIGN) == moves - 1 == len(answers) - 1
    assert engine.game.last_move() != (BLACK, RESIGN)
    assert engine.genmove(BLACK) == RESIGN, "still hopeless"


def test_a_better_search_in_between_starts_the_count_anew(diagram: Diagram) -> None:
    engine = engine_at(diagram(OPEN_BOARD), HOPELESS, evaluator="playouts", resign=True, resign_moves=3, resign_after=0.0)
    assert RESIGN not in own_moves(engine, BLACK, 2)
    engine.state.play(WHITE, engine.game.legal_points(WHITE)[0])  # after a pass Black would win by passing, without a search
    engine.state.komi = -HOPELESS
    engine.genmove(BLACK)
    engine.state.komi = HOPELESS
    assert own_moves(engine, BLACK, 3).index(RESIGN) == 2


def test_never_resigns_early(diagram: Diagram) -> None:
    engine = engine_at(diagram(OPEN_BOARD), HOPELESS, evaluator="playouts", resign=True, resign_moves=1, resign_after=0.2)
    answers = own_moves(engine, BLACK, 10)
    assert answers.index(RESIGN) == 5  # after ten moves: not before 0.2 * 49 have been played


def test_resignation_can_be_switched_off(diagram: Diagram) -> None:
    engine = engine_at(diagram(OPEN_BOARD), HOPELESS, resign=False, resign_moves=1, resign_after=0.0)
    assert RESIGN not in own_moves(engine, BLACK, 4)


def test_the_winning_side_does_not_resign(diagram: Diagram) -> None:
    engine = engine_at(diagram(OPEN_BOARD), HOPELESS, resign=True, resign_moves=1, resign_after=0.0)
    engine.state.play(BLACK, PASS)
    assert engine.genmove(WHITE) != RESIGN


@pytest.mark.parametrize(
    "forget", [GameState.clear_board, GameState.undo, lambda state: state.set_board_size(7)], ids=["clear", "undo", "size"]
)
def test_hopeless_searches_of_another_game_do_not_count(forget: Callable[[GameState], None], diagram: Diagram) -> None:
    engine = engine_at(diagram(OPEN_BOARD), HOPELESS, evaluator="playouts", resign=True, resign_moves=3, resign_after=0.0)
    own_moves(engine, BLACK, 2)
    forget(engine.state)
    assert RESIGN not in own_moves(engine, BLACK, 2)


def test_reg_genmove_does_not_count_towards_resignation(diagram: Diagram) -> None:
    engine = engine_at(diagram(OPEN_BOARD), HOPELESS, evaluator="playouts", resign=True, resign_moves=3, resign_after=0.0)
    assert RESIGN not in [engine.reg_genmove(BLACK) for _ in range(4)]
    assert RESIGN not in own_moves(engine, BLACK, 2)
