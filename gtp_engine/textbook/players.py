"""The searches as players: each looks at a position and names a move, for as long as it is allowed to.

Tic-tac-toe and hexapawn are searched to the end. In larger games minimax and alpha-beta look one move ahead, then two, and so on,
until the next depth would take too many positions or the time is up; Monte Carlo tree search plays rounds.
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

MOST_LEAVES = 10_000  # positions that minimax and alpha-beta evaluate for a move: about a second of Go on 9x9
ROUNDS = 1_000  # of tree search for a move when nothing else limits it
TEMPERATURE = 1.0  # of UCT: between the sqrt(2) of theory and the small values that are strong in Go

ShouldStop = Callable[[], bool]


@dataclass(frozen=True)
class Choice:
    """A move, and what the search found out about it."""

    move: Move
    win_rate: float | None = None  # for the player to move, 0..1; None: the player has no idea of it
    visits: int = 1  # rounds through this move, or positions evaluated for it and its rivals


Player = Callable[[Position, ShouldStop], Choice]  # a position that is not over, and whether to come to an end -> the move to play


@dataclass(frozen=True)
class Table:
    """A game that can be played, and what the searches have to know of it."""

    start: Position
    evaluate: Callable[[Any], float]  # for the player to move; of positions of this game only
    rollout: Rollout = random_rollout
    is_small: bool = True  # can it be searched to the end?


GAMES = {
    "tictactoe": Table(TicTacToe(), open_lines),
    "hexapawn": Table(Hexapawn(), alphabeta.unknown),
}


class TimeIsUp(Exception):
    """The search was told to stop in the middle."""


class Watch(Counter):
    """Counts, and breaks the search off when it should stop."""

    def __init__(self, should_stop: ShouldStop) -> None:
        super().__init__()
        self.should_stop = should_stop

    def descend(self, position: Position, move: Move) -> Position:  # type: ignore[override]  # what goes in comes out
        """As Counter. Raises TimeIsUp."""
        if self.should_stop():
            raise TimeIsUp
        return super().descend(position, move)


def make_player(name: str, table: Table, rng: random.Random, rounds: int = ROUNDS) -> Player:
    """The player called `name`, one of PLAYERS. Raises ValueError for another name and for no rounds."""
    if name not in PLAYERS:
        raise ValueError(f"no player is called {name!r}: choose one of {', '.join(PLAYERS)}")
    return PLAYERS[name](table, rng, rounds)


def random_player(table: Table, rng: random.Random, rounds: int) -> Player:
    """Any legal move."""
    return lambda position, should_stop: Choice(rng.choice(require_moves(position)))


def greedy_player(table: Table, rng: random.Random, rounds: int) -> Player:
    """The move that looks best at once: a win if there is one, else the best evaluation after it; by lot among equals."""

    def choose(position: Position, should_stop: ShouldStop) -> Choice:
        """See Player."""
        values = depth_limited.values_of_moves(position, 1, table.evaluate)
        return Choice(find_winning_move(position) or rng.choice(minimax.best_moves(values)), visits=len(values))

    return choose


def minimax_player(table: Table, rng: random.Random, rounds: int) -> Player:
    """To the end of small games; else as many moves ahead as MOST_LEAVES allow; by lot among equals."""

    def search(position: Position, depth: float, counter: Counter) -> Move:
        """The best move as far as `depth` moves show."""
        if table.is_small:
            return rng.choice(minimax.best_moves(minimax.values_of_moves(position, counter, {})))
        return rng.choice(minimax.best_moves(depth_limited.values_of_moves(position, depth, table.evaluate, counter)))

    return deepening(search, lambda moves, depth: moves**depth, table.is_small)


def alphabeta_player(table: Table, rng: random.Random, rounds: int) -> Player:
    """As minimax_player, but deeper with as many leaves: good moves are tried first, bad ones cut off."""

    def order(position: Position, moves: list[Move]) -> list[Move]:
        return rng.sample(moves, len(moves))  # so that equals are chosen by lot; the table has the best move of the last depth

    known: dict[Position, alphabeta.Known] = {}

    def search(position: Position, depth: float, counter: Counter) -> Move:
        """The best move as far as `depth` moves show."""
        if depth in (1, math.inf):  # a new move
            known.clear()
        evaluate = alphabeta.unknown if table.is_small else table.evaluate
        return alphabeta.AlphaBeta(evaluate, order, known, counter).search(position, depth).move

    return deepening(search, lambda moves, depth: moves ** math.ceil(depth / 2) + moves ** (depth // 2), table.is_small)


def deepening(search: Callable[[Position, float, Counter], Move], leaves: Callable[[int, int], float], is_small: bool) -> Player:
    """The player that searches one move deep, then two, while `leaves` (of the number of moves and the depth) are within MOST_LEAVES.

    Where `is_small`, one search to the end takes its place. The first search is always finished.
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
    """Monte Carlo tree search by `rounds`; the tree is kept from move to move."""
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
