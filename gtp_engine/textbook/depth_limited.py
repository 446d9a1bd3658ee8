"""Depth-limited minimax: look a few moves ahead, and evaluate the positions there (Shannon, 1950).

It is written as negamax: every value is for the player to move, so a value changes its sign from move to move, and one rule serves both
players. It visits about b^depth positions.

If the depth ends in the middle of a fight, the evaluation is wrong, because it misses the capture just beyond the horizon. Quiescence
search continues from there with captures only, until no capture is left.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.game import Move, Position, require_depth, require_moves, require_two_players
from gtp_engine.textbook.minimax import best_moves

P = TypeVar("P", bound=Position)
Evaluate = Callable[[P], float]  # a position that is not over -> its value for the player to move, in the units of its utilities
NoisyMoves = Callable[[P], Sequence[Move]]  # the legal moves that may change the evaluation much, such as captures


def negamax(position: P, depth: float, evaluate: Evaluate[P], counter: Counter) -> float:
    """Return the value of `position` for the player to move, after a search of `depth` moves and an evaluation there.

    A finished game counts with its utility; `math.inf` as a depth plays every game to its end. Doesn't check that the game is one
    for two players who decide and take turns.
    """
    if position.is_over():
        return counter.leaf(position.utility(position.next_player))
    if depth <= 0:
        return counter.leaf(evaluate(position))
    return counter.leave(max(-negamax(counter.descend(position, move), depth - 1, evaluate, counter) for move in position.legal_moves()))


def values_of_moves(position: P, depth: float, evaluate: Evaluate[P], counter: Counter | None = None) -> dict[Move, float]:
    """Return the value of each legal move for the player to move, by a search of `depth` moves including this one.

    Raises ValueError for a depth below 1, when the game is over, and for games that are not for two players who decide.
    """
    require_depth(depth)
    require_two_players(position)
    counter = counter or Counter()
    values = {move: -negamax(counter.descend(position, move), depth - 1, evaluate, counter) for move in require_moves(position)}
    counter.leave(max(values.values()))
    return values


def choose_move(position: P, depth: float, evaluate: Evaluate[P], dice: Random) -> Move:
    """Return one of the best moves at random. Raises ValueError as values_of_moves does."""
    return dice.choice(best_moves(values_of_moves(position, depth, evaluate)))


def quiescent(evaluate: Evaluate[P], noisy_moves: NoisyMoves[P], depth: int) -> Evaluate[P]:
    """Return an evaluation function that first lets both players make up to `depth` noisy moves, as long as these are profitable.

    Use it in place of `evaluate`. Raises ValueError for a depth below 1.
    """
    require_depth(depth)

    def settled(position: P, depth: int) -> float:
        """Return the value after the profitable noisy moves."""
        if position.is_over():
            return position.utility(position.next_player)
        stand_pat = evaluate(position)  # nobody is forced to capture
        if depth == 0:
            return stand_pat
        return max([stand_pat, *(-settled(position.apply_move(move), depth - 1) for move in noisy_moves(position))])

    return lambda position: settled(position, depth)
