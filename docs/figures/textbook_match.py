"""The textbook's Monte Carlo tree search against the engine's own, both as plain UCT: equally strong, or one of them has a fault.

python docs/figures/textbook_match.py [--games 40] [--playouts 200] [--size 9] [--seed 1]

The engine plays without AMAF and priors, with light playouts and one thread; both have the same exploration constant, as many visits
a move, and the same rules for passing and resigning. Colors alternate. Takes about a minute a game.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from gtp_engine.base.wilson import wilson_interval
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.textbook_chooser import TextbookChooser
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, RESIGN, WHITE, opponent
from gtp_engine.go.rules import CHINESE
from gtp_engine.textbook.go_rollouts import SensibleGo, light_go_rollout
from gtp_engine.textbook.mcts import TreeSearch
from gtp_engine.textbook.players import TEMPERATURE

KOMI = 7.5
ENGINE_ROUNDS, TEXTBOOK_ROUNDS = 20_000, 500  # to time them
MOST_MOVES = 4  # for each point of the board, then the game is counted as it stands


@dataclass
class Side:
    """One of the two, over the whole match."""

    name: str
    engine: Engine
    wins: int = 0
    moves: int = 0
    seconds: float = 0.0


def plain_uct(playouts: int, seed: int) -> SearchParams:
    """The engine's parameters that make it UCT and nothing else."""
    return SearchParams(
        playouts=playouts,
        policy="light",
        exploration=TEMPERATURE,
        rave_visits=0.0,
        priors=False,
        expand_visits=2,  # a node's first visit is a rollout, and its second adds a child: as in the textbook
        score_weight=0.0,
        threads=1,
        memory=128,
        seed=seed,
    )


def play_game(black: Side, white: Side, size: int) -> Side:
    """Play a game; gives back the winner. Raises ValueError when a side plays a move that the other's board refuses."""
    sides = {BLACK: black, WHITE: white}
    for side in sides.values():
        side.engine.state.set_board_size(size)
    color = BLACK
    game = black.engine.game
    while game.passes() < 2 and len(game.moves) < MOST_MOVES * size * size:
        side, other = sides[color], sides[opponent(color)]
        started = time.perf_counter()
        point = side.engine.genmove(color)
        side.seconds += time.perf_counter() - started
        side.moves += 1
        if point == RESIGN:
            return other
        other.engine.state.play(color, point)
        color = opponent(color)
    return black if black.engine.score() > 0 else white


def report(textbook: Side, engine: Side, games: int) -> str:
    """The table for docs/how-it-works.md."""
    rows = ["| | games won | 95 % interval | seconds a move |", "|---|---|---|---|"]
    for side in (textbook, engine):
        low, high = wilson_interval(side.wins / games, games)
        rows.append(
            f"| {side.name} | {side.wins} of {games} | {100 * low:.0f} % to {100 * high:.0f} % | {side.seconds / max(side.moves, 1):.4f} |"
        )
    ratio = (textbook.seconds / max(textbook.moves, 1)) / max(engine.seconds / max(engine.moves, 1), 1e-9)
    return "\n".join([*rows, f"A move: the textbook takes {ratio:.0f} times as long."])


def compare_rounds(size: int) -> str:
    """Processor time of a round alone, from the empty board, without anything that a game needs besides."""
    seconds: list[float] = []
    search = Search(plain_uct(ENGINE_ROUNDS, 1))
    tree = TreeSearch(TEXTBOOK_ROUNDS, TEMPERATURE, light_go_rollout, random.Random(1))
    search.prepare(Game(size, CHINESE), BLACK, KOMI)
    work: list[tuple[int, Callable[[], object]]] = [
        (ENGINE_ROUNDS, lambda: search.run(Limits(simulations=ENGINE_ROUNDS))),
        (TEXTBOOK_ROUNDS, lambda: tree.search(SensibleGo.start(size, KOMI))),
    ]
    for rounds, run in work:
        started = time.process_time()
        run()
        seconds.append((time.process_time() - started) / rounds)
    engine, textbook = seconds
    return f"A round: textbook {1e6 * textbook:.0f} us, engine {1e6 * engine:.1f} us, {textbook / engine:.0f} times as long."


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=40, help="even: both have black as often; 0: only the time of a round (default: 40)")
    parser.add_argument("--playouts", type=int, default=200, help="visits of the root for each move (default: 200)")
    parser.add_argument("--size", type=int, default=9, help="lines of the board (default: 9)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same games (default: 1)")
    return parser.parse_args()


def main() -> None:
    """Play the match and print the table; a line for each game on stderr. Ctrl-C prints the table so far."""
    args = parse_arguments()
    params = plain_uct(args.playouts, args.seed)
    textbook = Side("textbook MCTS", Engine(params, CHINESE, KOMI, args.size, TextbookChooser("textbook-mcts")))
    engine = Side("engine's UCT", Engine(params, CHINESE, KOMI, args.size))
    engine.engine.warm_up()
    played = 0
    try:
        for number in range(args.games):
            black, white = (textbook, engine) if number % 2 == 0 else (engine, textbook)
            winner = play_game(black, white, args.size)
            winner.wins += 1
            played += 1
            print(f"game {played}: {winner.name} wins; {textbook.wins} to {engine.wins}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    if played:
        print(report(textbook, engine, played))
    print(compare_rounds(args.size))


if __name__ == "__main__":
    main()
