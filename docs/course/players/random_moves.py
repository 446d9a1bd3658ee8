"""Any legal move that fills no eye of one's own: the opponent to begin with."""

import random

from gtp_engine.textbook.go_game import GoPosition


def choose_move(position: GoPosition, dice: random.Random) -> str:
    """A legal move."""
    moves = [move for move in position.legal_moves() if move != "pass" and not position.fills_own_eye(move)]
    return dice.choice(moves or ["pass"])
