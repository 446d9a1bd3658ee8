"""Measure how often players of one rank win against players of another, or against a program, on 9x9 or --size.

.venv/bin/python docs/figures/measure_ranks.py --output games/ranks --games 100 7k:15k 1d:7k
.venv/bin/python docs/figures/measure_ranks.py --output games/ranks --games 20 --apart 1 2 4 8
.venv/bin/python docs/figures/measure_ranks.py --output games/gnu --games 60 --against "gnugo --mode gtp --level 10 --chinese-rules" 15k 1d
.venv/bin/python docs/figures/measure_ranks.py --output games/gnu19 --games 20 --size 19 --handicap 6 --against "gnugo --mode gtp" 8k

Every game is a job (--jobs N at a time) and stays in the folder: the same command goes on where it ended, more games are added to those
that are there. What a rank is made of (engine/player/ranks/table.py) is part of a game's name: after a change there, the games of those
ranks are played anew and all others stay. Prints the wins of the first, the games, the share with its interval of 95 %, and milliseconds a
move; with --apart also all pairs of one distance together, how much a rank is worth, and each rank beside the one two above, in one rating
of all.
The same seed gives the same games, unless a program plays otherwise. Games are over after two passes or 250 moves, on larger boards more;
we count them.
"""

import argparse
import math
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

FIGURES = Path(__file__).resolve().parent
sys.path[:0] = [str(FIGURES), str(FIGURES.parent.parent)]

from rank_games import DEFAULT, KOMI, SIZE, RankedPlayer, Setting, most_moves  # noqa: E402

from gtp_engine.base.jobs.append_only import StoreError  # noqa: E402
from gtp_engine.base.jobs.job import JobDescription, JobResult  # noqa: E402
from gtp_engine.base.jobs.local import LocalRunner  # noqa: E402
from gtp_engine.base.jobs.run import run_missing  # noqa: E402
from gtp_engine.base.jobs.store import JobStore  # noqa: E402
from gtp_engine.base.wilson import SIGMAS_95, wilson_interval  # noqa: E402
from gtp_engine.engine.player.ranks.table import strength_of  # noqa: E402
from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, rank_text, read_rank  # noqa: E402
from gtp_engine.tools.match.elo import Tally  # noqa: E402
from gtp_engine.tools.match.rating import rate  # noqa: E402

STEP = 2  # ranks over which each rank is compared with a stronger one
PRIOR_GAMES = 0.1  # of each rank against all: nearly none, or they would draw the ends of the scale together


@dataclass(frozen=True)
class Pair:
    """Two who play each other."""

    first: RankedPlayer
    second: RankedPlayer | str  # or a program's command
    setting: Setting = DEFAULT

    def key(self, number: int) -> str:
        """Of a game."""
        stones = f" +{self.setting.handicap}" if self.setting.handicap else ""
        return f"{self.first}{stones} - {self.second} #{number}"

    @property
    def names(self) -> tuple[str, str]:
        """As a table has them."""
        return self.first.rank, self.second if isinstance(self.second, str) else self.second.rank


def jobs_of(pairs: list[Pair], games: int, seed: int) -> Iterator[JobDescription]:
    """All pairs' first game, then all pairs' second one, and so on: whenever it ends, all are equally certain."""
    for number in range(games):
        for pair in pairs:
            own = zlib.crc32(f"{pair.names} {number}".encode())
            yield JobDescription(pair.key(number), "rank_games:RankGames", (pair.first, pair.second, number, pair.setting), seed + own)


@dataclass(frozen=True)
class Found:
    """What the games of a pair came to."""

    won: int = 0
    games: int = 0
    ms: float = 0.0  # of the first's moves, summed over the games

    def __add__(self, other: "Found") -> "Found":
        return Found(self.won + other.won, self.games + other.games, self.ms + other.ms)

    def __str__(self) -> str:
        low, high = wilson_interval(self.won / self.games, self.games)
        pace = self.ms / self.games
        return f"{self.won} of {self.games}, {self.won / self.games:.0%} [{low:.0%} .. {high:.0%}], {pace:.0f} ms a move"


def slope(distances: dict[int, Found]) -> tuple[float, float]:
    """By how much each rank apart moves the logarithm of the odds of a game, if all do alike, and its standard deviation."""
    value, curvature = 0.0, 1.0
    for _ in range(30):
        gradient = curvature = 0.0
        for apart, each in distances.items():
            chance = 1.0 / (1.0 + math.exp(-apart * value))
            gradient += apart * (each.won - each.games * chance)
            curvature += apart * apart * each.games * chance * (1.0 - chance)
        value += gradient / curvature
    return value, 1.0 / math.sqrt(curvature)


