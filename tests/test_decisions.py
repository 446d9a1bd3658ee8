"""What a player decides, from scripted search results: nothing is searched here, and nothing depends on time."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import pytest
from conftest import build_small_engine

from gtp_engine.engine.player import passing
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.move_chooser import MoveChooser
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.resignation import Resignation
from gtp_engine.engine.player.verdict import Verdict
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import Candidate, SearchResult
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.count import Count
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, board_points, from_vertex
from gtp_engine.go.rules import JAPANESE

SIZE = 9
C3, D4, E5 = (from_vertex(vertex, SIZE) for vertex in ("C3", "D4", "E5"))
LOST, EVEN = 0.01, 0.5
PARAMS = SearchParams(playouts=100, resign=True, resign_threshold=0.1, resign_moves=3, resign_after=0.0)


def candidate(point: int, win_rate: float = EVEN, visits: int = 10) -> Candidate:
    return Candidate(point, visits, win_rate, 0.0, [point])


def result(*candidates: Candidate) -> SearchResult:
    """What a search found. Its ownership leaves everything open."""
    return SearchResult(list(candidates), 100, 100, 0.0, candidates[0].win_rate, 0.0, np.zeros(1000))


@dataclass
class Script:
    """Stands for the chooser and for the search: gives scripted results in turn, and notes what it was asked."""

    results: Sequence[SearchResult]
    params: SearchParams = PARAMS
    asked: list[tuple[Turn, Limits]] = field(default_factory=list)
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def choose(self, turn: Turn, limits: Limits, progress: object, search: object) -> SearchResult:
        """See MoveChooser."""
        return self.run(turn, limits)

    def run(self, turn: Turn, limits: Limits) -> SearchResult:
        """See OwnSearch."""
        self.asked.append((turn, limits))
        return self.results[min(len(self.asked), len(self.results)) - 1]

    def verdict(self, game: Game) -> Verdict:
        """See OwnSearch."""
        raise AssertionError("so early in a game nobody asks for a verdict")


class Player(Engine):
    """An engine whose moves and whose second looks are scripted."""

    def __init__(self, chooser: Script, search: Script | None = None) -> None:
        super().__init__(PARAMS)
        self._search = cast(OwnSearch, search or Script([]))
        self._chooser = cast(MoveChooser, chooser)

    def decide(self, turn: Turn, breaks: int = 0) -> int:
        """The move in `turn`, after so many breaks in the game."""
        self.state.breaks = breaks
        return self._decide(turn)


def turn(virtual_komi: float = 0.0, moves: int = 0) -> Turn:
    """Black's, on a board that is nearly empty."""
    game = Game(SIZE)
    for row in range(moves):
        game.play(game.to_play, from_vertex(f"J{row + 1}", SIZE))
    return Turn(game, BLACK, 7.5, virtual_komi=virtual_komi)


def territory_turn() -> Turn:
    """The same where territory counts, so that a move may cost a point."""
    return Turn(Game(SIZE, JAPANESE), BLACK, 7.5)


# ---------------------------------------------------------------- resigning


def test_a_game_is_given_up_after_so_many_hopeless_searches_in_a_row() -> None:
    searches = [LOST, LOST, EVEN, LOST, LOST, LOST, LOST]
    player = Player(Script([result(candidate(C3, win_rate)) for win_rate in searches]))
    assert [player.decide(turn()) == RESIGN for _ in searches] == [False, False, False, False, False, True, True]


def test_a_virtual_komi_hides_whether_the_game_is_lost() -> None:
    """What was found under it doesn't count later either."""
    player = Player(Script([result(candidate(C3, LOST))]))
    assert [player.decide(turn(virtual_komi=20.0)) for _ in range(10)] == [C3] * 10
    assert [player.decide(turn()) for _ in range(3)] == [C3, C3, RESIGN]


def test_hopeless_searches_of_another_game_do_not_count() -> None:
    player = Player(Script([result(candidate(C3, LOST))]))
    assert [player.decide(turn(), breaks) for breaks in (0, 0, 1, 1, 1)] == [C3, C3, C3, C3, RESIGN]


@pytest.mark.parametrize(("win_rate", "gives_up"), [(0.0999, True), (0.1, False)])
def test_the_threshold_of_resigning(win_rate: float, gives_up: bool) -> None:
    player = Player(Script([result(candidate(C3, win_rate))]))
    assert [player.decide(turn()) for _ in range(3)][-1] == (RESIGN if gives_up else C3)


