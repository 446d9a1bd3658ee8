"""Max^n: minimax for any number of players, with a value for each of them (Luckhardt and Irani, 1986).

Each player takes the move that is best for themselves and cares for nobody else. With two players whose utilities add up to 0 this
is minimax. With more, the value depends on which of two equal moves a player takes: here the first. Visits about b^d positions;
alpha-beta's cut-offs don't hold, because what is bad for one player says little about the others.
"""

from random import Random

from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.game import CHANCE, FIRST, Move, Position, require_moves
from gtp_engine.textbook.minimax import best_moves

Values = tuple[float, ...]  # by player


def values(position: Position, counter: Counter) -> Values:
    """The utility that each player ends with when all of them play for themselves. `counter` is told the first player's.

    Raises ValueError where chance moves.
    """
    if position.is_over():
        utilities = tuple(position.utility(player) for player in range(position.players))
        counter.leaf(utilities[FIRST])
        return utilities
    best = best_for(require_player(position), [values(counter.descend(position, move), counter) for move in position.legal_moves()])
    counter.leave(best[FIRST])
    return best


def best_for(player: int, results: list[Values]) -> Values:
    """The first of the results that nothing surpasses in the eyes of `player`."""
    return max(results, key=lambda result: result[player])


def require_player(position: Position) -> int:
    """Who is to move. Raises ValueError where chance is."""
    if position.next_player == CHANCE:
        raise ValueError("chance moves here: max^n needs players who decide")
    return position.next_player


def values_of_moves(position: Position, counter: Counter | None = None) -> dict[Move, Values]:
    """What each legal move leads to for all players. Raises ValueError when the game is over and where chance moves."""
    counter, moves = counter or Counter(), require_moves(position)
    player = require_player(position)
    values_by_move = {move: values(counter.descend(position, move), counter) for move in moves}
    counter.leave(best_for(player, list(values_by_move.values()))[FIRST])
    return values_by_move


def choose_move(position: Position, dice: Random) -> Move:
    """One of the moves that are best for the player to move, at random. Raises ValueError as values_of_moves does."""
    player = position.next_player
    return dice.choice(best_moves({move: vector[player] for move, vector in values_of_moves(position).items()}))
