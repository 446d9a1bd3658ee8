"""The searches as players: each chooses a move in a position within its time.

Tic-tac-toe and hexapawn are searched to the end. In larger games minimax and alpha-beta look one move ahead, then two, and so on,
until the next depth would take too many positions or the time is up. Monte Carlo tree search plays rounds.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gtp_engine.textbook import alphabeta, depth_limited, minimax
from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.game import Move, Position, require_moves
from gtp_engine.textbook.hexapawn import Hexapawn
from gtp_engine.textbook.lookahead import find_winning_move
from gtp_engine.textbook.mcts import TreeSearch, most_visited
from gtp_engine.textbook.rollouts import Rollout, random_rollout
from gtp_engine.textbook.tictactoe import TicTacToe, open_lines

MOST_LEAVES = 10_000  # most positions that minimax and alpha-beta evaluate for a move: about a second of Go on 9x9
ROUNDS = 1_000  # default rounds of tree search for a move
TEMPERATURE = 1.0  # of UCT: between sqrt(2) from the theory and the small values that are strong in Go

ShouldStop = Callable[[], bool]


@dataclass(frozen=True)
class Choice:
    """A move with the search's figures for it."""

    move: Move
    win_rate: float | None = None  # for the player to move, 0..1; None if the player has no estimate
    visits: int = 1  # rounds through this move, or positions evaluated


Player = Callable[[Position, ShouldStop], Choice]  # a position that is not over, and a check whether to stop -> the move to play


@dataclass(frozen=True)
class Table:
    """A game with its evaluation and its rollout for the searches."""

    start: Position
    evaluate: Callable[[Any], float]  # a position of this game -> its value for the player to move
    rollout: Rollout = random_rollout
    is_small: bool = True  # can it be searched to the end?


GAMES = {
    "tictactoe": Table(TicTacToe(), open_lines),
    "hexapawn": Table(Hexapawn(), alphabeta.unknown),
}


class TimeIsUp(Exception):
    """The search was stopped before its end."""


class Watch(Counter):
    """A Counter that aborts the search when it should stop."""

    def __init__(self, should_stop: ShouldStop) -> None:
        super().__init__()
        self.should_stop = should_stop

    def descend(self, position: Position, move: Move) -> Position:  # type: ignore[override]  # what goes in comes out
        """As Counter. Raises TimeIsUp."""
        if self.should_stop():
            raise TimeIsUp
        return super().descend(position, move)


def make_player(name: str, table: Table, rng: random.Random, rounds: int = ROUNDS) -> Player:
    """Return the player called `name`, one of PLAYERS. Raises ValueError for another name and for no rounds."""
    if name not in PLAYERS:
        raise ValueError(f"no player is called {name!r}: choose one of {', '.join(PLAYERS)}")
    return PLAYERS[name](table, rng, rounds)


def random_player(table: Table, rng: random.Random, rounds: int) -> Player:
    """Return the player that chooses any legal move at random."""
    return lambda position, should_stop: Choice(rng.choice(require_moves(position)))


def greedy_player(table: Table, rng: random.Random, rounds: int) -> Player:
    """Return the player that chooses a winning move, else a move with the best evaluation after it, at random among equals."""

    def choose(position: Position, should_stop: ShouldStop) -> Choice:
        """See Player."""
        values = depth_limited.values_of_moves(position, 1, table.evaluate)
        return Choice(find_winning_move(position) or rng.choice(minimax.best_moves(values)), visits=len(values))

    return choose


def minimax_player(table: Table, rng: random.Random, rounds: int) -> Player:
    """Return the minimax player. It searches small games to the end and others as deep as MOST_LEAVES allow, at random among equals."""

    def search(position: Position, depth: float, counter: Counter) -> Move:
        """The best move as far as `depth` moves show."""
        if table.is_small:
            return rng.choice(minimax.best_moves(minimax.values_of_moves(position, counter, {})))
        return rng.choice(minimax.best_moves(depth_limited.values_of_moves(position, depth, table.evaluate, counter)))

    return deepening(search, lambda moves, depth: moves**depth, table.is_small)


def alphabeta_player(table: Table, rng: random.Random, rounds: int) -> Player:
    """Return the alpha-beta player, which searches deeper than minimax_player with the same number of leaves."""

    def order(position: Position, moves: list[Move]) -> list[Move]:
        return rng.sample(moves, len(moves))  # random among equals; the table has the best move of the last depth

    transpositions: dict[Position, alphabeta.Known] = {}

    def search(position: Position, depth: float, counter: Counter) -> Move:
        """The best move as far as `depth` moves show."""
        if depth in (1, math.inf):  # a new move
            transpositions.clear()
        evaluate = alphabeta.unknown if table.is_small else table.evaluate
        return alphabeta.AlphaBeta(evaluate, order, transpositions, counter).search(position, depth).move

    return deepening(search, lambda moves, depth: moves ** math.ceil(depth / 2) + moves ** (depth // 2), table.is_small)


def deepening(search: Callable[[Position, float, Counter], Move], leaves: Callable[[int, int], float], is_small: bool) -> Player:
    """Return the player that searches one move deep, then two, while `leaves(number of moves, depth)` is at most MOST_LEAVES.

    If `is_small`, it makes one search to the end instead. The first search is always finished.
    """

    def choose(position: Position, should_stop: ShouldStop) -> Choice:
        """See Player."""
        moves = len(require_moves(position))
        if is_small:
            counter = Counter()
            return Choice(search(position, math.inf, counter), visits=counter.leaves)
        counter, depth = Counter(), 1
        move = search(position, depth, counter)
        while moves > 1 and leaves(moves, depth + 1) <= MOST_LEAVES:
            depth, counter = depth + 1, Watch(should_stop)
            try:
                move = search(position, depth, counter)
            except TimeIsUp:
                break
        return Choice(move, visits=max(counter.leaves, 1))

    return choose


def tree_search_player(table: Table, rng: random.Random, rounds: int) -> Player:
    """Return the player of Monte Carlo tree search by `rounds`. It keeps the tree from move to move."""
    search = TreeSearch(rounds, TEMPERATURE, table.rollout, rng)

    def choose(position: Position, should_stop: ShouldStop) -> Choice:
        """See Player."""
        best = most_visited(search.search(position, should_stop))
        assert best.move is not None
        return Choice(best.move, best.win_rate(position.next_player), best.visits)

    return choose


PLAYERS: dict[str, Callable[[Table, random.Random, int], Player]] = {
    "random": random_player,
    "greedy": greedy_player,
    "minimax": minimax_player,
    "alphabeta": alphabeta_player,
    "textbook-mcts": tree_search_player,
}