@pytest.mark.parametrize(
    ("params", "gives_up"), [({"resign": False}, False), ({"resign_after": 3 / 81}, True), ({"resign_after": 4 / 81}, False)]
)
def test_no_resignation_where_it_is_off_or_too_early(params: dict[str, Any], gives_up: bool) -> None:
    resignation = Resignation()
    answers = [resignation.should_resign(replace(PARAMS, **params), turn(moves=3), LOST, 0) for _ in range(3)]
    assert answers[-1] is gives_up


def test_each_color_has_a_count_of_its_own() -> None:
    resignation, turns = Resignation(), [turn(), replace(turn(), color=WHITE)] * 3
    assert [resignation.should_resign(PARAMS, asked, LOST, 0) for asked in turns] == [False] * 4 + [True, True]


# ---------------------------------------------------------------- passing


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> SearchResult:
    """A search that would pass, though it expects to win with another move; the verdict agrees."""
    found = result(candidate(PASS, 0.7, 60), candidate(D4, 0.6, 40))
    monkeypatch.setattr(passing, "choose_move", lambda *_: found.best)
    return found


@pytest.mark.parametrize(("reply", "plays"), [(0.49, PASS), (0.5, D4), (0.9, D4)])
def test_a_pass_is_looked_at_once_more(passes: SearchResult, reply: float, plays: int) -> None:
    """The opponent's best answer counts, not the mean of all."""
    look = Script([replace(result(candidate(C3, reply)), win_rate=1.0 - reply)])
    assert Player(Script([passes]), look).decide(turn()) == plays
    asked, limits = look.asked[0]
    assert (asked.color, asked.komi, asked.game.moves, limits.simulations) == (WHITE, 7.5, [(BLACK, PASS)], passing.PASS_CHECK_SIMULATIONS)


def test_no_second_look_where_no_move_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    found = result(candidate(PASS, 0.7, 60), candidate(D4, 0.49, 40))
    monkeypatch.setattr(passing, "choose_move", lambda *_: found.best)
    look = Script([result(candidate(C3, 1.0))])
    assert Player(Script([found]), look).decide(turn()) == PASS
    assert look.asked == []


def test_no_second_look_at_a_move() -> None:
    look = Script([result(candidate(C3, 1.0))])
    assert Player(Script([result(candidate(D4, 0.7), candidate(PASS, 0.6))]), look).decide(turn()) == D4
    assert look.asked == []


def test_a_second_look_takes_no_more_than_the_clock_gives() -> None:
    assert passing.pass_check(Limits(100, None)).seconds is None
    assert passing.pass_check(Limits(None, 0.2)).seconds == 0.2
    assert passing.pass_check(Limits(None, 60.0)).seconds == passing.PASS_CHECK_SECONDS
    assert passing.own_check(Limits(None, 0.2), SIZE).seconds == 0.2


def test_a_larger_board_has_more_moves_to_look_at() -> None:
    assert passing.own_check(Limits(100, None), 9).simulations == passing.pass_check(Limits(100, None)).simulations
    assert passing.own_check(Limits(100, None), 19).simulations == 19 * 19 * passing.OWN_CHECK_SIMULATIONS


def count_of(score: float, is_settled: bool) -> Verdict:
    """A verdict that counts so many points for Black."""
    return Verdict(set(), set(), set(), Count(score, {}), np.zeros(1000), is_settled, is_settled)


@pytest.fixture
def costless(monkeypatch: pytest.MonkeyPatch) -> None:
    """The opponent's pass is answered by a pass, and C3 and D4 cost nothing."""
    monkeypatch.setattr(passing, "answers_pass", lambda *_: True)
    monkeypatch.setattr(passing, "is_mostly_empty", lambda game: False)
    monkeypatch.setattr(passing, "must_capture", lambda *_: set())
    monkeypatch.setattr(passing, "open_points", lambda *_: {C3, D4})


def looks(monkeypatch: pytest.MonkeyPatch, *results: SearchResult, is_settled: bool = True) -> Script:
    """The looks before a pass, under a count of 12 points for Black: after the pass, and at the own moves."""
    script = Script(results)
    monkeypatch.setattr(script, "verdict", lambda game: count_of(12.0, is_settled))
    return script


def reply(win_rate: float, score: float = 0.0) -> SearchResult:
    """What the opponent can do after a pass."""
    return result(replace(candidate(D4, win_rate), score=score))


