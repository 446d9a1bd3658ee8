"""Which stones live at the end, by many playouts. Scores, dead stones and passing use it."""

import numpy as np

from gtp_engine.engine.playout.playout import PLAYOUT_SCRATCH, TALLY, run_playouts
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, NO_POINT, WHITE

STATUS_PLAYOUTS = 200  # with each player to move first; the standard error of an ownership is then below 0.05
STATUS_SEED = 1  # a fixed seed: the same position always gets the same result
DEAD_BELOW = -0.2  # ownership of a chain's points by its owner; values near 0 are races


def estimate_ownership(game: Game, policies: np.ndarray, playouts: int = STATUS_PLAYOUTS) -> np.ndarray:
    """[P] -1..1: the expected owner of each point at the end, Black's (1) or White's (-1). Depends on the stones only, not on who is to
    play.

    `policies` is [1] PLAYOUT_POLICY. So many `playouts` are run with each player to move first.
    """
    total = np.zeros(len(game.positions[0]["color"]))
    for color in (BLACK, WHITE):
        positions = game.positions.copy()
        start = positions[0]
        start["to_play"], start["ko_point"], start["random"] = color, NO_POINT, STATUS_SEED
        start["last_move"], start["previous_move"] = NO_POINT, NO_POINT
        tallies = np.zeros(1, TALLY)
        run_playouts(positions, policies, tallies, np.zeros(1, PLAYOUT_SCRATCH), playouts)
        total += tallies[0]["ownership"] / playouts
    return total / 2


def dead_stones(game: Game, ownership: np.ndarray) -> set[int]:
    """The points of all chains that `ownership` gives to the opponent."""
    dead: set[int] = set()
    for point, chain in game.chains().items():
        if point == chain[0]:
            sign = 1 if game.color_at(point) == BLACK else -1
            if sign * float(ownership[chain].mean()) < DEAD_BELOW:
                dead.update(chain)
    return dead
