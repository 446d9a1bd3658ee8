"""How packed the start of a game is: whether its stones stand as in a game, or fill areas as the frames of problems do."""

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE


def packed_share(game: Game) -> float:
    """0..1: how many of the stones at the start have nothing but stones of their own color and the edge beside them; 0 without stones.

    The start is the position from which the colors have moved in turn. What stands there was set up, by set-up stones or by moves of one
    color after another. What the players fill afterwards doesn't count: whoever has won, and passes while the opponent plays on, sees
    boards as packed as any frame.
    """
    position = game.earlier_position(len(game.moves) - first_in_turn(game.moves))
    colors, around = position["color"], position["neighbors"]
    own = {BLACK: around & 15, WHITE: around >> 4 & 15}  # see POSITION.neighbors
    packed = sum(int(np.count_nonzero((colors == color) & (count == 4))) for color, count in own.items())
    stones = int(np.count_nonzero((colors == BLACK) | (colors == WHITE)))
    return packed / stones if stones else 0.0


def first_in_turn(moves: list[tuple[int, int]]) -> int:
    """The number, from 0, of the move from which on no color moves twice running."""
    twice = [number for number in range(1, len(moves)) if moves[number][0] == moves[number - 1][0]]
    return twice[-1] if twice else 0
