"""Grades task 3."""

import random

import pytest
from course import load

from gtp_engine.textbook.bandit import Arm, pull

choose_arm = load("bandit").choose_arm


def test_each_arm_is_pulled_once_in_their_order() -> None:
    assert choose_arm([Arm(), Arm(), Arm()]) == 0
    assert choose_arm([Arm(5, 5.0), Arm(), Arm()]) == 1


@pytest.mark.parametrize(
    ("arms", "choice"),
    [
        ([Arm(10, 6.0), Arm(10, 5.0)], 0),  # equally known: the better one
        ([Arm(100, 60.0), Arm(2, 1.0)], 1),  # hardly known: it may be better
        ([Arm(1000, 900.0), Arm(100, 10.0)], 0),
        ([Arm(50, 25.0), Arm(20, 9.0), Arm(50, 26.0)], 1),
    ],
)
def test_the_upper_end_of_the_interval_decides(arms: list[Arm], choice: int) -> None:
    assert choose_arm(arms) == choice


def test_the_best_arm_is_pulled_most_and_no_other_given_up() -> None:
    """2,000 pulls at 30, 50 and 60 %."""
    rates, rng = [0.3, 0.5, 0.6], random.Random(1)
    arms = [Arm() for _ in rates]
    for _ in range(2000):
        index = choose_arm(arms)
        pull(arms[index], rates[index], rng)
    assert arms[2].pulls > 1000
    assert all(arm.pulls > 20 for arm in arms)
