"""Positions a second through `gtp-engine analysis`, against the same searches over GTP, in turns so that both have the same machine.

Both programs stay open. A round is the same positions first here, then there; the figure is the median of the rounds' ratios. Over GTP
each position is a board cleared, its moves played, and `kata-search`: a tree of its own, as in the analysis.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time

from gtp_process import GtpProcess

COLUMNS = "ABCDEFGHJKLMNOPQRST"
ENGINE = [sys.executable, "-P", "-m", "gtp_engine"]
KATRAIN = {"includePolicy": True, "includeOwnership": True, "includeMovesOwnership": True}

Game = list[tuple[str, str]]


def random_games(count: int, moves: int, size: int, seed: int) -> list[Game]:
    """Games of moves at random points far from the edge, each point once: legal, and as good as any to search."""
    drawn = random.Random(seed)
    points = [f"{column}{row}" for column in COLUMNS[1 : size - 1] for row in range(2, size)]
    return [[("BW"[number % 2], vertex) for number, vertex in enumerate(drawn.sample(points, moves))] for _ in range(count)]


class Analysis:
    """The analysis engine behind pipes."""

    def __init__(self, options: list[str]) -> None:
        self.process = subprocess.Popen(
            [*ENGINE, "analysis", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def seconds(self, games: list[Game], size: int, visits: int, more: dict[str, object]) -> float:
        """How long the ends of these games take together."""
        assert self.process.stdin is not None and self.process.stdout is not None
        started = time.monotonic()
        for number, game in enumerate(games):
            query = {"id": str(number), "moves": game, "rules": "chinese", "komi": 7.5, "boardXSize": size, "boardYSize": size}
            self.process.stdin.write(json.dumps(query | {"maxVisits": visits} | more) + "\n")
        self.process.stdin.flush()
        for _ in games:
            message = json.loads(self.process.stdout.readline())
            if "error" in message or message["rootInfo"]["visits"] < visits:
                raise SystemExit(f"no result: {message}")
        return time.monotonic() - started


def gtp_seconds(engine: GtpProcess, games: list[Game]) -> float:
    """The same over GTP."""
    started = time.monotonic()
    for game in games:
        engine.ask("clear_board")
        for color, vertex in game:
            engine.ask(f"play {color} {vertex}")
        engine.ask(f"kata-search {'BW'[len(game) % 2]}")
    return time.monotonic() - started


def main() -> int:
    """Measure, print a line for each round, and the median. Exit status 1 when it is below --least."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=19, help="lines of the board (default: %(default)s)")
    parser.add_argument("--visits", type=int, default=200, help="for each position (default: %(default)s)")
    parser.add_argument("--positions", type=int, default=8, help="in a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="(default: %(default)s)")
    parser.add_argument("--katrain", action="store_true", help="ask for policy and ownership, as KaTrain does")
    parser.add_argument("--least", type=float, default=0.95, help="smallest ratio that is good enough (default: %(default)s)")
    parser.add_argument("options", nargs="*", help="options of the analysis engine, behind --: for example -- --positions 1")
    arguments = parser.parse_args()
    moves = min(20, (arguments.size - 2) ** 2 // 3)
    analysis = Analysis(arguments.options)
    ratios = []
    with GtpProcess([*ENGINE, "gtp", "--playouts", str(arguments.visits), "--no-resign"]) as gtp:
        gtp.ask(f"boardsize {arguments.size}")
        for number in range(arguments.rounds + 1):
            games = random_games(arguments.positions, moves, arguments.size, number)
            here = analysis.seconds(games, arguments.size, arguments.visits, dict(KATRAIN) if arguments.katrain else {})
            there = gtp_seconds(gtp, games)
            if number == 0:
                continue  # both have loaded everything now
            ratios.append(there / here)
            count = arguments.positions
            print(f"analysis {count / here:.2f} positions/s, GTP {count / there:.2f}, ratio {ratios[-1]:.3f}", flush=True)
    analysis.process.kill()
    print(f"median ratio {statistics.median(ratios):.3f}")
    return int(statistics.median(ratios) < arguments.least)


if __name__ == "__main__":
    sys.exit(main())
