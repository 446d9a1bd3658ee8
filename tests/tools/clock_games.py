"""Fast games on the clock against a random player while other processes load the machine: does the engine ever lose on time?

The referee here keeps the clocks: a move takes from the moment its genmove is written to the pipe until the answer has been read.
Exit status: 0 nobody lost on time, 1 the engine did, or died, 130 after Ctrl-C.
"""

import argparse
import contextlib
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from gtp_process import GtpProcess, GtpProcessError

SIZE = 9
MOST_MOVES = 3 * SIZE * SIZE  # a game that is longer is ended: it has shown what it can about the clock
CHANGED_AT = 12  # moves of each player, after which a game's clock is changed
COMPILING = 600.0  # seconds that a first start may take
SCRIPTS = Path(__file__).resolve().parent

EXAMPLES = """examples:
  .venv/bin/python tests/tools/clock_games.py                        50 games under each time system: over an hour
  .venv/bin/python tests/tools/clock_games.py --games 2 --load 0     a quick look on a quiet machine
  .venv/bin/python tests/tools/clock_games.py --system byoyomi       one time system only
  .venv/bin/python tests/tools/clock_games.py --engine "gnugo --mode gtp"
"""


@dataclass
class RefereeClock:
    """The engine's time in one game, as a server would count it."""

    main: float
    period: float = 0.0  # byo-yomi: length of a period; Fischer: the increment
    periods: int = 0  # byo-yomi: left, the current one included; 0: no byo-yomi
    stones: int = 0  # Canadian: moves in each period; 0: not Canadian
    moves: int = 0  # Canadian: still to be made in this period
    left_of_period: float = 0.0  # Canadian

    def spend(self, seconds: float) -> bool:
        """Take a move's time off; False when the game is lost by it."""
        if self.stones:
            return self._spend_canadian(seconds)
        if self.periods == 0:
            self.main -= seconds
            if self.main < 0:
                return False
            self.main += self.period
            return True
        over = max(seconds - self.main, 0.0)
        self.main = max(self.main - seconds, 0.0)
        self.periods -= math.ceil(over / self.period) - 1 if over > 0 else 0
        return self.periods > 0

    def _spend_canadian(self, seconds: float) -> bool:
        """A number of moves within each period after the main time."""
        if self.main > 0:
            self.main -= seconds
            if self.main > 0:
                return True
            seconds, self.main = -self.main, 0.0
            self.moves, self.left_of_period = self.stones, self.period
        self.left_of_period -= seconds
        self.moves -= 1
        in_time = self.left_of_period >= 0
        if self.moves == 0:
            self.moves, self.left_of_period = self.stones, self.period
        return in_time

    def left(self) -> str:
        """The arguments of time_left: seconds and periods, or moves."""
        if self.stones and self.main <= 0:
            return f"{self.left_of_period:.2f} {self.moves}"
        return f"{self.period:.2f} {self.periods}" if self.periods and self.main <= 0 else f"{self.main:.2f} 0"


@dataclass(frozen=True)
class TimeSystem:
    """How the games of one kind are timed."""

    setting: str  # the command that tells the engine
    text: str  # for people
    clock: Callable[[], RefereeClock]


SYSTEMS = {
    "fischer": TimeSystem("kata-time_settings fischer 5 0.2", "5 s + 0.2 s a move", lambda: RefereeClock(5.0, 0.2)),
    "absolute": TimeSystem("time_settings 10 0 0", "10 s", lambda: RefereeClock(10.0)),
    "canadian": TimeSystem("time_settings 2 3 5", "2 s, then 5 moves in 3 s each", lambda: RefereeClock(2.0, 3.0, stones=5)),
    "byoyomi": TimeSystem("kgs-time_settings byoyomi 0 1 3", "3 periods of 1 s", lambda: RefereeClock(0.0, 1.0, 3)),
}