def found_in(store: JobStore, pairs: list[Pair], games: int) -> dict[Pair, Found]:
    """What the store holds of these pairs, those without a game left out."""
    results: dict[str, JobResult] = {result.key: result for result in store.results() if not result.error}
    found = {}
    for pair in pairs:
        played = [results[key].value for key in map(pair.key, range(games)) if key in results]
        if played:
            found[pair] = Found(sum(each["won"] for each in played), len(played), sum(each["ms"] for each in played))
    return found


def tell_distances(found: dict[Pair, Found]) -> None:
    """All pairs of a distance together, and the rating of all."""
    distances: dict[int, Found] = {}
    tallies: dict[tuple[str, str], Tally] = {}
    for pair, each in found.items():
        stronger, weaker = pair.names
        apart = read_rank(stronger) - read_rank(weaker)
        distances[apart] = distances.get(apart, Found()) + each
        tallies[stronger, weaker] = Tally(each.won, 0, each.games - each.won)
    for apart, each in sorted(distances.items()):
        print(f"{apart} apart: {each}")
    found_slope, error = slope(distances)
    print(f"each rank: {found_slope:.3f} +- {SIGMAS_95 * error:.3f} more on the logarithm of the odds; people: 0.22 to 0.25")
    names = [rank_text(rank) for rank in range(WEAKEST_LEARNED, STRONGEST_LEARNED + 1)]
    ratings = rate(names, tallies, prior_games=PRIOR_GAMES)
    for weaker, stronger in zip(names, names[STEP:], strict=False):
        difference, sigma = ratings.difference(stronger, weaker)
        print(f"{stronger} over {weaker}: {difference:+.0f} Elo, +- {SIGMAS_95 * sigma:.0f}")


def read_pairs(args: argparse.Namespace) -> list[Pair]:
    """The pairs that are asked for."""

    def player(rank: str) -> RankedPlayer:
        """With the strength of its table, but for what the options say."""
        usual = strength_of(read_rank(rank))
        given = {name: getattr(args, name) for name in ("sharpness", "care", "visits") if getattr(args, name) is not None}
        return RankedPlayer(rank, replace(usual, **given))

    setting = Setting(args.size, args.handicap)
    if args.against:
        return [Pair(player(rank), args.against, setting) for rank in args.pairs]
    pairs = [pair.partition(":")[::2] for pair in args.pairs]
    for apart in args.apart:
        pairs += [(rank_text(rank + apart), rank_text(rank)) for rank in range(WEAKEST_LEARNED, STRONGEST_LEARNED + 1 - apart)]
    return [Pair(player(first), player(second), setting) for first, second in pairs]


def main() -> None:
    """Play every pair asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="*", metavar="RANK[:RANK]")
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER", help="for the games; may hold some already")
    parser.add_argument("--against", metavar="COMMAND", help="a GTP engine that each rank plays against")
    parser.add_argument("--apart", nargs="+", type=int, default=[], metavar="RANKS", help="all pairs of ranks so far apart")
    parser.add_argument(
        "--size", type=int, choices=(9, 13, 19), default=SIZE, help="of the board, a folder for each (default: %(default)s)"
    )
    parser.add_argument(
        "--handicap", type=int, default=0, metavar="STONES", help="of each first player, who then has Black (default: %(default)s)"
    )
    parser.add_argument("--games", type=int, default=100, help="for each pair (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="play nothing: only tell what has been played")
    parser.add_argument("--jobs", type=int, default=1, help="games at once (default: %(default)s)")
    parser.add_argument("--sharpness", type=float, help="exponent of the chances, for every rank (default: as its table says)")
    parser.add_argument("--care", type=float, help="see Strength, for every rank (default: as its table says)")
    parser.add_argument("--visits", type=int, help="see Strength, for every rank (default: as its table says)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default: %(default)s)")
    args = parser.parse_args()
    pairs = read_pairs(args)
    try:
        store = JobStore(args.output / "games.log", {"size": args.size, "komi": KOMI, "longest": most_moves(args.size), "seed": args.seed})
    except StoreError as error:
        sys.exit(str(error))
    try:
        jobs = iter(()) if args.show else jobs_of(pairs, args.games, args.seed)
        with LocalRunner(args.jobs) as runner:
            for result in run_missing(jobs, args.games * len(pairs), runner, store):
                if result.error:
                    print(f"{result.key}: {result.error}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
    finally:
        found = found_in(store, pairs, args.games)
        store.close()
    for pair, each in found.items():
        print(f"{pair.names[0]} - {pair.names[1]}: {each}")
    if args.apart:
        tell_distances(found)


if __name__ == "__main__":
    main()
