"""Minimax: search every game to its end, and assume that both players choose their best moves (Shannon, 1950).

It is exact, but too slow for real games: with b moves per position and d moves per game it visits about b^d positions. Tic-tac-toe has
549,946 already. The idea is von Neumann's (1928): in a finite game without chance and secrets, each position has one value.
"""

from enum import IntEnum
from random import Random

from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.game import Move, Position, require_moves, require_two_players


class Result(IntEnum):
    """The result of a game for one player; better results are greater."""

    LOSS = -1
    DRAW = 0
    WIN = 1


def best_result(position: Position) -> Result:
    """Return the best result that the player to move can force. For a finished game it is the result of the player whose turn it would be.

    Raises ValueError for games that are not for two players who decide.
    """
    require_two_players(position)
    if position.is_over():
        winner = position.winner()
        return Result.DRAW if winner is None else Result.WIN if winner == position.next_player else Result.LOSS
    return max(result_for(position.next_player, position.apply_move(move)) for move in position.legal_moves())


def result_for(player: int, position: Position) -> Result:
    """Return best_result for `player`, who need not be the player to move."""
    result = best_result(position)
    return result if position.next_player == player else Result(-result)


def value(position: Position, player: int, counter: Counter, known: dict[Position, float] | None = None) -> float:
    """Return the utility for `player` after best play of both sides: the maximum of the children's values where `player` moves, and
    the minimum where the opponent moves.

    `known`, if given, stores the value of every visited position (for one `player` only), so that none is searched twice. Doesn't
    check that the game has two players and no chance.
    """
    if known is not None and position in known:
        return counter.leave(known[position])
    if position.is_over():
        result = counter.leaf(position.utility(player))
    else:
        best = max if position.next_player == player else min
        result = counter.leave(best(value(counter.descend(position, move), player, counter, known) for move in position.legal_moves()))
    if known is not None:
        known[position] = result
    return result


def values_of_moves(position: Position, counter: Counter | None = None, known: dict[Position, float] | None = None) -> dict[Move, float]:
    """Return the value of each legal move for the player to move. `known` as in `value`.

    Raises ValueError when the game is over and for games that are not for two players who decide.
    """
    require_two_players(position)
    counter = counter or Counter()
    player = position.next_player
    values = {move: value(counter.descend(position, move), player, counter, known) for move in require_moves(position)}
    counter.leave(max(values.values()))
    return values


def best_moves(values: dict[Move, float]) -> list[Move]:
    """Return the moves with the highest value, in their order."""
    best = max(values.values())
    return [move for move, move_value in values.items() if move_value == best]


def choose_move(position: Position, dice: Random) -> Move:
    """Return one of the best moves at random, so that games differ. Raises ValueError as values_of_moves does."""
    return dice.choice(best_moves(values_of_moves(position, known={})))
