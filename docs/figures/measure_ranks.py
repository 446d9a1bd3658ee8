"""Measure how often players of one rank win against players of another, on 9x9: games of `--rank` players in this process.

.venv/bin/python docs/figures/measure_ranks.py --games 100 7k:15k 1d:7k
.venv/bin/python docs/figures/measure_ranks.py --games 100 --sharpness 1 7k:15k   the same, drawn by the chances as they are

Prints a line for each pair: wins of the first, games, the share with its interval of 95 %, and milliseconds a move. The same seed gives the
same games.
"""

import argparse
import math
import time

from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, opponent
from gtp_engine.player.engine import Engine
from gtp_engine.player.ranks.chooser import RankChooser
from gtp_engine.rank_names import read_rank
from gtp_engine.search.params import SearchParams

KOMI = 5.5  # that of nearly all games the ranks were learned from
LONGEST = 250  # moves


def new_player(rank: str, sharpness: float | None, seed: int) -> Engine:
    """An engine of that rank on 9x9; `sharpness`: None: what the rank's table says."""
    chooser = RankChooser(read_rank(rank))
    if sharpness is not None:
        chooser.sharpness = sharpness
    return Engine(SearchParams(seed=seed, memory=16), komi=KOMI, size=9, chooser=chooser)


def play(players: dict[int, Engine]) -> tuple[int, int]:
    """One game; the winner's color and the number of moves."""
    color, passes = BLACK, 0
    for number in range(LONGEST):
        point = players[color].genmove(color)
        if point == RESIGN:
            return opponent(color), number
        players[opponent(color)].game.play(color, point)
        passes = passes + 1 if point == PASS else 0
        if passes == 2:
            break
        color = opponent(color)
    return (BLACK if players[BLACK].score() > 0 else WHITE), number + 1


def interval(won: int, games: int) -> tuple[float, float]:
    """Wilson's interval of 95 % of a share."""
    z, share = 1.96, won / games
    middle, scale = share + z * z / (2 * games), 1 + z * z / games
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / scale, (middle + half) / scale


def measure(first: str, second: str, args: argparse.Namespace) -> str:
    """All games of a pair, colors in turn, as a line."""
    won, moves, started = 0, 0, time.monotonic()
    for number in range(args.games):
        ours, theirs = (new_player(rank, args.sharpness, args.seed + 2 * number + i) for i, rank in enumerate((first, second)))
        color = BLACK if number % 2 == 0 else WHITE
        winner, length = play({color: ours, opponent(color): theirs})
        won, moves = won + (winner == color), moves + length
    low, high = interval(won, args.games)
    pace = 1000 * (time.monotonic() - started) / moves
    return f"{first} - {second}: {won} of {args.games}, {won / args.games:.0%} [{low:.0%} .. {high:.0%}], {pace:.0f} ms a move"


def main() -> None:
    """Play every pair asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="+", metavar="RANK:RANK")
    parser.add_argument("--games", type=int, default=100, help="for each pair (default: %(default)s)")
    parser.add_argument("--sharpness", type=float, help="exponent of the chances, for every rank (default: as its table says)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default: %(default)s)")
    args = parser.parse_args()
    for first, second in (pair.split(":") for pair in args.pairs):
        print(measure(first, second, args), flush=True)


if __name__ == "__main__":
    main()
