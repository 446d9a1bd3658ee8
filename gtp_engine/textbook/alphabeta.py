"""Alpha-beta: the value that minimax finds, without the positions that can't change it (Knuth and Moore, 1975).

Once one reply refutes a move, the other replies are skipped. If the best move always comes first, a tree of width b and depth d costs
b^ceil(d/2) + b^floor(d/2) - 1 leaves instead of b^d: twice the depth in the same time. The order of moves is therefore decisive, and
`order`, the table and iterative deepening all improve it.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Generic, NamedTuple, TypeVar

from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.depth_limited import Evaluate
from gtp_engine.textbook.game import Move, Position, require_depth, require_moves, require_two_players

P = TypeVar("P", bound=Position)
Order = Callable[[P, list[Move]], Iterable[Move]]  # the legal moves, those that look best first


class Known(NamedTuple):
    """An entry of the transposition table for one position."""

    depth: float  # of the search, in moves
    low: float  # lower bound of the value
    high: float  # upper bound of the value
    move: Move  # the best move found, which the next search tries first


class Found(NamedTuple):
    """The result of a search from the root."""

    depth: float
    value: float  # for the player to move
    move: Move


def unknown(position: Position) -> float:
    """Return 0, a neutral evaluation, for searches that reach the end of the game."""
    return 0.0


def as_given(position: Position, moves: list[Move]) -> list[Move]:
    """Return the moves in the order in which the game lists them."""
    return moves


def best_guess_first(evaluate: Evaluate[P]) -> Order[P]:
    """Return an order that sorts moves by the position after each: by its utility if the game is over, else by `evaluate`."""

    def badness(after: P) -> float:
        return after.utility(after.next_player) if after.is_over() else evaluate(after)

    return lambda position, moves: sorted(moves, key=lambda move: badness(position.apply_move(move)))


def require_search(position: Position, depth: float) -> None:
    """Raises ValueError for a depth below 1, when the game is over, and for games that are not for two players who decide."""
    require_depth(depth)
    require_two_players(position)
    require_moves(position)


@dataclass(frozen=True)
class AlphaBeta(Generic[P]):
    """An alpha-beta search and its parts. Only `counter` and `table` change during a search."""

    evaluate: Evaluate[P] = unknown
    order: Order[P] = as_given
    table: dict[Position, Known] | None = None  # optional transposition table, for one `evaluate` only
    counter: Counter = field(default_factory=Counter)

    def bound(self, position: P, depth: float, alpha: float = -math.inf, beta: float = math.inf) -> float:
        """Return r, a bound for the value v of `position`, which depth_limited.negamax returns.

        - r <= alpha: v <= r. No move here is better than alpha.
        - alpha < r < beta: v == r.
        - r >= beta: v >= r. The opponent avoids this position.

        All values are for the player to move. Needs alpha < beta. Doesn't check that two players take turns.
        """
        if position.is_over():
            return self.counter.leaf(position.utility(position.next_player))
        if depth <= 0:
            return self.counter.leaf(self.evaluate(position))
        entry = self._look_up(position)
        if entry and entry.depth == depth and (entry.low == entry.high or entry.low >= beta or entry.high <= alpha):
            return self.counter.leave(entry.low if entry.low >= beta else entry.high)
        best, best_move = -math.inf, ""
        for move in self._moves(position):
            move_value = -self.bound(self.counter.descend(position, move), depth - 1, -beta, -max(alpha, best))
            if move_value > best:
                best, best_move = move_value, move
            if best >= beta:
                break  # a refutation: a still better value changes nothing
        self._keep(position, Known(depth, best if best > alpha else -math.inf, best if best < beta else math.inf, best_move))
        return self.counter.leave(best)

    def search(self, position: P, depth: float) -> Found:
        """Return the value of `position` for the player to move, and the first of the best moves in the order in which they are tried.

        Raises ValueError for a depth below 1, when the game is over, and for games that are not for two players who decide.
        """
        require_search(position, depth)
        best, best_move = -math.inf, ""
        for move in self._moves(position):
            move_value = -self.bound(self.counter.descend(position, move), depth - 1, -math.inf, -best)
            if move_value > best or not best_move:
                best, best_move = move_value, move
        self._keep(position, Known(depth, best, best, best_move))
        self.counter.leave(best)
        return Found(depth, best, best_move)

    def deepen(self, position: P, depth: int) -> Iterator[Found]:
        """Search one move deep, then two, and so on to `depth`, and yield each result. The caller decides when to stop.

        A move is available whenever time runs out. With a table, each search tries the best moves of the search before first. This
        saves much of the cost of the shallow searches. Raises ValueError as `search` does.
        """
        require_search(position, depth)
        return (self.search(position, shallower) for shallower in range(1, depth + 1))

    def _moves(self, position: P) -> Iterator[Move]:
        """Yield the legal moves in the order in which the search tries them, the table's move first."""
        entry = self._look_up(position)
        if entry:
            yield entry.move
        yield from (move for move in self.order(position, position.legal_moves()) if not entry or move != entry.move)

    def _look_up(self, position: P) -> Known | None:
        return None if self.table is None else self.table.get(position)

    def _keep(self, position: P, entry: Known) -> None:
        if self.table is not None:
            self.table[position] = entry


def choose_move(position: P, depth: float, evaluate: Evaluate[P], dice: Random) -> Move:
    """Return one of the best moves at random: the moves are shuffled, and the search takes the first of the best.

    Raises ValueError as AlphaBeta.search does.
    """

    def shuffled(position: P, moves: list[Move]) -> list[Move]:
        return dice.sample(moves, len(moves))

    return AlphaBeta(evaluate, shuffled, {}).search(position, depth).move
