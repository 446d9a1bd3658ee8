"""Expectiminimax: minimax for games with dice. The value of a chance node is the average of its children (Michie, 1966).

Averages depend on the sizes of the values, while minimax depends only on their order. The cost is that of minimax with every roll as a
branch: about (b * n)^d positions for n faces. There are no cut-offs, because one roll refutes nothing.
"""

from random import Random

from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.game import CHANCE, Move, Position, require_moves
from gtp_engine.textbook.minimax import best_moves


def value(position: Position, player: int, counter: Counter, known: dict[Position, float] | None = None) -> float:
    """Return the expected utility for `player` when both players play for the best average.

    `known`, if given, stores the value of every visited position, for one `player` only. Doesn't check that there are two players.
    """
    if known is not None and position in known:
        return counter.leave(known[position])
    if position.is_over():
        result = counter.leaf(position.utility(player))
    elif position.next_player == CHANCE:
        outcomes = position.chance_outcomes()
        result = counter.leave(sum(odds * value(counter.descend(position, move), player, counter, known) for odds, move in outcomes))
    else:
        best = max if position.next_player == player else min
        result = counter.leave(best(value(counter.descend(position, move), player, counter, known) for move in position.legal_moves()))
    if known is not None:
        known[position] = result
    return result


def values_of_moves(position: Position, counter: Counter | None = None, known: dict[Position, float] | None = None) -> dict[Move, float]:
    """Return the expected utility of each legal move for the player to move. `known` as in `value`.

    Raises ValueError when the game is over, where chance moves, and for more than two players.
    """
    if position.players != 2:
        raise ValueError(f"a game of {position.players} players: expectiminimax is for two; max^n takes more")
    if position.next_player == CHANCE:
        raise ValueError("chance moves here: there is no move to choose")
    counter = counter or Counter()
    player = position.next_player
    values = {move: value(counter.descend(position, move), player, counter, known) for move in require_moves(position)}
    counter.leave(max(values.values()))
    return values


def choose_move(position: Position, dice: Random) -> Move:
    """Return one of the best moves at random. Raises ValueError as values_of_moves does."""
    return dice.choice(best_moves(values_of_moves(position, known={})))
