"""How often does a short search miss a move that decides? Positions of games, searched for a short and for a long time.

.venv/bin/python tests/tools/blindness.py games/*.sgf --positions 40 --short 1 --long 30

Positions are drawn from the records, of even games, by --seed. Where the long search plays another move than the short one, the short
one's move is searched as long, and the two win rates are compared. Printed is each position where they differ by more than --gap, and how
many these are: for the engine as it is, and for one that doesn't read (`--set reading_share=0`). The last line tells how many simulations
the short searches made in all.
One thread; the times are those of the clock, so no more than one of these should run on each processor.
"""

import argparse
import random
from dataclasses import replace
from pathlib import Path

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import to_color_name, to_vertex
from gtp_engine.sgf import load

LATEST_SHARE = 0.9  # of a game: afterwards nothing is left to play for
PARAMS = SearchParams(threads=1, memory=256, seed=1)
WITHOUT = replace(PARAMS, reading_share=0.0)


def main() -> None:
    """Draw the positions, search, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--short", type=float, default=1.0, help="seconds (default: %(default)s)")
    parser.add_argument("--long", type=float, default=30.0, help="seconds (default: %(default)s)")
    parser.add_argument("--gap", type=float, default=0.2, help="of win rate (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    dice = random.Random(args.seed)
    missed = {"as it is": 0, "without reading": 0}
    simulations = dict.fromkeys(missed, 0)
    for number in range(1, args.positions + 1):
        path = dice.choice(args.records)
        game, komi, after = drawn_position(path, dice)
        best, rate, _ = searched(PARAMS, game, komi, args.long)
        rates = {best: rate}  # of moves of the short searches, too
        for name, params in zip(missed, (PARAMS, WITHOUT), strict=True):
            move, _, count = searched(params, game, komi, args.short)
            simulations[name] += count
            if move not in rates:
                after_move = game.copy()
                after_move.play(game.to_play, move)
                rates[move] = 1.0 - searched(PARAMS, after_move, komi, args.long)[1]
            loss = rate - rates[move]
            if loss > args.gap:
                missed[name] += 1
                where = f"{path} after move {after}, {to_color_name(game.to_play)}"
                print(f"{where}: {name} {to_vertex(move)}, better {to_vertex(best)}, {loss:.0%} of win rate", flush=True)
        print(f"{number} positions: " + ", ".join(f"{count} missed {name}" for name, count in missed.items()), flush=True)

    print("simulations in the short searches: " + ", ".join(f"{count} {name}" for name, count in simulations.items()))


def drawn_position(path: Path, dice: random.Random) -> tuple[Game, float, int]:
    """A position of a game, White's points, and after how many moves it stands."""
    record = load(path)
    moves = record.game.moves
    after = dice.randrange(int(LATEST_SHARE * len(moves)) + 1)
    game = Game(record.game.size)
    for color, point in moves[:after]:
        game.play(color, point)
    return game, record.komi, after


def searched(params: SearchParams, game: Game, komi: float, seconds: float) -> tuple[int, float, int]:
    """The best move after so many seconds, searched from nothing, its win rate, and how many simulations there were."""
    engine = Engine(params, komi=komi, size=game.size)
    engine.state.set_game(game.copy())
    result = engine.examine(game.to_play, Limits(seconds=seconds, early_stop=False))
    return result.best.point, result.best.win_rate, result.simulations


if __name__ == "__main__":
    main()
