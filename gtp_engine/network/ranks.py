"""Ranks of people, and how a network is told one.

A rank is a number, 30k = 0 ... 1k = 29, 1d = 30 ... 9d = 38, or UNKNOWN_RANK.
"""

import re

import numpy as np

STRONGEST_KYU, LARGEST_KYU, LARGEST_DAN = 29, 30, 9  # 1k as a number; 30k and 9d end the scale
UNKNOWN_RANK = 127
RANK_INPUTS = 2  # numbers that tell a network of one rank
MIDDLE, UNIT = 20.0, 10.0  # 10k is 0.0, 1d is 1.0


def read_rank(text: str) -> int:
    """`30k` to `1k` as 0 to 29, `1d` to `9d` as 30 to 38. Raises ValueError."""
    match = re.fullmatch(r"(\d{1,2})([kd])", text.lower())
    number = int(match[1]) if match else 0
    if match is None or not 1 <= number <= (LARGEST_KYU if match[2] == "k" else LARGEST_DAN):
        raise ValueError(f"{text!r} is not a rank from 30k to 1k or 1d to 9d")
    return LARGEST_KYU - number if match[2] == "k" else STRONGEST_KYU + number


def rank_text(rank: int) -> str:
    """`12k` or `3d`."""
    return f"{LARGEST_KYU - rank}k" if rank <= STRONGEST_KYU else f"{rank - STRONGEST_KYU}d"


def rank_input(ranks: np.ndarray) -> np.ndarray:
    """[B] numbers of ranks -> float32 [B, RANK_INPUTS]: is it known, and how far above 10k; both 0 for UNKNOWN_RANK."""
    known = ranks != UNKNOWN_RANK
    return np.stack((known, np.where(known, (ranks - MIDDLE) / UNIT, 0.0)), 1).astype(np.float32)
