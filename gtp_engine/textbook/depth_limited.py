"""Looking a few moves ahead and guessing from there: minimax with a depth and an evaluation function (Shannon, 1950).

Written as negamax: every value is for the player to move, so the opponent's best is our worst with the sign turned, and one rule
serves both players. Visits about b^depth positions.

Where the depth ends in the middle of a fight, the guess is wrong: the capture just beyond the horizon isn't seen. Quiescence search
looks on from there along captures alone, until nothing is left to take.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.game import Move, Position, require_depth, require_moves, require_two_players
from gtp_engine.textbook.minimax import best_moves

P = TypeVar("P", bound=Position)
Evaluate = Callable[[P], float]  # how good a position that is not over looks to the player to move, in the units of its utilities
NoisyMoves = Callable[[P], Sequence[Move]]  # the legal moves that may change the evaluation at a stroke, such as captures


def negamax(position: P, depth: float, evaluate: Evaluate[P], counter: Counter) -> float:
    """The value of `position` for the player to move, when play goes on for `depth` moves and is then evaluated.

    A finished game counts with its utility; `math.inf` as a depth plays every game to its end. Doesn't check that the game is one
    for two players who decide and take turns.
    """
    if position.is_over():
        return counter.leaf(position.utility(position.next_player))
    if depth <= 0:
        return counter.leaf(evaluate(position))
    return counter.leave(max(-negamax(counter.descend(position, move), depth - 1, evaluate, counter) for move in position.legal_moves()))


def values_of_moves(position: P, depth: float, evaluate: Evaluate[P], counter: Counter | None = None) -> dict[Move, float]:
    """What each legal move is worth to the player to move, `depth` moves ahead, this move included.

    Raises ValueError for a depth below 1, when the game is over, and for games that are not for two players who decide.
    """
    require_depth(depth)
    require_two_players(position)
    counter = counter or Counter()
    values = {move: -negamax(counter.descend(position, move), depth - 1, evaluate, counter) for move in require_moves(position)}
    counter.leave(max(values.values()))
    return values


def choose_move(position: P, depth: float, evaluate: Evaluate[P], dice: Random) -> Move:
    """One of the best moves at random. Raises ValueError as values_of_moves does."""
    return dice.choice(best_moves(values_of_moves(position, depth, evaluate)))


def quiescent(evaluate: Evaluate[P], noisy_moves: NoisyMoves[P], depth: int) -> Evaluate[P]:
    """An evaluation function that first lets both players make noisy moves, up to `depth` of them, as long as it pays them.

    Use it in place of `evaluate`. Raises ValueError for a depth below 1.
    """
    require_depth(depth)

    def settled(position: P, depth: int) -> float:
        """The value once no capture is left to look at."""
        if position.is_over():
            return position.utility(position.next_player)
        stand_pat = evaluate(position)  # nobody is forced to capture
        if depth == 0:
            return stand_pat
        return max([stand_pat, *(-settled(position.apply_move(move), depth - 1) for move in noisy_moves(position))])

    return lambda position: settled(position, depth)
