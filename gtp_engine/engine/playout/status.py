"""Which stones live at the end, by the result of many playouts: the base of scores, dead stones and passing."""

import numpy as np

from gtp_engine.engine.playout.playout import PLAYOUT_SCRATCH, TALLY, run_playouts
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, NO_POINT, WHITE

STATUS_PLAYOUTS = 200  # for each player to move first; the error of an ownership is then below 0.05
STATUS_SEED = 1  # the same question always gets the same answer
DEAD_BELOW = -0.2  # a chain is dead when its points go to the opponent clearly more often than not; near 0 is a race


def estimate_ownership(game: Game, policies: np.ndarray, playouts: int = STATUS_PLAYOUTS) -> np.ndarray:
    """[P] -1..1: how surely each point ends as Black's (1) or White's (-1). Depends on the stones only, not on who is to play.

    `policies` is [1] PLAYOUT_POLICY; `playouts` are run with each player to move first.
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
