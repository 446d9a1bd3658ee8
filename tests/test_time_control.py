"""Clocks: what each setting means, our own bookkeeping, and whole simulated games that never end on time."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gtp_engine.engine.player.time_control import Allowance, Clock, ClockParams
from gtp_engine.go.points import BLACK, WHITE

Setter = Callable[[Clock], None]

EXACT = ClockParams(lag=0.0, overshoot=0.0, share=0.0)  # so that sums come out even


def allowance(clock: Clock, color: int = BLACK, size: int = 9, stones: int = 20, now: float = 0.0) -> Allowance:
    found = clock.allowance(color, size, stones, now)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "setter",
    [
        lambda clock: None,
        lambda clock: clock.set_none(),
        lambda clock: clock.time_settings(0, 1, 0),
        lambda clock: clock.time_settings(600, 30, 0),
        lambda clock: clock.set_canadian(600, 30, -1),
    ],
)
def test_no_limit(setter: Setter) -> None:
    clock = Clock()
    setter(clock)
    assert clock.allowance(BLACK, 9, 0, 0.0) is None
    clock.time_left(BLACK, 5, 0)
    assert clock.allowance(BLACK, 9, 0, 0.0) is None, "told that there is no limit, a later time_left does not make one"


def same(one: Clock, other: Clock) -> bool:
    return all(allowance(one, color, 9, stones) == allowance(other, color, 9, stones) for color in (BLACK, WHITE) for stones in (0, 50))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda clock: clock.time_settings(300, 0, 0), lambda clock: clock.set_absolute(300)),
        (lambda clock: clock.time_settings(300, 0, 10), lambda clock: clock.set_absolute(300)),
        (lambda clock: clock.time_settings(300, 30, 5), lambda clock: clock.set_canadian(300, 30, 5)),
        (lambda clock: clock.time_settings(-20, 30, 5), lambda clock: clock.set_canadian(0, 30, 5)),
        (lambda clock: clock.set_byoyomi(300, 30, 0), lambda clock: clock.set_absolute(300)),
        (lambda clock: clock.set_byoyomi(300, -1, 3), lambda clock: clock.set_absolute(300)),
        (lambda clock: clock.set_fischer(300, 0), lambda clock: clock.set_absolute(300)),
        (lambda clock: clock.set_fischer(300, 5, -1, -1), lambda clock: clock.set_fischer(300, 5)),
        (lambda clock: clock.set_fischer(300, 5, 200), lambda clock: clock.set_fischer(200, 5, 200)),
        (lambda clock: clock.set_absolute(float("inf")), lambda clock: clock.set_absolute(10**400)),
        (lambda clock: clock.set_absolute(float("nan")), lambda clock: clock.set_absolute(0)),
    ],
)
def test_two_ways_to_say_the_same(one: Setter, other: Setter) -> None:
    clocks = Clock(), Clock()
    one(clocks[0])
    other(clocks[1])
    assert same(*clocks)


def test_absolute_time_is_spread_over_the_game() -> None:
    clock = Clock()
    clock.set_absolute(300)
    shares = [allowance(clock, stones=stones).desired for stones in (0, 20, 40, 60)]
    assert shares == sorted(shares)
    assert 4 < shares[0] < 12
    assert allowance(clock).maximum <= 150
    assert allowance(clock, size=19).desired < shares[0]


def test_more_moves_are_expected_early_and_some_always() -> None:
    clock = Clock()
    for size, first, last in ((9, 33, 4), (19, 136, 9)):
        expected = [clock.expected_moves(size, stones) for stones in range(size * size + 1)]
        assert expected == sorted(expected, reverse=True)
        assert first - 2 < expected[0] < first + 2
        assert last <= expected[-1] < last + 1


@pytest.mark.parametrize("seconds", [0, 0.001, -5, -1e9, float("nan"), float("-inf")])
@pytest.mark.parametrize("count", [0, 1, 3, -2])
@pytest.mark.parametrize(
    "setter",
    [
        lambda clock: clock.set_absolute(60),
        lambda clock: clock.set_canadian(0, 0.001, 3),
        lambda clock: clock.set_byoyomi(0, 0.001, 3),
        lambda clock: clock.set_fischer(60, 0),
    ],
)
def test_no_time_means_a_move_at_once(setter: Setter, count: int, seconds: float) -> None:
    clock = Clock()
    setter(clock)
    clock.time_left(BLACK, seconds, count)
    assert allowance(clock) == Allowance(0.01, 0.01)


@pytest.mark.parametrize("seconds", [1e300, float("inf"), 10**400])
def test_absurdly_much_time_is_still_a_number(seconds: float) -> None:
    clock = Clock()
    clock.set_fischer(seconds, seconds)
    clock.time_left(BLACK, seconds, 10**30)
    assert 0 < allowance(clock).desired <= allowance(clock).maximum < 1e9


def test_the_last_byoyomi_period_is_never_overstepped() -> None:
    clock = Clock(ClockParams(lag=0.3, overshoot=0.05, share=0.0))
    clock.set_byoyomi(0, 10, 1)
    assert allowance(clock).maximum == pytest.approx(10 - 2 * 0.35)


def test_main_time_is_used_above_the_overtime() -> None:
    clock = Clock(EXACT)
    clock.set_byoyomi(0, 10, 3)
    only_overtime = allowance(clock).desired
    clock.set_byoyomi(100, 10, 3)
    assert allowance(clock).desired == pytest.approx(only_overtime + 100 / clock.expected_moves(9, 20))
    clock.set_canadian(100, 50, 5)
    assert allowance(clock).desired == pytest.approx(50 / 5 + 100 / clock.expected_moves(9, 20))
    clock.time_left(BLACK, 1, 0)
    assert allowance(clock).maximum == pytest.approx(11), "not beyond what is left and one move's worth of overtime"


@pytest.mark.parametrize("start", [Clock.set_canadian, Clock.set_byoyomi])
def test_no_more_time_is_left_than_a_period_has(start: Callable[[Clock, float, float, int], None]) -> None:
    """Some clients tell the main time again with a stone or a period beside it."""
    clock, other = Clock(), Clock()
    for each, left in ((clock, 15.0), (other, 5.0)):
        start(each, 15.0, 5.0, 1)
        each.time_left(BLACK, left, 1)
    allowance = clock.allowance(BLACK, 9, 0, 0.0)
    assert allowance is not None and allowance.maximum < 5.0
    assert allowance == other.allowance(BLACK, 9, 0, 0.0)


def test_canadian_overtime_is_divided_among_its_stones() -> None:
    clock = Clock(EXACT)
    clock.set_canadian(0, 60, 10)
    assert allowance(clock).desired == pytest.approx(6, rel=0.05)
    clock.time_left(BLACK, 30, 2)
    assert allowance(clock).desired == allowance(clock).maximum == pytest.approx(15, rel=0.05), "half is left for the other stone"
    clock.time_left(BLACK, 12, 1)
    assert allowance(clock).desired == pytest.approx(12, rel=0.05)


def test_fischer_uses_its_increment_and_what_the_cap_would_cut_off() -> None:
    clock = Clock(EXACT)
    clock.set_fischer(60, 5)
    assert allowance(clock).desired > 5
    clock.time_left(BLACK, 4, 0)
    assert allowance(clock).maximum <= 4
    clock.set_fischer(60, 20, 60)
    assert allowance(clock).desired >= 20
    clock.set_fischer(60, 5, None, 3)
    assert allowance(clock).maximum == 3


def test_a_late_answer_makes_the_next_ones_come_earlier_and_is_forgiven_in_time() -> None:
    """A machine so busy that a move is answered a quarter of a second after its time was up."""
    clock = Clock()
    clock.set_byoyomi(0, 1, 5)
    first = allowance(clock).maximum

    def move(late: float) -> float:
        """What the move after this one may take at most."""
        clock.start_move(BLACK, 0.0)
        clock.end_move(BLACK, allowance(clock).maximum + late)
        return allowance(clock).maximum

    assert move(0.0) == pytest.approx(first), "being in time changes nothing"
    after = move(0.25)
    assert after == pytest.approx(first - 2 * (0.25 - 0.05), abs=0.01)
    for _ in range(40):
        last = move(0.0)
    assert last == pytest.approx(first)
    assert move(30.0) > 0.0, "a start that compiles does not take the time of all moves after it"


def test_fischer_keeps_a_reserve() -> None:
    """With less than the reserve on the clock, moves take less than their increment, so that it grows again."""
    clock = Clock()
    clock.set_fischer(5, 0.2)
    for left in (0.2, 0.4):
        clock.time_left(BLACK, left, 0)
        assert allowance(clock).desired < 0.2 - ClockParams().overhead


def test_time_runs_while_the_kernels_are_compiled() -> None:
    clock = Clock(EXACT)
    clock.set_byoyomi(0, 10, 1)
    clock.start_move(BLACK, 100.0)
    assert allowance(clock, now=104.0).maximum == pytest.approx(6)
    assert allowance(clock, WHITE, now=104.0).maximum == pytest.approx(10), "the other clock stands"


def test_own_bookkeeping_of_absolute_time_charges_the_lag_too() -> None:
    kept, told = Clock(), Clock()
    for clock in (kept, told):
        clock.set_absolute(100)
    kept.start_move(WHITE, 5.0)
    kept.end_move(WHITE, 15.0)
    kept.end_move(WHITE, 99.0)  # was not started again
    told.time_left(WHITE, 90 - kept.params.lag, 0)
    assert same(kept, told)


def play(clock: Clock, *seconds: float) -> None:
    now = 0.0
    for elapsed in seconds:
        clock.start_move(BLACK, now)
        now += elapsed
        clock.end_move(BLACK, now)


@pytest.mark.parametrize(
    ("setter", "moves", "left"),
    [
        (lambda clock: clock.set_canadian(10, 30, 3), [10, 9], (21, 1)),
        (lambda clock: clock.set_canadian(10, 30, 3), [10, 9, 9], (30, 3)),
        (lambda clock: clock.set_canadian(10, 30, 3), [4], (6, 0)),
        (lambda clock: clock.set_canadian(10, 30, 3), [15], (25, 2)),
        (lambda clock: clock.set_byoyomi(10, 30, 3), [15, 29], (30, 3)),
        (lambda clock: clock.set_byoyomi(10, 30, 3), [15, 31], (30, 2)),
        (lambda clock: clock.set_byoyomi(10, 30, 3), [10 + 61], (30, 1)),
        (lambda clock: clock.set_byoyomi(10, 30, 3), [1000, 1000], (30, 1)),
        (lambda clock: clock.set_fischer(10, 3), [4, 1], (11, 0)),
        (lambda clock: clock.set_fischer(10, 3, 12), [1, 1], (12, 0)),
        (lambda clock: clock.set_absolute(10), [4, 20], (0, 0)),
    ],
)
def test_own_bookkeeping(setter: Setter, moves: list[float], left: tuple[float, int]) -> None:
    kept, told = Clock(EXACT), Clock(EXACT)
    setter(kept)
    setter(told)
    play(kept, *moves)
    told.time_left(BLACK, *left)
    assert same(kept, told)


def test_running_into_later_byoyomi_periods() -> None:
    clock = Clock(EXACT)
    clock.set_byoyomi(10, 30, 3)
    clock.start_move(BLACK, 0.0)
    assert allowance(clock, now=35.0).maximum == pytest.approx(5)
    assert allowance(clock, now=75.0).maximum == pytest.approx(25), "5 seconds into the third period"
    assert allowance(clock, now=500.0).maximum == 0.01


class Server:
    """The clock of a server, as its rules say and without any of our code; `over` once the time is."""

    def __init__(self, kind: str, main: float, period: float, count: int, cap: float) -> None:
        self.kind, self.main, self.period, self.count, self.cap = kind, main, period, count, cap
        self.left, self.stones = period, count  # of the current period
        self.over = False

    def move(self, seconds: float) -> None:
        if self.kind == "fischer":
            self.over |= seconds > self.main
            self.main = min(self.main - seconds + self.period, self.cap)
            return
        in_main = min(self.main, seconds)
        self.main -= in_main
        seconds -= in_main
        if self.kind == "absolute":
            self.over |= seconds > 0
        elif self.kind == "canadian" and self.main == 0:
            self.over |= seconds > self.left
            self.left, self.stones = self.left - seconds, self.stones - 1
            if self.stones == 0:
                self.left, self.stones = self.period, self.count
        elif self.kind == "byoyomi":
            while seconds > self.period and not self.over:
                seconds, self.stones = seconds - self.period, self.stones - 1
                self.over = self.stones == 0

    def tell(self, clock: Clock) -> None:
        in_overtime = self.main == 0 and self.kind in ("canadian", "byoyomi")
        if in_overtime:
            clock.time_left(BLACK, self.left if self.kind == "canadian" else self.period, self.stones)
        else:
            clock.time_left(BLACK, self.main, 0)


def whole_game(server: Server, clock: Clock, size: int, moves: int, filling: float, use: list[str], lag: float, told: bool) -> Server:
    """Play `moves` own moves with the worst lag and overshoot; `filling`: how many of the stones played stay on the board."""
    now = 1000.0
    for number, which in zip(range(moves), itertools.cycle(use), strict=False):
        if told:
            server.tell(clock)
        clock.start_move(BLACK, now)
        think = getattr(allowance(clock, BLACK, size, int(2 * number * filling), now), which)
        now += think + 0.05
        clock.end_move(BLACK, now)
        server.move(think + 0.05 + lag)
        if server.over:
            break
        now += 3.0  # the opponent
    return server


GAMES = {
    "size": st.integers(2, 19),
    "length": st.floats(0.1, 1),
    "filling": st.floats(0, 1),
    "lag": st.sampled_from([0.0, 0.02, 0.1, 0.5, 2.0]),
    "plenty": st.floats(1.001, 100),
    "main": st.sampled_from([0.0, 0.3, 5.0, 60.0, 3600.0]),
    "count": st.integers(1, 30),
    "use": st.lists(st.sampled_from(["desired", "maximum"]), min_size=1, max_size=4),
    "told": st.booleans(),
}


@settings(deadline=None, max_examples=150)
@given(kind=st.sampled_from(["absolute", "canadian", "byoyomi", "fischer", "capped"]), **GAMES)
@example("absolute", 9, 1.0, 1.0, 0.02, 1.001, 0.0, 1, ["maximum"], False)
@example("byoyomi", 9, 1.0, 1.0, 0.1, 6.0, 0.0, 3, ["maximum"], True)
def test_no_game_is_lost_on_time_where_the_overhead_leaves_a_choice(
    kind: str, size: int, length: float, filling: float, lag: float, plenty: float, main: float, count: int, use: list[str], told: bool
) -> None:
    clock = Clock(ClockParams(lag=lag))
    moves = max(1, int(length * (size + size * size / 2)))
    move_at_once = clock.params.overhead + clock.params.at_once  # less than this for each move, and nobody could play the game
    period, cap = plenty * move_at_once, 1e9
    if kind == "absolute":
        main = moves * period
        clock.set_absolute(main)
    elif kind == "canadian":
        period *= count
        clock.set_canadian(main, period, count)
    elif kind == "byoyomi":
        clock.set_byoyomi(main, period, count)
    else:
        main, cap = main + move_at_once * 1.001, 1e9 if kind == "fischer" else main + move_at_once * 2
        clock.set_fischer(main, period, cap)
    server = Server("fischer" if kind == "capped" else kind, main, period, count, cap)
    assert not whole_game(server, clock, size, moves, filling, use, lag, told).over


@settings(deadline=None, max_examples=50)
@given(st.integers(5, 19), st.floats(0.05, 0.9), st.booleans())
def test_an_increment_smaller_than_the_overhead_is_made_up_from_main_time(size: int, part: float, told: bool) -> None:
    clock = Clock()
    moves = size + size * size // 2
    move_at_once = clock.params.overhead + clock.params.at_once
    main = move_at_once + moves * move_at_once * (1 - part) * 1.1
    clock.set_fischer(main, move_at_once * part)
    server = Server("fischer", main, move_at_once * part, 0, 1e9)
    assert not whole_game(server, clock, size, moves, 1.0, ["maximum"], clock.params.lag, told).over


def test_the_server_of_these_tests_does_notice_lost_time() -> None:
    for kind, main, period, count in (("absolute", 5, 0, 0), ("canadian", 1, 4, 2), ("byoyomi", 1, 2, 2), ("fischer", 5, 1, 0)):
        server = Server(kind, main, period, count, 1e9)
        server.move(4.9)
        assert not server.over
        server.move(2.2 if kind != "byoyomi" else 2.1)
        assert server.over


@pytest.mark.parametrize(("main", "increment"), [(300.0, 0.0), (60.0, 5.0), (10.0, 0.0)])
def test_most_of_the_time_is_used(main: float, increment: float) -> None:
    clock = Clock()
    clock.set_fischer(main, increment)
    server = whole_game(Server("fischer", main, increment, 0, 1e9), clock, 9, 35, 1.0, ["desired"], 0.01, True)
    assert server.main < 0.5 * (main + 35 * increment)
