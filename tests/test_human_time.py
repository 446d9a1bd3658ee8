"""`--human-time`: how long a player of a rank takes for a move."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from conftest import Client

from gtp_engine.cli.main import main, make_parser
from gtp_engine.cli.options.shared import configuration_of
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.factory import build_engine
from gtp_engine.engine.player.ranks.chooser import RankChooser
from gtp_engine.engine.player.ranks.pace import Pace, entropy, phase
from gtp_engine.engine.player.time_control import Allowance, Clock
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, board_points
from gtp_engine.go.rank_names import read_rank

SURE, TYPICAL, HARD = [1.0], [0.5, 0.2, 0.1, 0.1, 0.05, 0.05], [0.05] * 20
WAIT = 0.2  # seconds, where a test must really wait


def mean_seconds(chances: list[float], game: Game, allowance: Allowance | None = None, pace: Pace | None = None) -> float:
    """Over many draws."""
    random = np.random.default_rng(1)
    return float(np.mean([(pace or Pace()).seconds(chances, game, allowance, random) for _ in range(400)]))


def filled_game(share: float, size: int = 9) -> Game:
    """A board with black stones on this share of its points, row by row: times depend on their number alone."""
    game = Game(size)
    game.set_up([(BLACK, point) for point in list(board_points(size))[: round(share * size * size)]], BLACK)
    return game


def test_entropy_is_that_of_the_chances() -> None:
    assert entropy(SURE) == 0.0
    assert entropy(HARD) == pytest.approx(np.log(20))
    assert entropy([0.5, 0.0, 0.5]) == pytest.approx(np.log(2))


def test_a_hard_move_takes_longer_and_each_draw_is_another() -> None:
    game = filled_game(0.2)
    sure, typical, hard = (mean_seconds(chances, game) for chances in (SURE, TYPICAL, HARD))
    assert sure < typical < hard and 2.0 < typical < 8.0
    random = np.random.default_rng(1)
    draws = [Pace().seconds(TYPICAL, game, None, random) for _ in range(50)]
    assert len(set(draws)) == 50
    assert [Pace().seconds(TYPICAL, game, None, np.random.default_rng(7)) for _ in range(2)] == [
        Pace().seconds(TYPICAL, game, None, np.random.default_rng(7))
    ] * 2


def test_the_first_moves_and_the_end_go_faster_than_the_middle() -> None:
    first, middle, end = (filled_game(share) for share in (0.0, 0.4, 0.75))
    assert phase(first) < phase(end) < phase(middle)
    assert mean_seconds(TYPICAL, first) < mean_seconds(TYPICAL, middle)


def test_a_larger_board_takes_longer() -> None:
    assert mean_seconds(TYPICAL, filled_game(0.2, 19)) > 1.5 * mean_seconds(TYPICAL, filled_game(0.2, 9))


def test_little_time_on_the_clock_makes_fast_moves() -> None:
    game = filled_game(0.3)
    hurried = mean_seconds(HARD, game, Allowance(0.4, 0.8))
    assert hurried <= 0.4 < mean_seconds(HARD, game, Allowance(60.0, 60.0))
    assert mean_seconds(HARD, game, Allowance(60.0, 60.0)) == mean_seconds(HARD, game)


# ---------------------------------------------------------------- never late, whatever the clock


class Referee:
    """The time that a server keeps, with the seconds that each move took; it knows nothing of Clock."""

    def __init__(self, system: str, main: float, period: float, count: int) -> None:
        self.system, self.main, self.period, self.count = system, main, period, count
        self.left, self.stones = period, count

    def is_late(self, seconds: float) -> bool:
        """Take a move's seconds off: has the player lost?"""
        if self.system == "fischer":
            self.main += self.period - seconds
            return self.main < self.period
        rest = max(seconds - self.main, 0.0)
        self.main = max(self.main - seconds, 0.0)
        if self.main > 0.0 or rest == 0.0:
            return False
        if self.system == "absolute":
            return True
        if self.system == "byoyomi":
            while rest > self.period and self.count:
                rest, self.count = rest - self.period, self.count - 1
            return self.count == 0
        self.left, self.stones = self.left - rest, self.stones - 1
        late = self.left < 0.0
        if self.stones == 0:
            self.left, self.stones = self.period, self.count
        return late


