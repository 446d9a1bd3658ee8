"""How much win rate and lead do the moves that other settings choose gain, by the judgement of a longer search?

.venv/bin/python tests/tools/move_gain.py --positions 300 puct_exploration=0.5 puct_exploration=0.5,untried_reduction=0.1
.venv/bin/python tests/tools/move_gain.py --network g170-b6c96.bin.gz --visits 200 --judge 800 puct_spread=0
.venv/bin/python tests/tools/move_gain.py --judge 80 --judge-network b10c384h6nbttflrs.bin.gz puct_exploration=0.7

Positions come from games that the engine plays with itself by short searches. In each, the engine as it is and with each group of
settings chooses a move by --visits simulations, from an empty tree; where they differ, the position after each move is searched by --judge
simulations, by the engine as it is or with a stronger network. Printed are the mean gains over the engine as it is, with their standard
errors, and at how many positions the settings' move was another one. A judge of the same kind as what it judges misreads what that
misreads, and games have the last word.
"""

import argparse
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from gtp_engine.engine.config.values import read_value
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import NETWORK, SearchParams
from gtp_engine.engine.search.result import Candidate
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, board_points
from gtp_engine.interfaces.gtp.commands.parameters import PARAMETERS

RANDOM_MOVES, GAME_VISITS, DRAWN = 2, 40, 8  # at a game's beginning; for each move; positions of a game that are looked at
DECIDED = 0.03  # win rate at which a game is over
REPORT_EVERY = 20  # positions


def main() -> None:
    """Draw positions, search, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("settings", nargs="+", metavar="NAME=VALUE[,NAME=VALUE]")
    parser.add_argument("--network", default="", help="file; KataGo's or ours (default: the one that is included)")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.0)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--judge", type=int, default=800)
    parser.add_argument(
        "--judge-network", default="", help="file of the network that judges, in int8 if it is KataGo's (default: --network)"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    plain = SearchParams(network=args.network, threads=1, seed=1, memory=256)
    if args.network.endswith(".gz"):
        plain = replace(plain, evaluator=NETWORK)
    choosers = {"": Chooser(plain, args), **{text: Chooser(replace(plain, **settings_of(text)), args) for text in args.settings}}
    judge = choosers[""]
    if args.judge_network:
        judge = Chooser(replace(plain, network=args.judge_network, precision="int8", evaluator=NETWORK), args)
    gains: dict[str, list[Worth]] = {text: [] for text in args.settings}
    for number, game in enumerate(drawn_positions(Chooser(replace(plain, temperature=0.5), args), args), 1):
        moves = {text: chooser.choose(game, args.visits).point for text, chooser in choosers.items()}
        values = judged(game, set(moves.values()), judge, args.judge)
        for text, gained in gains.items():
            other, usual = values[moves[text]], values[moves[""]]
            gained.append(Worth(other.win_rate - usual.win_rate, other.lead - usual.lead))
        if number % REPORT_EVERY == 0 or number == args.positions:
            report(number, gains)


def settings_of(text: str) -> dict[str, Any]:
    """The parameters of NAME=VALUE,NAME=VALUE. Raises KeyError and ValueError."""
    pairs = (part.split("=", 1) for part in text.split(","))
    return {name: read_value(PARAMETERS[name], value) for name, value in pairs}


class Worth(NamedTuple):
    """Of a move, for the player to move."""

    win_rate: float
    lead: float  # points


class Chooser:
    """The engine with some settings, for positions that have nothing to do with one another."""

    def __init__(self, params: SearchParams, args: argparse.Namespace) -> None:
        self.engine = Engine(params, komi=args.komi, size=args.size)

    def choose(self, game: Game, visits: int) -> Candidate:
        """The move by a search of so many simulations from an empty tree."""
        self.engine.seed = 1  # forgets the tree and the answers
        self.engine.state.set_game(game.copy())
        return self.engine.examine(game.to_play, Limits(visits, early_stop=False)).best


def drawn_positions(player: Chooser, args: argparse.Namespace) -> Iterator[Game]:
    """`--positions` positions of games that `player` plays with itself."""
    dice, left = random.Random(args.seed), args.positions
    while left > 0:
        positions = positions_of_game(player, args.size, dice)
        drawn = dice.sample(positions, min(DRAWN, len(positions), left))
        left -= len(drawn)
        yield from drawn


def positions_of_game(player: Chooser, size: int, dice: random.Random) -> list[Game]:
    """Each position of one game from after its random moves until it is decided."""
    game = Game(size)
    positions: list[Game] = []
    for point in dice.sample(list(board_points(size)), RANDOM_MOVES):
        game.play(game.to_play, point)
    while len(positions) < size * size:
        best = player.choose(game, GAME_VISITS)
        if best.point == PASS or not DECIDED < best.win_rate < 1.0 - DECIDED:
            break
        positions.append(game.copy())
        game.play(game.to_play, best.point)
    return positions


def judged(game: Game, moves: set[int], judge: Chooser, visits: int) -> dict[int, Worth]:
    """The worth of each move; 0 for a single one, where there is nothing to compare."""
    if len(moves) == 1:
        return dict.fromkeys(moves, Worth(0.0, 0.0))
    values = {}
    for move in sorted(moves):
        after = game.copy()
        after.play(game.to_play, move)
        reply = judge.choose(after, visits)
        values[move] = Worth(1.0 - reply.win_rate, -reply.score)
    return values


def report(number: int, gains: dict[str, list[Worth]]) -> None:
    """Print the means so far."""
    print(f"{number} positions", flush=True)
    for text, gained in gains.items():
        win_rate = mean_text([gain.win_rate for gain in gained], ".4f")
        points = mean_text([gain.lead for gain in gained], ".2f")
        print(f"  {text}: {win_rate}; {points} points; other moves at {sum(gain.win_rate != 0.0 for gain in gained)}", flush=True)


def mean_text(values: list[float], form: str) -> str:
    """The mean and its standard error."""
    mean = sum(values) / len(values)
    error = math.sqrt(sum((value - mean) ** 2 for value in values)) / len(values)
    return f"{mean:+{form}} +- {error:{form}}"


if __name__ == "__main__":
    main()
