"""Long self-play that looks for anything that goes wrong slowly: damaged positions, illegal moves, games without a score, lost memory.

Exit status: 0 all is well, 1 a violation (told on stdout with the game's record), 130 after Ctrl-C.
"""

import argparse
import os
import random
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from gtp_engine.engine.player.engine import Engine, EngineError
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import RESIGN, to_vertex
from gtp_engine.go.rules import RULE_SETS

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kernels_consistency import FAULTS, SOUND, check

SIZES = range(5, 10)
MOST_PLAYOUTS = 16  # a move gets 1 .. 16
MOST_MOVES = 6  # times the points of the board: no sensible game is longer
REPORT_EVERY = 100  # games
SETTLED_AFTER = 100  # games; what the process holds then is what it should hold later
GROWTH_MB = 8.0  # more than this on top is a leak
KOMI = 7.5

EXAMPLES = """examples:
  .venv/bin/python tests/tools/selfplay.py                             10,000 games: hours
  .venv/bin/python tests/tools/selfplay.py --games 300                 a quick look
  .venv/bin/python tests/tools/selfplay.py --games 5000 --seed 5001    the second half, for a second processor
  .venv/bin/python tests/tools/selfplay.py --games 1 --seed 4711       the game that a report named, again
"""


class ViolationError(Exception):
    """Something that must never happen."""


@dataclass
class Tally:
    """What was done so far."""

    games: int = 0
    moves: int = 0
    resigned: int = 0
    settled_mb: float = 0.0  # resident memory after SETTLED_AFTER games
    most_mb: float = 0.0  # the most seen at a report since


def main() -> int:
    """Play as the command line says."""
    args = parse_arguments()
    tally, started, status = Tally(), time.monotonic(), 0
    engine = Engine(SearchParams(playouts=1, seed=args.seed, memory=16, threads=1), komi=KOMI)
    try:
        for number in range(args.games):
            play_game(engine, args.seed + number, tally)
            if tally.games % REPORT_EVERY == 0:
                watch_memory(tally)
                print(progress(tally, args.games, time.monotonic() - started), flush=True)
    except ViolationError as violation:
        print(f"VIOLATION in the game with --seed {args.seed + tally.games}: {violation}\n{engine.state.sgf()}")
        status = 1
    except KeyboardInterrupt:
        print("interrupted")
        status = 130
    print(summary(tally, time.monotonic() - started))
    return status


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Fast self-play on 5x5 to 9x9 under all rule sets, everything checked.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=positive, default=10_000, metavar="N", help="how many games (default: 10000)")
    parser.add_argument("--seed", type=positive, default=1, metavar="N", help="of the first game; the next ones count up (default: 1)")
    return parser.parse_args()


def positive(text: str) -> int:
    """A whole number above zero."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def play_game(engine: Engine, seed: int, tally: Tally) -> None:
    """One game, set up by its seed alone. Raises ViolationError."""
    dice = random.Random(seed)
    engine.set_params(replace(engine.params, playouts=dice.randint(1, MOST_PLAYOUTS), seed=seed, resign=dice.random() < 0.5))
    engine.state.set_rules(list(RULE_SETS.values())[seed % len(RULE_SETS)])
    engine.state.set_board_size(dice.choice(SIZES))
    while engine.game.passes() < 2:
        if len(engine.game.moves) > MOST_MOVES * engine.game.size**2:
            raise ViolationError("the game does not end")
        tally.moves += 1
        if play_move(engine) == RESIGN:
            tally.resigned += 1
            break
    check_score(engine)
    tally.games += 1


def play_move(engine: Engine) -> int:
    """One checked move of the engine for the player whose turn it is. Raises ViolationError."""
    before = engine.game.copy()
    color = before.to_play
    point = engine.genmove(color)
    if point == RESIGN:
        if engine.game.moves != before.moves:
            raise ViolationError("resigning played a move")
        return point
    if not before.is_legal(color, point):
        raise ViolationError(f"{to_vertex(point)} is illegal: {before.why_illegal(color, point) or 'superko'}")
    if engine.game.moves != [*before.moves, (color, point)]:
        raise ViolationError(f"{to_vertex(point)} was answered, and something else played")
    fault = int(check(engine.game.positions, 0))
    if fault != SOUND:
        raise ViolationError(f"the position is damaged: {FAULTS[fault]}")
    return point


def check_score(engine: Engine) -> None:
    """The finished game has a score that can be. Raises ViolationError."""
    try:
        score = engine.score()
    except EngineError as error:
        raise ViolationError(f"no score: {error}") from error
    most = 3 * engine.game.size**2 + engine.state.white_points()  # territory, prisoners and komi
    if not -most <= score <= most:
        raise ViolationError(f"a score of {score}")


def watch_memory(tally: Tally) -> None:
    """Remember what the process holds; raises ViolationError when it keeps growing."""
    now = resident_mb()
    if tally.games <= SETTLED_AFTER:
        tally.settled_mb = now
    tally.most_mb = max(now, tally.most_mb if tally.games > SETTLED_AFTER else 0.0)
    if now > tally.settled_mb + GROWTH_MB:
        raise ViolationError(f"memory has grown from {tally.settled_mb:.1f} to {now:.1f} MB")


def resident_mb() -> float:
    """Memory of this process in the machine now; where the system can't tell, the most that it ever was."""
    statistics = Path("/proc/self/statm")
    if statistics.exists():
        return int(statistics.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    import resource  # not on Windows, where there is no such figure in the standard library

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def progress(tally: Tally, games: int, seconds: float) -> str:
    """A line with the time left."""
    left = seconds / tally.games * (games - tally.games)
    return f"{tally.games:>6} games  {tally.moves:>8} moves  {resident_mb():>7.1f} MB  {left / 60:>6.1f} minutes left"


def summary(tally: Tally, seconds: float) -> str:
    """What was done."""
    memory = (
        f", memory {tally.settled_mb:.1f} MB after {SETTLED_AFTER} games, {tally.most_mb:.1f} MB at most later" if tally.most_mb else ""
    )
    return f"{tally.games} games ({tally.resigned} resigned), {tally.moves} moves in {seconds / 60:.1f} minutes{memory}"


if __name__ == "__main__":
    sys.exit(main())
