"""Task 3: the bandit."""

from collections.abc import Sequence

from gtp_engine.textbook.bandit import Arm


def choose_arm(arms: Sequence[Arm]) -> int:
    """The index of the arm to pull next, by UCB1.

    Each arm has `pulls` and, after its first pull, `mean`. An arm that was never pulled comes first, in their order. Then the one with the
    greatest `mean + sqrt(2 ln N / n)`, where n is how often it was pulled and N is how often all were.
    """
    raise NotImplementedError
