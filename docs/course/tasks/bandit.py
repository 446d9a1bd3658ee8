"""Task 3: the bandit."""

from collections.abc import Sequence

from gtp_engine.textbook.bandit import Arm


def choose_arm(arms: Sequence[Arm]) -> int:
    """The index of the arm to pull next, by UCB1.

    Each arm has `pulls` and, after its first pull, `mean`. Arms that were never pulled come first, in their order. After that, choose the
    arm with the greatest `mean + sqrt(2 ln N / n)`, where n is the number of its pulls and N the number of all pulls.
    """
    raise NotImplementedError
