"""Max^n: minimax for any number of players, with a value for each of them (Luckhardt and Irani, 1986).

Each player chooses the move with their own highest value. With two players whose utilities add up to 0 this is minimax. With more
players the value depends on the choice among equal moves, which is the first one here. The search visits about b^d positions.
Alpha-beta's cut-offs are invalid, because a bad value for one player says little about the other players' values.
"""

from random import Random

from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.game import CHANCE, FIRST, Move, Position, require_moves
from gtp_engine.textbook.minimax import best_moves

Values = tuple[float, ...]  # by player


def values(position: Position, counter: Counter) -> Values:
    """Return the utility of each player when every player maximizes their own. `counter` gets the first player's.

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
    """Return the first of the results that are best for `player`."""
    return max(results, key=lambda result: result[player])


def require_player(position: Position) -> int:
    """Return the player to move. Raises ValueError if chance moves."""
    if position.next_player == CHANCE:
        raise ValueError("chance moves here: max^n needs players who decide")
    return position.next_player


def values_of_moves(position: Position, counter: Counter | None = None) -> dict[Move, Values]:
    """Return the values for all players of each legal move. Raises ValueError when the game is over and when chance moves."""
    counter, moves = counter or Counter(), require_moves(position)
    player = require_player(position)
    values_by_move = {move: values(counter.descend(position, move), counter) for move in moves}
    counter.leave(best_for(player, list(values_by_move.values()))[FIRST])
    return values_by_move


def choose_move(position: Position, dice: Random) -> Move:
    """Return one of the best moves for the player to move, at random. Raises ValueError as values_of_moves does."""
    player = position.next_player
    return dice.choice(best_moves({move: vector[player] for move, vector in values_of_moves(position).items()}))