@dataclass
class Tally:
    """What happened under one time system."""

    games: int = 0
    moves: int = 0
    lost: int = 0
    slowest: float = 0.0  # seconds of one move
    least_left: float = math.inf  # seconds at the end of a game; not for byo-yomi
    periods_used: int = 0  # of byo-yomi, in all games
    failures: list[str] = field(default_factory=list)  # of the engine: died, answered with an error

    def add(self, other: "Tally") -> None:
        """Count what happened in other games of the same kind, too."""
        for name in ("games", "moves", "lost", "periods_used"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.slowest, self.least_left = max(self.slowest, other.slowest), min(self.least_left, other.least_left)
        self.failures += other.failures


def main() -> int:
    """Play as the command line says."""
    args = parse_arguments()
    with GtpProcess(args.engine.split()) as engine:
        engine.ask("genmove black", COMPILING)  # so that nothing is compiled when it counts
    load = [multiprocessing.Process(target=spin, daemon=True) for _ in range(args.load)]
    for process in load:
        process.start()
    tallies: dict[str, Tally] = {}
    status = 0
    try:
        for name in [args.system] if args.system else SYSTEMS:
            tallies[name] = Tally()
            play_games(name, tallies[name], args)
    except KeyboardInterrupt:
        status = 130
    finally:
        for process in load:
            process.terminate()
    for name, tally in tallies.items():
        print(summary(name, tally))
    return status or int(any(tally.lost or tally.failures for tally in tallies.values()))


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Fast 9x9 games on the clock on a loaded machine.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=50, metavar="N", help="games under each time system (default: 50)")
    parser.add_argument("--system", choices=SYSTEMS, help="only this one (default: all)")
    parser.add_argument(
        "--load", type=int, default=os.cpu_count() or 1, metavar="N", help="busy processes beside (default: one a processor)"
    )
    parser.add_argument("--engine", default=f"{sys.executable} -P -m gtp_engine gtp --no-resign", metavar="COMMAND", help="what is tested")
    parser.add_argument("--no-time-left", action="store_true", help="never tell the engine what it has left: it must count for itself")
    return parser.parse_args()


def spin() -> None:
    """Keep a processor busy until ended."""
    while True:
        pass


def play_games(name: str, tally: Tally, args: argparse.Namespace) -> None:
    """All games of one time system, with a line for each on stdout."""
    with GtpProcess(args.engine.split()) as engine, GtpProcess([sys.executable, str(SCRIPTS / "random_player.py")]) as opponent:
        engine.ask("genmove black")  # loads the kernels, which is not what is timed here
        for number in range(args.games):
            try:
                play_game(name, number, tally, engine, opponent, not args.no_time_left)
            except GtpProcessError as error:
                tally.failures.append(f"game {number + 1}: {error}")
                print(f"{name}: FAILURE in {tally.failures[-1]}", flush=True)
                return
            print(f"{name}: {number + 1} of {args.games} games, {tally.lost} lost on time, slowest move {tally.slowest:.2f} s", flush=True)


def play_game(name: str, number: int, tally: Tally, engine: GtpProcess, opponent: GtpProcess, tells_time: bool) -> None:
    """One game; the engine is Black in every other one, and in half of them the clock is changed. Raises GtpProcessError."""
    system = SYSTEMS[name]
    for player in (engine, opponent):
        for line in (f"boardsize {SIZE}", "clear_board", "komi 7.5"):
            player.ask(line)
    engine.ask(system.setting)
    clock, passes = system.clock(), 0
    tally.games += 1
    for move in range(MOST_MOVES):
        color = ("black", "white")[move % 2]
        if move % 2 == number % 2:
            if move // 2 == CHANGED_AT and number // 2 % 2:
                system = SYSTEMS["absolute" if name != "absolute" else "byoyomi"]
                clock = system.clock()
                engine.ask(system.setting)
            if tells_time:
                engine.ask(f"time_left {color} {clock.left()}")
            before, periods, waited = time.monotonic(), clock.periods, seconds_waited(engine.process.pid)
            vertex = engine.ask(f"genmove {color}")
            took = time.monotonic() - before
            tally.moves += 1
            tally.slowest = max(tally.slowest, took)
            in_time = clock.spend(took)
            tally.periods_used += max(periods - clock.periods, 0)
            if not in_time:
                tally.lost += 1
                waited = seconds_waited(engine.process.pid) - waited
                print(f"LOST ON TIME: {name}, game {number + 1}, move {move + 1} took {took:.3f} s, waited {waited:.3f} s", flush=True)
                return
            opponent.ask(f"play {color} {vertex}")
        else:
            vertex = opponent.ask(f"genmove {color}")
            engine.ask(f"play {color} {vertex}")
        passes = passes + 1 if vertex.lower() == "pass" else 0
        if passes == 2:
            break
    if clock.periods == 0:
        tally.least_left = min(tally.least_left, clock.main)


def seconds_waited(process: int) -> float:
    """How long the threads of a process, together, have waited for a processor that others had. 0.0 where that isn't told."""
    nanoseconds = 0
    for place in Path(f"/proc/{process}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):
            nanoseconds += int(place.read_text(encoding="ascii").split()[1])
    return nanoseconds / 1e9


def summary(name: str, tally: Tally) -> str:
    """A line for people."""
    left = f", least time left {tally.least_left:.2f} s" if tally.least_left < math.inf else f", {tally.periods_used} periods used up"
    text = f"{name} ({SYSTEMS[name].text}): {tally.games} games, {tally.moves} moves, {tally.lost} lost on time"
    return f"{text}, slowest move {tally.slowest:.2f} s{left}" + "".join(f"\n  {failure}" for failure in tally.failures)


if __name__ == "__main__":
    sys.exit(main())