@pytest.mark.parametrize(
    ("win_rate", "theirs", "plays"), [(0.45, 0.2, C3), (0.39, 0.2, PASS), (0.1, 0.85, C3), (0.1, 0.75, PASS), (0.25, 0.66, C3)]
)
@pytest.mark.usefixtures("costless")
def test_before_a_pass_comes_what_costs_nothing(monkeypatch: pytest.MonkeyPatch, win_rate: float, theirs: float, plays: int) -> None:
    """But not where it looks worse than the pass: it may take a liberty that is needed. After two passes the count is even."""
    look = looks(monkeypatch, reply(theirs), result(candidate(C3, win_rate)))
    assert Player(Script([]), look).decide(territory_turn()) == plays
    (after, _), (own, _) = look.asked
    assert [each.komi for each in (own, after)] == [12.0, 12.0]
    assert (own.color, own.game.moves, after.color, after.game.moves) == (BLACK, [], WHITE, [(BLACK, PASS)])
    assert allowed(own) == {C3, D4}
    assert after.avoid == {(WHITE, PASS): 1}


def allowed(asked: Turn) -> set[int]:
    """The moves that a search may choose from."""
    return {point for point in [*board_points(SIZE), PASS] if (asked.color, point) not in (asked.avoid or {})}


@pytest.mark.parametrize(("theirs", "win_rate", "plays"), [(0.91, 0.4, E5), (0.91, 0.38, PASS), (0.89, 0.9, PASS), (1.0, 0.3, E5)])
@pytest.mark.usefixtures("costless")
def test_where_a_pass_costs_points_other_moves_are_looked_at(
    monkeypatch: pytest.MonkeyPatch, theirs: float, win_rate: float, plays: int
) -> None:
    """Any of them, and they must be clearly better, for where territory counts they cost a point."""
    look = looks(monkeypatch, reply(theirs), result(candidate(E5, win_rate)), reply(1.0 - win_rate))
    assert Player(Script([]), look).decide(territory_turn()) == plays
    assert allowed(look.asked[1][0]) == (set(board_points(SIZE)) if theirs > 0.9 else {C3, D4})


@pytest.mark.parametrize(("win_rate", "plays"), [(0.81, E5), (0.79, PASS)])
@pytest.mark.usefixtures("costless")
def test_where_area_counts_all_moves_are_looked_at(monkeypatch: pytest.MonkeyPatch, win_rate: float, plays: int) -> None:
    """The opponent gains nothing by the pass, but the count may give away what a move gains."""
    look = looks(monkeypatch, reply(0.5), result(candidate(E5, win_rate)), reply(1.0 - win_rate))
    assert Player(Script([]), look).decide(turn()) == plays
    assert allowed(look.asked[1][0]) == set(board_points(SIZE))


@pytest.mark.parametrize(("theirs", "plays"), [(0.64, E5), (0.66, C3)])
@pytest.mark.usefixtures("costless")
def test_a_move_that_costs_something_is_looked_at_as_deep_as_the_pass(monkeypatch: pytest.MonkeyPatch, theirs: float, plays: int) -> None:
    """If the opponent has an answer, what costs nothing is played instead."""
    look = looks(monkeypatch, reply(0.96), result(candidate(E5, 0.6, 90), candidate(C3, 0.1, 20)), reply(theirs))
    assert Player(Script([]), look).decide(territory_turn()) == plays
    last = look.asked[-1][0]
    assert (last.color, last.komi, last.game.moves, last.avoid) == (WHITE, 12.0, [(BLACK, E5)], None)


@pytest.mark.usefixtures("costless")
def test_what_costs_nothing_comes_before_a_move_that_more_visits_went_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one is not so much better than the pass that it may cost a point."""
    look = looks(monkeypatch, reply(0.96), result(candidate(E5, 0.11, 200), candidate(C3, 0.09, 20), candidate(D4, 0.1, 10)))
    assert Player(Script([]), look).decide(territory_turn()) == C3


@pytest.mark.parametrize(
    ("color", "scores", "komi"),
    [
        (BLACK, [], 12.0),
        (BLACK, [3.4], 9.0),
        (WHITE, [3.4], 15.0),
        (BLACK, [0.2], 11.0),
        (BLACK, [3.4, 1.6], 7.0),
        (BLACK, [3.4, 1.6, 2.0], 7.0),
    ],
)
@pytest.mark.usefixtures("costless")
def test_where_the_opponent_gains_by_a_pass_the_komi_follows(
    monkeypatch: pytest.MonkeyPatch, color: int, scores: list[float], komi: float
) -> None:
    """Where something is left, the count isn't what a pass is worth; at most twice, and then all own moves are looked at."""
    replies = [reply(0.95, score) for score in scores] + [reply(0.6)] * (len(scores) < 3)
    look = looks(monkeypatch, *replies, result(candidate(E5, 0.9)), reply(0.1), is_settled=False)
    move = Player(Script([]), look).decide(replace(territory_turn(), color=color))
    own = look.asked[len(replies)][0]
    assert (own.komi, own.color) == (komi, color)
    assert move == (E5 if scores else PASS)
    assert allowed(own) == (set(board_points(SIZE)) if scores else {C3, D4})


