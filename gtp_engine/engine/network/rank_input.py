"""How a network is told the rank of a person; see rank_names for the numbers."""

import numpy as np

from gtp_engine.go.rank_names import UNKNOWN_RANK

RANK_INPUTS = 2  # numbers that tell a network of one rank
MIDDLE, UNIT = 20.0, 10.0  # 10k is 0.0, 1d is 1.0


def rank_input(ranks: np.ndarray) -> np.ndarray:
    """[B] numbers of ranks -> float32 [B, RANK_INPUTS]: is it known, and how far above 10k; both 0 for UNKNOWN_RANK."""
    known = ranks != UNKNOWN_RANK
    return np.stack((known, np.where(known, (ranks - MIDDLE) / UNIT, 0.0)), 1).astype(np.float32)
