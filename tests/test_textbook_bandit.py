"""The bandit: UCB1 tries everything, settles on the best arm, and its regret grows as the logarithm of the pulls."""

import math
import random
from itertools import pairwise

import pytest

from gtp_engine.textbook.bandit import UCB1_TEMPERATURE, Arm, choose_arm, confidence_interval, confidence_radius, pull, regrets

RATES = (0.7, 0.4)
DECADES = (1_000, 10_000, 100_000)


def test_every_arm_is_pulled_once_first() -> None:
    arms = [Arm() for _ in range(4)]
    for expected in range(4):
        assert choose_arm(arms) == expected
        pull(arms[expected], 0.5, random.Random(expected))


def test_the_radius_is_that_of_hoeffdings_inequality() -> None:
    """Off by r with a chance of at most exp(-2 n r**2), which is N**-4 for the radius of UCB1."""
    radius = confidence_radius(50, 1_000)
    assert math.exp(-2 * 50 * radius**2) == pytest.approx(1_000**-4.0)


def test_the_interval_holds_the_true_rate() -> None:
    """A 1 - 2 N**-4 interval: not once in a thousand trials may it miss."""
    rng = random.Random(1)
    for _ in range(1_000):
        arm = Arm()
        for _ in range(20):
            pull(arm, 0.3, rng)
        low, high = confidence_interval(arm, 20)
        assert low <= 0.3 <= high


def test_the_optimist_prefers_the_arm_it_knows_less() -> None:
    assert choose_arm([Arm(100, 60.0), Arm(10, 6.0)]) == 1
    assert choose_arm([Arm(100, 60.0), Arm(10, 5.0)], temperature=0.0) == 0


def expected_regret(pulls: int, gap: float) -> float:
    """Of UCB1 on two arms: the worse one is pulled until the upper ends of both intervals meet."""
    worse = 1
    while confidence_radius(worse + 1, pulls) > gap + confidence_radius(pulls - worse, pulls):
        worse += 1
    return worse * gap


def test_regret_grows_as_the_logarithm_of_the_pulls() -> None:
    """Tenfold the pulls adds as much as the tenfold before; if it grew by their root, three times as much."""
    runs = [regrets(RATES, DECADES, random.Random(seed)) for seed in range(6)]
    means = [sum(run[i] for run in runs) / len(runs) for i in range(len(DECADES))]
    first, second = (after - before for before, after in pairwise(means))
    assert 0.6 < second / first < 1.6
    gap = RATES[0] - RATES[1]
    for pulls, regret in zip(DECADES, means, strict=True):
        assert regret == pytest.approx(expected_regret(pulls, gap), rel=0.25)
        assert regret <= 8.0 * math.log(pulls) / gap + (1.0 + math.pi**2 / 3.0) * gap  # theorem 1 of Auer et al.


def test_without_exploration_regret_can_grow_with_the_pulls() -> None:
    """The test above can fail: a greedy player whose best arm disappoints at first never comes back to it."""
    worst = max((regrets(RATES, (1_000, 10_000), random.Random(seed), temperature=0.0) for seed in range(20)), key=lambda run: run[-1])
    assert worst[1] > 9.0 * worst[0] > 1_000.0


@pytest.mark.parametrize(("pulls", "all_pulls"), [(0, 10), (11, 10), (0, 0)])
def test_no_radius_without_pulls(pulls: int, all_pulls: int) -> None:
    with pytest.raises(ValueError, match="pulls must be between 1 and all pulls"):
        confidence_radius(pulls, all_pulls)


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="no arm"):
        choose_arm([])
    with pytest.raises(ValueError, match="never pulled"):
        _ = Arm().mean
    with pytest.raises(ValueError, match="must not be negative"):
        confidence_radius(1, 1, -UCB1_TEMPERATURE)
