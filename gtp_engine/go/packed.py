"""How packed a position is: whether its stones stand as in a game, or fill areas as the frames of problems do."""

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE


def packed_share(game: Game) -> float:
    """0..1: how many of the stones have nothing but stones of their own color and the edge beside them; 0 without stones."""
    position = game.positions[0]
    colors, around = position["color"], position["neighbors"]
    own = {BLACK: around & 15, WHITE: around >> 4 & 15}  # see POSITION.neighbors
    packed = sum(int(np.count_nonzero((colors == color) & (count == 4))) for color, count in own.items())
    stones = int(np.count_nonzero((colors == BLACK) | (colors == WHITE)))
    return packed / stones if stones else 0.0
