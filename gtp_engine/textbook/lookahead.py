"""Look one to three moves ahead: win at once, prevent the opponent's win, and find a win that can't be prevented.

The game must have two players and no chance, as in `minimax.py`. With b legal moves the three cost about b, b^2 and b^3 positions.
"""

from random import Random

from gtp_engine.textbook.game import Move, Position, require_moves, require_two_players


def find_winning_move(position: Position) -> Move | None:
    """Return the first move that wins at once, or None. It looks one move ahead."""
    player = position.next_player
    for move in position.legal_moves():
        after = position.apply_move(move)
        if after.is_over() and after.winner() == player:
            return move
    return None


def find_safe_moves(position: Position) -> list[Move]:
    """Return the moves after which the opponent has not won and can't win at once. It looks two moves ahead. It may be empty."""
    return [move for move in position.legal_moves() if is_safe(position.apply_move(move), position.next_player)]


def is_safe(position: Position, player: int) -> bool:
    """Has the opponent of `player` neither won nor a move that wins at once? The opponent is to move, or the game is over."""
    if position.is_over():
        return position.winner() in (player, None)
    return find_winning_move(position) is None


def find_two_move_win(position: Position) -> Move | None:
    """Return a move that wins at once, else one after which every reply allows a winning move, or None. It looks three moves ahead.

    In tic-tac-toe such a move is a fork: it threatens two lines, and the opponent can block only one.
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
    """Has `player` won, or a move that wins at once? `player` is to move, or the game is over."""
    if position.is_over():
        return position.winner() == player
    return find_winning_move(position) is not None


def choose_move(position: Position, dice: Random) -> Move:
    """Return a move that wins within three moves, else a random move that prevents an immediate win of the opponent, else any random move.

    Raises ValueError when the game is over and for games that are not for two players who decide.
    """
    require_two_players(position)
    moves = require_moves(position)
    return find_two_move_win(position) or dice.choice(find_safe_moves(position) or moves)
