"""Wilson's interval (1927) for a share in a number of trials, which is also valid for few trials and at 0 and 1."""

import math

SIGMAS_95 = 1.96  # standard deviations on each side of a 95 % interval


def wilson_interval(share: float, count: float) -> tuple[float, float]:
    """(low, high) of 95 % for a share of 0..1 in `count` trials, more than 0; within 0..1."""
    squared = SIGMAS_95 * SIGMAS_95
    center = share + squared / (2 * count)
    spread = SIGMAS_95 * math.sqrt(max(share * (1.0 - share), 0.0) / count + squared / (4 * count * count))
    whole = 1.0 + squared / count
    return max((center - spread) / whole, 0.0), min((center + spread) / whole, 1.0)
