"""Plays any legal move that doesn't fill its own eye: a first opponent."""

import random

from gtp_engine.textbook.go_game import GoPosition


def choose_move(position: GoPosition, dice: random.Random) -> str:
    """A legal move."""
    moves = [move for move in position.legal_moves() if move != "pass" and not position.fills_own_eye(move)]
    return dice.choice(moves or ["pass"])
