"""Captures if it can; otherwise plays any move that doesn't fill its own eye."""

import random

from gtp_engine.textbook.go_game import GoPosition, capturing_moves


def choose_move(position: GoPosition, dice: random.Random) -> str:
    """A legal move."""
    moves = [move for move in position.legal_moves() if move != "pass" and not position.fills_own_eye(move)]
    captures = [move for move in capturing_moves(position) if move in moves]
    return dice.choice(captures or moves or ["pass"])
