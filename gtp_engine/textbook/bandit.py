"""The bandit: which arm to pull when each pays by chance and you learn its rate only by pulling it.

Tree search asks this question at every node: the arms are the moves, a pull is a playout. UCB1 answers it by optimism. It pulls the
arm whose rate could be the highest, given what is known: the mean so far plus the width of its confidence interval.

P. Auer, N. Cesa-Bianchi and P. Fischer: Finite-time Analysis of the Multiarmed Bandit Problem. Machine Learning 47, 2002.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

UCB1_TEMPERATURE = math.sqrt(2.0)  # Auer's: rewards in 0..1 leave the interval with a chance of at most N**-4


@dataclass
class Arm:
    """What is known of one arm."""

    pulls: int = 0
    reward_sum: float = 0.0

    @property
    def mean(self) -> float:
        """Reward per pull so far. Raises ValueError for an arm that was never pulled."""
        if self.pulls == 0:
            raise ValueError("an arm that was never pulled has no mean")
        return self.reward_sum / self.pulls


def confidence_radius(pulls: int, all_pulls: int, temperature: float = UCB1_TEMPERATURE) -> float:
    """How far the true rate may be from the mean of `pulls` pulls, out of `all_pulls` of all arms: temperature * sqrt(ln N / n).

    From Hoeffding's inequality: the mean of n rewards in 0..1 is off by r or more with a chance of at most exp(-2 n r**2). With r as
    above and the default temperature that is N**-4, in each direction. The radius grows slowly while an arm is left alone, so none
    is ever given up; it shrinks fast while it is pulled. Raises ValueError without a pull or for a negative temperature.
    """
    if not 1 <= pulls <= all_pulls:
        raise ValueError(f"pulls must be between 1 and all pulls, not {pulls} of {all_pulls}")
    if temperature < 0.0:
        raise ValueError(f"the temperature must not be negative: {temperature}")
    return temperature * math.sqrt(math.log(all_pulls) / pulls)


def confidence_interval(arm: Arm, all_pulls: int, temperature: float = UCB1_TEMPERATURE) -> tuple[float, float]:
    """Where the arm's true rate lies, most likely; UCB1 compares the upper ends. May reach beyond 0..1."""
    radius = confidence_radius(arm.pulls, all_pulls, temperature)
    return arm.mean - radius, arm.mean + radius


def choose_arm(arms: Sequence[Arm], temperature: float = UCB1_TEMPERATURE) -> int:
    """Index of the arm to pull next by UCB1: first each arm once, in order, then the highest upper end; the first among equals.

    Temperature 0 is greedy, and can stay with a poor arm for ever. Raises ValueError when there is no arm.
    """
    if not arms:
        raise ValueError("no arm to choose from")
    for index, arm in enumerate(arms):
        if arm.pulls == 0:
            return index
    all_pulls = sum(arm.pulls for arm in arms)
    return max(range(len(arms)), key=lambda index: confidence_interval(arms[index], all_pulls, temperature)[1])


def pull(arm: Arm, rate: float, rng: random.Random) -> None:
    """Pull an arm that pays 1 with the probability `rate`, else 0, and note what it paid."""
    arm.pulls += 1
    arm.reward_sum += rng.random() < rate


def regrets(rates: Sequence[float], checkpoints: Sequence[int], rng: random.Random, temperature: float = UCB1_TEMPERATURE) -> list[float]:
    """The regret of UCB1 after each number of pulls in `checkpoints`, rising, on arms that pay with these rates.

    Regret is what always pulling the best arm would have paid more, on average over the payments. Auer's theorem bounds what is
    expected of it by a constant and 8 ln N / gap for each worse arm, `gap` being the difference between its rate and the best one.
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
