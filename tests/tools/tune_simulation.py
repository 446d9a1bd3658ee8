"""How near to the truth does tuning come? Simulated games of two parameters, whose strength is a known quadratic function.

.venv/bin/python tests/tools/tune_simulation.py [GAMES [FALL [RUNS]]]: strength falls by FALL Elo at half a range from the best value
(default: 320 games, 109 Elo, 16 runs). Prints the mean distance of the last center and of the fitted best values from the true ones, in
shares of a range, the mean width of the error bars, and how many of them hold the truth.
"""

import sys

import numpy as np

from gtp_engine.tools.match.elo import expected_score
from gtp_engine.tools.tuning.fit import Optimum, best_point
from gtp_engine.tools.tuning.spsa import Gains, Shares, next_center, point_pair

TRUTH, START = np.array([0.3, 0.7]), np.array([0.6, 0.4])
BATCH = 8
DEFAULTS = [320, 109, 16]


def tuned(games: int, fall: float, seed: int) -> tuple[Shares, Optimum]:
    """The last center and the best values of one run."""
    center, gains, dice = START, Gains(), np.random.default_rng([99, seed])
    found = []
    for batch in range(games // (2 * BATCH)):
        width = gains.width_in(batch)
        points = [point_pair(center, width, seed, BATCH * batch + place) for place in range(BATCH)]
        scores = []
        for pair in points:
            elo = 4.0 * fall * (np.sum((pair.minus - TRUTH) ** 2) - np.sum((pair.plus - TRUTH) ** 2))
            scores.append(dice.binomial(2, expected_score(float(elo))) / 2)
        found += [(pair.plus, pair.minus, score) for pair, score in zip(points, scores, strict=True)]
        center = next_center(center, points, scores, width, gains.step_in(batch))
    return center, best_point(found, START, seed)


def main() -> int:
    """Run and print."""
    games, fall, runs = [int(text) for text in sys.argv[1:4]] + DEFAULTS[len(sys.argv[1:4]) :]
    results = [tuned(games, fall, seed) for seed in range(runs)]
    center = np.mean([np.abs(center - TRUTH) for center, _ in results])
    best = np.mean([np.abs(optimum.best - TRUTH) for _, optimum in results])
    bars = np.mean([optimum.high - optimum.low for _, optimum in results])
    held = sum(int(np.sum((optimum.low <= TRUTH) & (optimum.high >= TRUTH))) for _, optimum in results)
    print(f"{games} games, {fall} Elo: last center {center:.3f}, best {best:.3f} of a range from the truth; bars {bars:.2f} wide", end="")
    print(f", {held} of {2 * runs} hold it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
