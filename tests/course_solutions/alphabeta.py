"""Task 2, solved by the textbook."""

import math

from gtp_engine.textbook.alphabeta import AlphaBeta
from gtp_engine.textbook.game import Position


def search(position: Position, alpha: float, beta: float) -> float:
    """See the task."""
    return AlphaBeta[Position]().bound(position, math.inf, alpha, beta)
