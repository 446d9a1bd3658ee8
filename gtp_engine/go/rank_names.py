"""Ranks of people as text and as numbers: 30k = 0 ... 1k = 29, 1d = 30 ... 9d = 38, or UNKNOWN_RANK."""

import re

STRONGEST_KYU, LARGEST_KYU, LARGEST_DAN = 29, 30, 9  # 1k as a number; the scale is 30k to 9d
UNKNOWN_RANK = 127
WEAKEST_LEARNED, STRONGEST_LEARNED = 10, 32  # 20k and 3d: of others there are too few games to learn from


def read_rank(text: str) -> int:
    """`30k` to `1k` as 0 to 29, `1d` to `9d` as 30 to 38. Raises ValueError."""
    match = re.fullmatch(r"(\d{1,2})([kd])", text.lower())
    number = int(match[1]) if match else 0
    if match is None or not 1 <= number <= (LARGEST_KYU if match[2] == "k" else LARGEST_DAN):
        raise ValueError(f"{text!r} is not a rank from 30k to 1k or 1d to 9d")
    return LARGEST_KYU - number if match[2] == "k" else STRONGEST_KYU + number


def rank_of_record(text: str) -> int:
    """The rank in a game record, `5k`, `5 kyu` or `2 dan`, as a number; UNKNOWN_RANK for all else, including uncertain ones (`5k?`)."""
    match = re.fullmatch(r"(\d{1,2})\s*([kd])(?:yu|an)?", text.strip().lower())
    try:
        return read_rank(match[1] + match[2]) if match else UNKNOWN_RANK
    except ValueError:
        return UNKNOWN_RANK


def rank_text(rank: int) -> str:
    """`12k` or `3d`."""
    return f"{LARGEST_KYU - rank}k" if rank <= STRONGEST_KYU else f"{rank - STRONGEST_KYU}d"
