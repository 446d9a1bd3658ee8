"""The multi-armed bandit: choose an arm to pull when each pays at random and only pulling it reveals its rate.

Tree search solves this problem at every node: the arms are the moves, and a pull is a playout. UCB1 is optimistic. It pulls the arm
with the highest plausible rate: the mean so far plus the width of its confidence interval.

P. Auer, N. Cesa-Bianchi and P. Fischer: Finite-time Analysis of the Multiarmed Bandit Problem. Machine Learning 47, 2002.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

UCB1_TEMPERATURE = math.sqrt(2.0)  # Auer's: rewards in 0..1 leave the interval with a chance of at most N**-4


@dataclass
class Arm:
    """The pulls and rewards of one arm."""

    pulls: int = 0
    reward_sum: float = 0.0

    @property
    def mean(self) -> float:
        """The mean reward of a pull so far. Raises ValueError for an arm that was never pulled."""
        if self.pulls == 0:
            raise ValueError("an arm that was never pulled has no mean")
        return self.reward_sum / self.pulls


def confidence_radius(pulls: int, all_pulls: int, temperature: float = UCB1_TEMPERATURE) -> float:
    """Return the radius temperature * sqrt(ln N / n) of the confidence interval, for n = `pulls` of an arm and N = `all_pulls` in total.

    By Hoeffding's inequality the mean of n rewards in 0..1 is off by r or more with a probability of at most exp(-2 n r**2). For this
    radius and the default temperature it is N**-4, in each direction. The radius shrinks fast while an arm is pulled. It grows slowly
    otherwise, so that no arm is abandoned. Raises ValueError without a pull or for a negative temperature.
    """
    if not 1 <= pulls <= all_pulls:
        raise ValueError(f"pulls must be between 1 and all pulls, not {pulls} of {all_pulls}")
    if temperature < 0.0:
        raise ValueError(f"the temperature must not be negative: {temperature}")
    return temperature * math.sqrt(math.log(all_pulls) / pulls)


def confidence_interval(arm: Arm, all_pulls: int, temperature: float = UCB1_TEMPERATURE) -> tuple[float, float]:
    """Return the confidence interval (low, high) of the arm's true rate. UCB1 compares the upper ends. It may exceed 0..1."""
    radius = confidence_radius(arm.pulls, all_pulls, temperature)
    return arm.mean - radius, arm.mean + radius


def choose_arm(arms: Sequence[Arm], temperature: float = UCB1_TEMPERATURE) -> int:
    """Return the index of the arm that UCB1 pulls next: each arm once in order, then the first one with the highest upper end.

    Temperature 0 is greedy and can stay with a poor arm forever. Raises ValueError when there is no arm.
    """
    if not arms:
        raise ValueError("no arm to choose from")
    for index, arm in enumerate(arms):
        if arm.pulls == 0:
            return index
    all_pulls = sum(arm.pulls for arm in arms)
    return max(range(len(arms)), key=lambda index: confidence_interval(arms[index], all_pulls, temperature)[1])


def pull(arm: Arm, rate: float, rng: random.Random) -> None:
    """Pull an arm that pays 1 with the probability `rate`, else 0, and add the reward to the arm."""
    arm.pulls += 1
    arm.reward_sum += rng.random() < rate


def regrets(rates: Sequence[float], checkpoints: Sequence[int], rng: random.Random, temperature: float = UCB1_TEMPERATURE) -> list[float]:
    """Return the regret of UCB1 after each number of pulls in `checkpoints`, in ascending order, on arms with these rates.

    Regret is the expected reward that pulling the best arm every time would have added. Auer's theorem bounds the expected regret by a
    constant plus 8 ln N / gap for each worse arm, where `gap` is the difference between its rate and the best rate.
    """
    arms = [Arm() for _ in rates]
    gaps = [max(rates) - rate for rate in rates]
    regrets, pulls = [], 0
    for checkpoint in checkpoints:
        for _ in range(pulls, checkpoint):
            index = choose_arm(arms, temperature)
            pull(arms[index], rates[index], rng)
        pulls = checkpoint
        regrets.append(sum(arm.pulls * gap for arm, gap in zip(arms, gaps, strict=True)))
    return regrets