@pytest.mark.parametrize(("win_rate", "plays"), [(0.99, E5), (0.9, PASS)])
@pytest.mark.usefixtures("costless")
def test_a_pass_that_wins_under_the_komi_that_followed_is_kept(monkeypatch: pytest.MonkeyPatch, win_rate: float, plays: int) -> None:
    """The komi may have followed too far."""
    look = looks(monkeypatch, reply(0.95, 5.0), reply(0.32), result(candidate(E5, win_rate)), reply(1.0 - win_rate), is_settled=False)
    assert Player(Script([]), look).decide(territory_turn()) == plays


@pytest.mark.usefixtures("costless")
def test_a_komi_that_followed_too_far_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the count itself the opponent may well lose: whatever it plays costs a point."""
    look = looks(monkeypatch, reply(0.95, 5.0), reply(0.09, -1.6), reply(0.5), result(candidate(E5, 0.9)), reply(0.1), is_settled=False)
    assert Player(Script([]), look).decide(territory_turn()) == E5
    assert [asked.komi for asked, _ in look.asked] == [12.0, 7.0, 9.0, 9.0, 9.0]
    look = looks(monkeypatch, reply(0.09, -1.6), result(candidate(C3, 0.4)), is_settled=False)
    assert Player(Script([]), look).decide(territory_turn()) == C3
    assert [asked.komi for asked, _ in look.asked] == [12.0, 12.0]


@pytest.mark.usefixtures("costless")
def test_the_count_of_a_settled_position_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    look = looks(monkeypatch, reply(0.95, 5.0), result(candidate(E5, 0.9)), reply(0.1))
    assert Player(Script([]), look).decide(territory_turn()) == E5
    assert [asked.komi for asked, _ in look.asked] == [12.0, 12.0, 12.0]


@pytest.mark.usefixtures("costless")
def test_what_costs_nothing_but_is_to_be_avoided_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    look = looks(monkeypatch, reply(0.5), result(candidate(C3)))
    avoiding = replace(territory_turn(), avoid={(BLACK, C3): 1, (BLACK, D4): 1})
    assert Player(Script([]), look).decide(avoiding) == PASS
    assert len(look.asked) == 1


@pytest.mark.parametrize(("seconds", "is_hurried"), [(None, False), (0.049, True), (0.05, False)])
def test_when_there_is_no_time_for_a_verdict(seconds: float | None, is_hurried: bool) -> None:
    assert passing.is_hurried(Limits(100, seconds, seconds)) is is_hurried


# ---------------------------------------------------------------- pondering


@pytest.fixture(scope="module")
def engine() -> Engine:
    """An engine whose decisions are scripted."""
    return build_small_engine()


@pytest.mark.parametrize(("point", "ponder", "ponders"), [(C3, True, True), (C3, False, False), (PASS, True, False), (RESIGN, True, False)])
def test_when_it_thinks_in_the_opponents_time(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, point: int, ponder: bool, ponders: bool
) -> None:
    """After a pass it would think about a game that may be over."""
    engine.state.set_board_size(SIZE)
    engine.set_params(replace(engine.params, ponder=ponder))
    asked: list[Turn] = []
    monkeypatch.setattr(engine, "_decide", lambda *_: point)
    monkeypatch.setattr(engine._search, "ponder", asked.append)
    assert engine.genmove(BLACK) == point
    assert [pondered.color for pondered in asked] == [WHITE] * ponders
    assert [pondered.game.moves for pondered in asked] == [[(BLACK, point)]] * ponders


def test_the_default_time_runs_while_the_engine_loads() -> None:
    """But a share of it is always searched; without a move under way all of it is."""
    engine = Engine(SearchParams(seconds=8.0), size=SIZE)
    assert engine.search_limits(BLACK) == Limits(None, 8.0)
    engine.clock.start_move(BLACK, time.monotonic() - 100.0)
    assert engine.search_limits(BLACK) == Limits(None, 2.0)
    assert engine.search_limits(WHITE) == Limits(None, 8.0)
    engine.clock.start_move(BLACK, time.monotonic() - 3.0)
    seconds = engine.search_limits(BLACK).seconds
    assert seconds is not None and 2.0 <= seconds <= 5.0
