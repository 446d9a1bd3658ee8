"""The figures of docs/how-it-works.md on bandits and Monte Carlo tree search, as tables. Seeded: the same on every machine.

python docs/figures/monte_carlo_figures.py [--games 40]
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator

from gtp_engine.textbook import minimax
from gtp_engine.textbook.bandit import UCB1_TEMPERATURE, regrets
from gtp_engine.textbook.game import FIRST, Move, Position
from gtp_engine.textbook.mcts import TreeSearch
from gtp_engine.textbook.mcts_edges import EdgeSearch
from gtp_engine.textbook.puct import GuidedSearch, evaluating_guide, know_nothing
from gtp_engine.textbook.rollouts import decisive_move, rollout_with
from gtp_engine.textbook.tictactoe import TicTacToe, open_lines

RATES = (0.7, 0.4)
CHECKPOINTS = (1_000, 10_000, 100_000)
RUNS = 20  # of each bandit
ROUNDS = (10, 30, 100, 300)
SCALE = 4.0  # open lines that are a clear lead

Choose = Callable[[Position], Move]


def print_table(title: str, heads: list[str], rows: Iterator[list[str]]) -> None:
    """A table of Markdown, line by line as its rows come."""
    print(f"\n{title}\n\n| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def regret_rows() -> Iterator[list[str]]:
    """Mean regret of UCB1 by temperature."""
    for name, temperature in (("√2, as in the theorem", UCB1_TEMPERATURE), ("0.5", 0.5), ("0: greedy", 0.0)):
        runs = [regrets(RATES, CHECKPOINTS, random.Random(seed), temperature) for seed in range(RUNS)]
        yield [name, *(f"{sum(run[i] for run in runs) / RUNS:,.0f}" for i in range(len(CHECKPOINTS)))]


def open_lines_of(position: Position) -> float:
    """The evaluation of tic-tac-toe."""
    assert isinstance(position, TicTacToe)
    return open_lines(position)


SEARCHES: dict[str, Callable[[int, random.Random], Choose]] = {
    "UCT, random rollouts": lambda rounds, rng: TreeSearch(rounds, rng=rng).choose_move,
    "UCT, decisive rollouts": lambda rounds, rng: TreeSearch(rounds, rollout=rollout_with(decisive_move), rng=rng).choose_move,
    "edges, random rollouts": lambda rounds, rng: EdgeSearch(rounds, rng=rng).choose_move,
    "PUCT, a guide that knows nothing": lambda rounds, rng: GuidedSearch(know_nothing, rounds).choose_move,
    "PUCT, guided by open lines": lambda rounds, rng: GuidedSearch(evaluating_guide(open_lines_of, SCALE), rounds).choose_move,
}


def losses(make: Callable[[int, random.Random], Choose], rounds: int, games: int, known: dict[Position, float]) -> int:
    """Games of tic-tac-toe that a search loses against a perfect player, who chooses by lot among equals; sides alternate."""
    lost = 0
    for number in range(games):
        rng = random.Random(number)
        choose, own, position = make(rounds, rng), number % 2, TicTacToe()
        while not position.is_over():
            position = position.apply_move(choose(position) if position.next_player == own else perfect(position, known, rng))
        lost += position.winner() == 1 - own
    return lost


def perfect(position: Position, known: dict[Position, float], rng: random.Random) -> Move:
    """One of the best moves. `known` are the values of all positions for the first player."""
    sign = 1 if position.next_player == FIRST else -1
    return rng.choice(minimax.best_moves({move: sign * known[position.apply_move(move)] for move in position.legal_moves()}))


def loss_rows(games: int) -> Iterator[list[str]]:
    """Losses by search and rounds."""
    known: dict[Position, float] = {}
    minimax.values_of_moves(TicTacToe(), known=known)
    for name, make in SEARCHES.items():
        yield [name, *(str(losses(make, rounds, games, known)) for rounds in ROUNDS)]


def main() -> None:
    """Print both tables; Ctrl-C ends quietly with the rows so far."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=40, help="of tic-tac-toe for each figure (default: 40)")
    args = parser.parse_args()
    try:
        rates = " and ".join(map(str, RATES))
        print_table(f"Regret of UCB1, arms that pay {rates}", ["Temperature", *(f"{n:,} pulls" for n in CHECKPOINTS)], regret_rows())
        title = f"Losses in {args.games} games of tic-tac-toe against a perfect player"
        print_table(title, ["Search", *(f"{rounds:,} rounds" for rounds in ROUNDS)], loss_rows(args.games))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
