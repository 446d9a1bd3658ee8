"""Engine and Clock together: moves come in time whatever the clock says, and the clock is charged for them."""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.time_control import Clock
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, opponent
from gtp_engine.go.rules import CHINESE

LONG = 300.0  # seconds a move without a clock: a test that ignored the clock would be seen to hang
SOON = 20.0  # seconds: far less than LONG, far more than any move here should take on the slowest machine


def new_engine(**changes: object) -> Engine:
    """A warm engine on 5x5 that would think for very long."""
    options: dict[str, object] = {"seconds": LONG, "seed": 1, "memory": 16, "threads": 1, "resign": False}
    engine = Engine(SearchParams(**(options | changes)), CHINESE, 0.5, 5)  # type: ignore[arg-type]  # any field
    engine.warm_up()
    return engine


# ---------------------------------------------------------------- whatever the clock says

CLOCKS: dict[str, Callable[[Clock], None]] = {
    "absolute, none left": lambda clock: clock.set_absolute(0.0),
    "absolute, negative": lambda clock: clock.set_absolute(-5.0),
    "absolute, not a number": lambda clock: clock.set_absolute(math.nan),
    "byo-yomi, tiny period": lambda clock: clock.set_byoyomi(0.0, 0.001, 1),
    "canadian, a thousand stones a second": lambda clock: clock.set_canadian(0.0, 1.0, 1000),
    "fischer, nothing": lambda clock: clock.set_fischer(0.0, 0.0),
    "fischer, no move may take long": lambda clock: clock.set_fischer(1e9, 1e9, None, 0.1),
}


@pytest.mark.parametrize("name", CLOCKS)
def test_an_absurd_clock_still_gives_a_legal_move_at_once(name: str) -> None:
    engine = new_engine()
    CLOCKS[name](engine.clock)
    for _ in range(3):
        color, before, started = engine.game.to_play, engine.game.copy(), time.monotonic()
        assert before.is_legal(color, engine.genmove(color))
        assert time.monotonic() - started < SOON


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, -math.inf])
def test_a_time_left_that_is_no_time_gives_a_move_at_once(seconds: float) -> None:
    engine = new_engine()
    engine.clock.set_absolute(3600.0)
    engine.clock.time_left(BLACK, seconds, 0)
    started = time.monotonic()
    assert engine.genmove(BLACK) != RESIGN
    assert time.monotonic() - started < SOON


def test_a_clock_ends_a_search_that_playouts_would_not() -> None:
    """And the number of playouts ends one that the clock would allow: whichever comes first."""
    engine = new_engine(playouts=1_000_000_000)
    engine.clock.set_absolute(0.1)
    engine.genmove(BLACK)
    assert engine.last_result is not None and engine.last_result.simulations < 1_000_000_000
    engine = new_engine(playouts=50)
    engine.clock.set_absolute(1e6)
    engine.genmove(BLACK)
    assert engine.last_result is not None and engine.last_result.simulations == 50


def test_without_a_clock_the_default_time_holds() -> None:
    engine = new_engine(seconds=0.05)
    engine.genmove(BLACK)
    assert engine.last_result is not None and engine.last_result.seconds < SOON
    engine.clock.set_none()
    assert engine.genmove(WHITE) != RESIGN


# ---------------------------------------------------------------- bookkeeping


def desired(engine: Engine, color: int) -> float:
    """How long `color` would like to think now."""
    allowance = engine.clock.allowance(color, 5, 0, time.monotonic())
    assert allowance is not None
    return allowance.desired


def test_the_time_before_genmove_is_charged_too() -> None:
    """A move that waited for the kernels started earlier: 50 of 100 seconds are gone, of this color's clock only."""
    engine = new_engine(playouts=10)
    engine.clock.set_absolute(100.0)
    fresh = {color: desired(engine, color) for color in (BLACK, WHITE)}
    engine.genmove(BLACK, time.monotonic() - 50.0)
    assert desired(engine, BLACK) < 0.51 * fresh[BLACK]
    assert desired(engine, WHITE) == fresh[WHITE]


def test_time_left_overrides_our_own_count() -> None:
    engine = new_engine(playouts=10)
    engine.clock.set_absolute(100.0)
    fresh = desired(engine, BLACK)
    engine.genmove(BLACK, time.monotonic() - 50.0)
    engine.clock.time_left(BLACK, 100.0, 0)
    assert desired(engine, BLACK) == fresh


def test_a_new_game_keeps_the_time_settings() -> None:
    engine = new_engine(playouts=10)
    engine.clock.set_absolute(0.0)
    engine.state.set_board_size(7)
    engine.state.clear_board()
    assert desired(engine, BLACK) <= engine.clock.params.at_once


# ---------------------------------------------------------------- real games


@dataclass
class Referee:
    """A clock that counts as a server does; `spend` tells whether the game goes on."""

    main: float
    increment: float = 0.0
    period: float = 0.0  # byo-yomi and Canadian
    periods: int = 0  # byo-yomi
    stones: int = 0  # Canadian: in each period
    played: int = 0  # Canadian: in this period

    def spend(self, seconds: float) -> bool:
        """Take a move's time off; False when it is lost by it."""
        if self.periods:
            self.periods -= int(max(seconds - self.main, 0.0) / self.period)
            self.main = max(self.main - seconds, 0.0)
            return self.periods > 0
        self.main -= seconds
        in_time = self.main >= 0.0
        self.main += self.increment
        self.played += 1
        if self.stones and self.played == self.stones:
            self.main, self.played = self.period, 0
        return in_time


GAMES: dict[str, tuple[Callable[[Clock], None], Referee]] = {
    "absolute": (lambda clock: clock.set_absolute(10.0), Referee(10.0)),
    "fischer": (lambda clock: clock.set_fischer(3.0, 0.2), Referee(3.0, increment=0.2)),
    "byoyomi": (lambda clock: clock.set_byoyomi(0.0, 1.0, 3), Referee(0.0, period=1.0, periods=3)),
    "canadian": (lambda clock: clock.set_canadian(0.0, 4.0, 5), Referee(4.0, period=4.0, stones=5)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_real_game_is_not_lost_on_time(name: str) -> None:
    """Against random moves on 9x9, without time_left: the engine's own count alone. Marked slow, since it looks at the real clock."""
    set_clock, referee = GAMES[name]
    engine, dice = new_engine(), random.Random(1)
    engine.state.set_board_size(9)
    set_clock(engine.clock)
    while engine.game.passes() < 2 and len(engine.game.moves) < 160:
        started = time.monotonic()
        engine.genmove(BLACK, started)
        assert referee.spend(time.monotonic() - started), f"lost on time at move {len(engine.game.moves)}: {referee}"
        engine.state.play(opponent(BLACK), dice.choice([*engine.game.legal_points(WHITE), PASS]))
    assert len(engine.game.moves) > 20