@pytest.mark.parametrize(
    ("system", "main", "period", "count"),
    [
        ("absolute", 300.0, 0.0, 0),
        ("absolute", 8.0, 0.0, 0),
        ("canadian", 10.0, 20.0, 10),
        ("canadian", 0.0, 15.0, 25),
        ("byoyomi", 5.0, 3.0, 3),
        ("byoyomi", 0.0, 1.0, 1),
        ("fischer", 10.0, 1.0, 0),
        ("fischer", 120.0, 5.0, 0),
    ],
)
def test_it_never_loses_on_time(system: str, main: float, period: float, count: int) -> None:
    """A game of hard moves that takes no real time: 60 of our own, each with 0.1 s that the engine needed before it waits."""
    clock, referee, pace = Clock(), Referee(system, main, period, count), Pace()
    {
        "absolute": lambda: clock.set_absolute(main),
        "canadian": lambda: clock.set_canadian(main, period, count),
        "byoyomi": lambda: clock.set_byoyomi(main, period, count),
        "fischer": lambda: clock.set_fischer(main, period),
    }[system]()
    random, now, waited = np.random.default_rng(2), 1000.0, 0.0
    for number in range(60):
        game = filled_game(min(number / 81, 0.7))
        clock.start_move(BLACK, now)
        searched = now + (0.1 if system != "absolute" or main > 10.0 else 0.02)
        allowance = clock.allowance(BLACK, 9, 2 * number if 2 * number < 81 else 81, searched)
        assert allowance is not None
        ended = max(now + pace.seconds(HARD, game, allowance, random), searched)
        waited += ended - searched
        clock.end_move(BLACK, ended)
        assert not referee.is_late(ended - now + 0.01), f"move {number + 1}"
        now = ended + 5.0
    assert waited > 0.5


# ---------------------------------------------------------------- in the engine


def engine_with(pace: Pace | None) -> Engine:
    """A player of 15k on 9x9, warm."""
    engine = Engine(SearchParams(seed=1, memory=16), size=9, komi=5.5, chooser=RankChooser(read_rank("15k")))
    engine.genmove(BLACK)
    engine.pace = pace
    return engine


def seconds_of(act: Callable[[], object]) -> float:
    started = time.monotonic()
    act()
    return time.monotonic() - started


@contextmanager
def soon(act: Callable[[], object]) -> Iterator[None]:
    """`act` is called from another thread after WAIT."""
    timer = threading.Timer(WAIT, act)
    timer.start()
    yield
    timer.join()


def test_the_engine_waits_and_plays_the_same_move() -> None:
    at_once, slowly = engine_with(None), engine_with(Pace(shortest=5 * WAIT, longest=5 * WAIT))
    moves: list[int] = []
    assert seconds_of(lambda: moves.append(slowly.genmove(WHITE))) >= 5 * WAIT
    assert moves == [at_once.genmove(WHITE)]


def test_an_interrupt_ends_the_wait_and_no_later_one() -> None:
    engine = engine_with(Pace(shortest=60.0, longest=60.0))
    cancelled = threading.Event()
    with soon(cancelled.set):
        assert seconds_of(lambda: engine.genmove(WHITE, cancelled=cancelled)) < 30.0
    engine.pace = Pace(shortest=5 * WAIT, longest=5 * WAIT)
    assert seconds_of(lambda: engine.genmove(BLACK)) >= 5 * WAIT


def test_the_clock_ends_the_wait() -> None:
    engine = engine_with(Pace(shortest=60.0, longest=60.0))
    engine.clock.set_absolute(20.0)
    assert seconds_of(lambda: engine.genmove(WHITE)) < 5.0


def test_a_regression_and_full_strength_do_not_wait() -> None:
    engine = engine_with(Pace(shortest=60.0, longest=60.0))
    assert seconds_of(lambda: engine.reg_genmove(WHITE)) < 30.0
    strong = Engine(SearchParams(seed=1, memory=16, playouts=10), size=9)
    strong.pace = Pace(shortest=60.0, longest=60.0)
    assert seconds_of(lambda: strong.genmove(BLACK)) < 30.0


def test_it_is_switched_over_gtp(gtp: Client) -> None:
    assert gtp.ok("human_time") == "off"
    gtp.ok("human_time on")
    assert gtp.ok("human_time") == "on"
    gtp.ok("rank 12k")
    assert gtp.ok("human_time") == "on"
    assert gtp.fails("human_time perhaps") == "syntax error: human_time on or off"
    gtp.ok("human_time off")
    assert gtp.ok("human_time") == "off"


@pytest.mark.parametrize(("words", "waits"), [(["--rank", "12k"], False), (["--rank", "12k", "--human-time"], True)])
def test_the_option_gives_the_engine_a_pace(words: list[str], waits: bool) -> None:
    args = make_parser(["gtp"]).parse_args(["gtp", *words])
    assert (build_engine(configuration_of(args)).pace is not None) == waits


def test_the_option_alone_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--human-time"])
    assert "--human-time is for players of a rank: name one with --rank or --human-rank" in capsys.readouterr().err
