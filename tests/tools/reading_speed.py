"""How much does reading slow down the search? Simulations within the same time, with reading and without.

.venv/bin/python tests/tools/reading_speed.py match/games/*.sgf --from-move 130 --seconds 0.4

Both engines follow each game and search every --every-th position for --seconds by the clock, in turn, the tree kept in between as in a
game: as it is, and with `--set reading_share=0`. Printed for each
game and for all are the simulations of both and by how much those of the first are fewer, at last with the interval of 95 % that comes
of the games' differences.
One thread; nothing else should run on the machine.
"""

import argparse
import math
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, stdev

from gtp_engine.base.wilson import SIGMAS_95
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.sgf import load

PARAMS = SearchParams(threads=1, memory=256, seed=1)
WITHOUT = replace(PARAMS, reading_share=0.0)


@dataclass(frozen=True)
class Counts:
    """Simulations in the same positions of one game."""

    positions: int
    reading: int
    without: int

    @property
    def slowdown(self) -> float:
        """By what share those with reading are fewer."""
        return 1.0 - self.reading / self.without


def main() -> None:
    """Follow the games and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--from-move", type=int, default=0, metavar="N", help="positions before this move are passed over (default: 0)")
    parser.add_argument("--to-move", type=int, default=1_000, metavar="N", help="and those from this move on (default: %(default)s)")
    parser.add_argument(
        "--every", type=int, default=2, metavar="MOVES", help="from one position to the next (default: 2, as a player does)"
    )
    parser.add_argument("--seconds", type=float, default=0.4, help="for each search (default: %(default)s)")
    args = parser.parse_args()
    found = []
    for path in args.records:
        counts = follow(path, range(args.from_move, args.to_move, args.every), args.seconds)
        if counts.positions:
            found.append(counts)
            print(f"{path}: {counts.positions} positions, {describe(counts)}", flush=True)
    if not found:
        raise SystemExit("no game is so long")
    whole = Counts(*(sum(getattr(each, name) for each in found) for name in ("positions", "reading", "without")))
    print(f"{len(found)} games, {whole.positions} positions: {describe(whole)}{interval([each.slowdown for each in found])}")


def describe(counts: Counts) -> str:
    """The counts in words."""
    return f"{counts.reading} simulations with reading, {counts.without} without: {counts.slowdown:.1%} fewer"


def interval(slowdowns: list[float]) -> str:
    """The interval around the mean of the games, as an addition to a line."""
    if len(slowdowns) < 2:
        return ""
    center, spread = mean(slowdowns), SIGMAS_95 * stdev(slowdowns) / math.sqrt(len(slowdowns))
    return f" [{center - spread:.1%} .. {center + spread:.1%}]"


def follow(path: Path, numbers: range, seconds: float) -> Counts:
    """Search the game's positions after so many moves with both engines, one after the other, each first in half of the positions."""
    record = load(path)
    engines = [Engine(params, komi=record.komi, size=record.game.size) for params in (PARAMS, WITHOUT)]
    simulations = [0, 0]
    for engine in engines:
        engine.warm_up()
        engine.game.set_up(record.game.setup_stones, record.game.moves[0][0] if record.game.moves else record.game.to_play)
    positions = 0
    for number, (color, point) in enumerate(record.game.moves):
        if number in numbers:
            positions += 1
            for which in (0, 1) if positions % 2 else (1, 0):
                result = engines[which].examine(color, Limits(seconds=seconds, early_stop=False))
                simulations[which] += result.new_simulations
        for engine in engines:
            engine.game.play(color, point)
    return Counts(positions, *simulations)


if __name__ == "__main__":
    main()
