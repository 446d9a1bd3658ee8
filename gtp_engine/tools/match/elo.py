"""Elo differences of scores, with intervals. Draws count as half wins."""

import math
from dataclasses import dataclass

from gtp_engine.base.wilson import wilson_interval

ELO_PER_LOGIT = 400 / math.log(10)  # a difference of 400 Elo means odds of 10 to 1


@dataclass(frozen=True)
class Tally:
    """The results of one player against another, or against everybody."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games with an outcome."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The score, 0 to 1, with draws as half wins; 0.5 without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reversed(self) -> "Tally":
        """The other side's tally."""
        return Tally(self.losses, self.draws, self.wins)


def expected_score(elo: float) -> float:
    """The score of a player who is `elo` stronger."""
    return 1 / (1 + math.exp(-elo / ELO_PER_LOGIT))


def elo_of(score: float) -> float:
    """The Elo difference of a score; minus and plus infinity for 0 and 1."""
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return ELO_PER_LOGIT * math.log(score / (1 - score))


def score_interval(tally: Tally) -> tuple[float, float]:
    """Wilson's 95 % interval of the score, which is also valid for few games and at 0 and 1.

    With draws, results vary less than with wins and losses alone, so these games count as more games without draws, at most four times as
    many.
    """
    if not tally.games:
        return 0.0, 1.0
    return wilson_interval(tally.score, _games_without_draws(tally))


def elo_interval(tally: Tally) -> tuple[float, float]:
    """The interval of the score in Elo; infinite on one side if all games had the same result."""
    low, high = score_interval(tally)
    return elo_of(low if tally.wins or tally.draws else 0.0), elo_of(high if tally.losses or tally.draws else 1.0)


def _games_without_draws(tally: Tally) -> float:
    """The number of games without draws that would have the same variance."""
    score = tally.score
    variance = (tally.wins * (1 - score) ** 2 + tally.draws * (0.5 - score) ** 2 + tally.losses * score**2) / tally.games
    if variance == 0:
        return tally.games
    return tally.games * min(score * (1 - score) / variance, 4.0)
