"""Win rates as odds, whose logarithms can be averaged and fitted."""

import math

SUREST = 0.9995  # win rate: surer ones are taken for this, the logarithm of whose odds is finite


def logit(win_rate: float) -> float:
    """The logarithm of the odds of a win rate, 0..1."""
    rate = min(max(win_rate, 1.0 - SUREST), SUREST)
    return math.log(rate / (1.0 - rate))
