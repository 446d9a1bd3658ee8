"""Glicko-2, a rating with its uncertainty, after Mark E. Glickman, "Example of the Glicko-2 system" (2022 version of the paper of 2012),
http://www.glicko.net/glicko/glicko2.pdf. The numbers of the steps and the letters are the paper's; each game is a rating period.
"""

import math
from dataclasses import dataclass

SCALE = 173.7178  # between a rating as it is shown and the paper's own scale
MIDDLE = 1500.0
TAU = 0.5  # how fast the volatility may change
PRECISION = 1e-6
MOST_DEVIATION, LEAST_DEVIATION = 350.0, 45.0  # the least one lets the rating of somebody who plays every day still change


@dataclass(frozen=True)
class Glicko:
    """A rating, its uncertainty (one standard deviation), and the volatility of the results."""

    rating: float = MIDDLE
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06


def after_game(player: Glicko, opponent: Glicko, score: float) -> Glicko:
    """The player's rating after a game with this score: 1 won, 0 lost."""
    mu, phi = (player.rating - MIDDLE) / SCALE, player.deviation / SCALE
    mu_j, phi_j = (opponent.rating - MIDDLE) / SCALE, opponent.deviation / SCALE
    g = 1.0 / math.sqrt(1.0 + 3.0 * phi_j**2 / math.pi**2)
    expected = 1.0 / (1.0 + math.exp(-g * (mu - mu_j)))
    v = 1.0 / (g**2 * expected * (1.0 - expected))  # step 3
    delta = v * g * (score - expected)  # step 4
    volatility = new_volatility(player.volatility, phi, v, delta)
    phi_star = math.sqrt(phi**2 + volatility**2)  # step 6
    phi_new = 1.0 / math.sqrt(1.0 / phi_star**2 + 1.0 / v)  # step 7
    mu_new = mu + phi_new**2 * g * (score - expected)
    deviation = min(max(SCALE * phi_new, LEAST_DEVIATION), MOST_DEVIATION)
    return Glicko(SCALE * mu_new + MIDDLE, deviation, volatility)


def new_volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Step 5: the root of f by the Illinois algorithm."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        """The paper's f."""
        spread = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2.0 * spread**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(a - k * TAU) < 0.0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)
