"""A person's thinking time: random seconds for a move, by its difficulty, the stage of the game, and the clock.

The records that ranks were learned from hold no times. These numbers are chosen, not learned.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.player.time_control import Allowance
from gtp_engine.go.game import Game

SMALL = 9  # lines of the board that `usual` is for; it grows with the size
FILLED = (0.0, 0.1, 0.4, 0.8)  # shares of the points with a stone, and how much longer than usual a move takes there
PHASES = (0.5, 1.0, 1.2, 0.6)  # the first moves are known by heart, fights are in the middle, the end is small


@dataclass(frozen=True)
class Pace:
    """The speed of a player; in seconds, if no other unit is named."""

    usual: float = 4.0  # for an ordinary move on 9x9
    ordinary: float = 1.5  # nats: the entropy of an ordinary move's chances; the mean of held-out positions, see docs/ranks.md
    harder: float = 0.6  # each nat more takes exp(harder) times as long
    spread: float = 0.5  # standard deviation of the logarithm: the same move may take half as long, or twice
    shortest: float = 0.5  # the hand needs it
    longest: float = 30.0
    part: float = 0.5  # of the time that the clock gives for a move: people don't use it all, and the rest is for surprises

    def seconds(self, chances: Iterable[float], game: Game, allowance: Allowance | None, random: np.random.Generator) -> float:
        """For the whole move.

        chances -- how likely people play each move, together 1
        allowance -- what the clock leaves from now on, None: there is no clock; never more than `part` of its maximum is used
        """
        usual = self.usual * game.size / SMALL
        if allowance is not None:
            usual = min(usual, self.part * allowance.desired)
        longer = self.harder * (entropy(chances) - self.ordinary) + self.spread * random.normal()
        seconds = usual * phase(game) * float(np.exp(longer))
        seconds = min(max(seconds, self.shortest), self.longest)
        return seconds if allowance is None else min(seconds, self.part * allowance.maximum)


def entropy(chances: Iterable[float]) -> float:
    """In nats: 0 for a move that everybody plays, log(n) for n that are played equally often."""
    positive = np.array([chance for chance in chances if chance > 0.0])
    return float(-(positive * np.log(positive)).sum())


def phase(game: Game) -> float:
    """The factor of the thinking time in this stage of the game."""
    points = game.size * game.size
    return float(np.interp(1.0 - int(game.positions[0]["empty_count"]) / points, FILLED, PHASES))
