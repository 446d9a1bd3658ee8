"""Measure how often players of one rank win against players of another, on 9x9: games of `--rank` players in this process.

.venv/bin/python docs/figures/measure_ranks.py --games 100 7k:15k 1d:7k
.venv/bin/python docs/figures/measure_ranks.py --games 100 --against "gnugo --mode gtp --level 10 --chinese-rules" 15k 8k 1d
.venv/bin/python docs/figures/measure_ranks.py --games 100 --sharpness 1 --care 0 7k:15k   drawn by the chances as they are

Prints a line for each pair: wins of the first, games, the share with its interval of 95 %, and milliseconds a move. The same seed gives the
same games, if a program they are played against plays the same moves. Games are over after two passes or 250 moves; we count them.
"""

import argparse
import math
import shlex
import time
from contextlib import ExitStack
from typing import Protocol

from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, from_vertex, opponent, to_color_name, to_vertex
from gtp_engine.match.client import EngineClient
from gtp_engine.player.engine import Engine
from gtp_engine.player.ranks.chooser import RankChooser
from gtp_engine.player.ranks.table import Strength
from gtp_engine.rank_names import read_rank
from gtp_engine.search.params import SearchParams

KOMI = 5.5  # that of nearly all games the ranks were learned from
LONGEST = 250  # moves
SIZE = 9
PATIENCE = 60.0  # seconds for a program's answer


class Player(Protocol):
    """One of the two."""

    def genmove(self, color: int) -> int:
        """Its move."""
        ...

    def play(self, color: int, point: int) -> None:
        """The other's move."""
        ...


class Ranked:
    """A `--rank` player."""

    def __init__(self, rank: str, args: argparse.Namespace, seed: int) -> None:
        chooser = RankChooser(read_rank(rank))
        usual = chooser.strength
        chooser.strength = Strength(
            usual.sharpness if args.sharpness is None else args.sharpness, usual.care if args.care is None else args.care
        )
        self.engine = Engine(SearchParams(seed=seed, memory=16), komi=KOMI, size=SIZE, chooser=chooser)
        self.genmove = self.engine.genmove
        self.play = self.engine.game.play

    def is_won_by_black(self) -> bool:
        """Who has won the finished game?"""
        return self.engine.score() > 0


class Program:
    """A program that speaks GTP."""

    def __init__(self, client: EngineClient) -> None:
        self.client = client
        for line in (f"boardsize {SIZE}", "clear_board", f"komi {KOMI}"):
            client.ask(line, PATIENCE)

    def genmove(self, color: int) -> int:
        """See Player."""
        text = self.client.ask(f"genmove {to_color_name(color)}", PATIENCE)
        return RESIGN if text.lower() == "resign" else from_vertex(text, SIZE)

    def play(self, color: int, point: int) -> None:
        """See Player."""
        self.client.ask(f"play {to_color_name(color)} {to_vertex(point)}", PATIENCE)


def play(ours: Ranked, theirs: Player, color: int) -> tuple[bool, int]:
    """One game with ours as `color`: has it won, and the number of moves."""
    players: dict[int, Player] = {color: ours, opponent(color): theirs}
    to_play, passes = BLACK, 0
    for number in range(LONGEST):
        point = players[to_play].genmove(to_play)
        if point == RESIGN:
            return to_play != color, number
        players[opponent(to_play)].play(to_play, point)
        passes = passes + 1 if point == PASS else 0
        if passes == 2:
            break
        to_play = opponent(to_play)
    return ours.is_won_by_black() == (color == BLACK), number + 1


def interval(won: int, games: int) -> tuple[float, float]:
    """Wilson's interval of 95 % of a share."""
    z, share = 1.96, won / games
    middle, scale = share + z * z / (2 * games), 1 + z * z / games
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / scale, (middle + half) / scale


def measure(first: str, second: str, args: argparse.Namespace, client: EngineClient | None) -> str:
    """All games of a pair, colors in turn, as a line. `second`: a rank, without a client."""
    won, moves, started = 0, 0, time.monotonic()
    for number in range(args.games):
        ours, seed = Ranked(first, args, args.seed + 2 * number), args.seed + 2 * number + 1
        theirs = Program(client) if client else Ranked(second, args, seed)
        has_won, length = play(ours, theirs, BLACK if number % 2 == 0 else WHITE)
        won, moves = won + has_won, moves + length
    low, high = interval(won, args.games)
    pace = 1000 * (time.monotonic() - started) / moves
    return f"{first} - {second}: {won} of {args.games}, {won / args.games:.0%} [{low:.0%} .. {high:.0%}], {pace:.0f} ms a move"


def main() -> None:
    """Play every pair asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="+", metavar="RANK[:RANK]")
    parser.add_argument("--against", metavar="COMMAND", help="a GTP engine that each rank plays against")
    parser.add_argument("--games", type=int, default=100, help="for each pair (default: %(default)s)")
    parser.add_argument("--sharpness", type=float, help="exponent of the chances, for every rank (default: as its table says)")
    parser.add_argument("--care", type=float, help="see Strength, for every rank (default: as its table says)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default: %(default)s)")
    args = parser.parse_args()
    with ExitStack() as stack:
        client = stack.enter_context(EngineClient(shlex.split(args.against))) if args.against else None
        for pair in args.pairs:
            first, _, second = pair.partition(":")
            print(measure(first, second or "it", args, client), flush=True)


if __name__ == "__main__":
    main()
