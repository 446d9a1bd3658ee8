"""What a network predicts besides policy, win rate, lead and owners: for people and clients; searches don't use it."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

UNKNOWN = -1.0  # what a network doesn't predict


@dataclass(frozen=True)
class Details:
    """What a network predicts besides a Look's other fields, from the side of the player to move."""

    no_result: float  # probability that the game ends without a result; half of it is in the win rate
    score: float  # expected points at the end of games of self-play, or of people's games, komi included
    score_square: float  # expected square of these points
    time_left: float  # the longer it takes until the winner is clear, the larger; in no unit. UNKNOWN if it isn't predicted
    win_error: float  # expected change of (chance to win - chance to lose) in the next moves; UNKNOWN likewise
    score_error: float  # expected change of the score in the next moves, in points; UNKNOWN likewise

    @property
    def score_deviation(self) -> float:
        """The standard deviation of the points at the end."""
        return math.sqrt(max(self.score_square - self.score**2, 0.0))


def mean_details(details: Sequence[Details]) -> Details:
    """The mean of several evaluations of one position."""
    return Details(*(sum(numbers) / len(details) for numbers in zip(*map(astuple, details), strict=True)))
