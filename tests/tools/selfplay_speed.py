"""Self-play beside bare search: games in an hour of processor time, and what is spent beside the simulations.

    .venv/bin/python tests/tools/selfplay_speed.py [--games N] [--network FILE] [--size LINES]

Processor time, so that other work on the machine counts for little.
"""

import argparse
import time
from pathlib import Path

from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.loading import RANKS
from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.selfplay.params import SelfplayParams, fair_komi
from gtp_engine.learning.selfplay.play import SelfPlayer


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure self-play.")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--network", type=Path)
    args = parser.parse_args()
    path = args.network or RANKS
    assert path is not None
    player = SelfPlayer(format_of(path).load(path, SearchParams(threads=1)), SelfplayParams(size=args.size, komi=fair_komi(args.size)))
    player.play((0,))  # compiles
    inside = 0.0
    simulate = player.evaluator.simulate

    def timed(arrays: SearchArrays, thread: int, count: int) -> int:
        nonlocal inside
        start = time.process_time()
        done = simulate(arrays, thread, count)
        inside += time.process_time() - start
        return done

    player.evaluator.simulate = timed  # type: ignore[method-assign]
    began, evaluations, moves = time.process_time(), 0, 0
    for number in range(args.games):
        played = player.play((1, number))
        evaluations, moves = evaluations + played.evaluations, moves + len(played.moves)
    seconds = time.process_time() - began
    hourly = 3600 * args.games / seconds
    print(f"{args.games} games: {seconds / args.games:.2f} s each, {hourly:,.0f} in an hour, {moves / args.games:.1f} moves")
    print(f"{evaluations / seconds:,.0f} evaluations a second; {seconds / inside - 1:.0%} more time than the simulations alone")


if __name__ == "__main__":
    main()
