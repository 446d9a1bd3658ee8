"""One to three moves ahead, before any real search: win now, don't let the opponent win, and find a win that can't be stopped.

For two players who decide everything, as all of `minimax.py`. With b legal moves these looks cost about b, b^2 and b^3 positions.
"""

from random import Random

from gtp_engine.textbook.game import Move, Position, require_moves, require_two_players


def find_winning_move(position: Position) -> Move | None:
    """The first move that wins at once, or None. One move ahead."""
    player = position.next_player
    for move in position.legal_moves():
        after = position.apply_move(move)
        if after.is_over() and after.winner() == player:
            return move
    return None


def find_safe_moves(position: Position) -> list[Move]:
    """The moves after which the opponent can't win at once, or hasn't won already. Two moves ahead; may be empty."""
    return [move for move in position.legal_moves() if is_safe(position.apply_move(move), position.next_player)]


def is_safe(position: Position, player: int) -> bool:
    """With the opponent of `player` to move or the game over: has the opponent neither won nor a move that wins at once?"""
    if position.is_over():
        return position.winner() in (player, None)
    return find_winning_move(position) is None


def find_two_move_win(position: Position) -> Move | None:
    """A move that wins at once, or else one after which every reply leaves us a winning move; None without any. Three moves ahead.

    In tic-tac-toe such a move makes a fork: two lines at a time, and the opponent can block only one.
    """
    winning = find_winning_move(position)
    if winning is not None:
        return winning
    player = position.next_player
    for move in position.legal_moves():
        after = position.apply_move(move)
        if not after.is_over() and all(wins_now(after.apply_move(reply), player) for reply in after.legal_moves()):
            return move
    return None


def wins_now(position: Position, player: int) -> bool:
    """With `player` to move or the game over: has `player` won, or a move that wins at once?"""
    if position.is_over():
        return position.winner() == player
    return find_winning_move(position) is not None


def choose_move(position: Position, dice: Random) -> Move:
    """Win if three moves are enough; else a random move that doesn't let the opponent win at once; else any random move.

    Raises ValueError when the game is over and for games that are not for two players who decide.
    """
    require_two_players(position)
    moves = require_moves(position)
    return find_two_move_win(position) or dice.choice(find_safe_moves(position) or moves)
