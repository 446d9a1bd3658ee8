"""The chains of a game, and those that can never be taken."""

import numpy as np

from gtp_engine.go.benson import BENSON, mark_safe_points
from gtp_engine.go.game import Game
from gtp_engine.go.points import POINTS

Chain = frozenset[int]


def chains_of(game: Game, color: int) -> set[Chain]:
    """Every chain of `color`."""
    colors = game.colors()
    return {frozenset(chain) for point, chain in game.chains().items() if colors[point] == color and chain[0] == point}


def safe_area(game: Game, color: int) -> set[int]:
    """The stones of `color` that stay on the board even if `color` always passes, and the points that they then own (benson.py)."""
    safe = np.empty(POINTS, np.uint8)
    mark_safe_points(game.positions, 0, color, np.empty(1, BENSON), safe)
    return set(np.flatnonzero(safe).tolist())
