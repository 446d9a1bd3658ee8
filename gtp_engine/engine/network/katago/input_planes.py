"""The input of KataGo's networks for a position, for people who write or train their own."""

import numpy as np

from gtp_engine.engine.network.katago.inputs import encode_leaf
from gtp_engine.engine.network.katago.model import GLOBALS, PLANES
from gtp_engine.engine.network.katago.scratch import SCRATCH


def planes_of(leaf: np.ndarray) -> np.ndarray:
    """float32 [PLANES, S, S] of `leaf`, [1] LEAF; see inputs.py."""
    size = int(leaf["position"]["board_size"][0])
    planes = np.zeros((PLANES, size, size), np.float32)
    encode_leaf(leaf, np.zeros(1, SCRATCH), planes, np.zeros(GLOBALS, np.float32))
    return planes
