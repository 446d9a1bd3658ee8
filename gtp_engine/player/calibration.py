"""Win rates and leads as they are shown: how often a player who stands like this wins, in games of people, and by how much.

Choosing a move needs only the order of win rates, so what decides (moves, passes, resignation) keeps the search's own. What is shown is
brought to what was found in games: its logarithm of the odds, times a number that was fitted.
"""

import math
from dataclasses import dataclass, replace

from gtp_engine.go.points import MAX_SIZE
from gtp_engine.search.params import NETWORK, SMALL_BOARD, SearchParams, evaluator_for
from gtp_engine.search.result import SearchResult


@dataclass(frozen=True)
class Scale:
    """How what a search found becomes what is shown."""

    odds: float = 1.0  # multiplier of the logarithm of a win rate's odds
    lead_found: float = math.inf  # points: a lead up to this is shown as it was found
    lead_beyond: float = 1.0  # points shown for each point of a lead beyond that


AS_FOUND = Scale()
SUREST = 0.9995  # win rate: surer ones are taken for this, the logarithm of whose odds is finite
UNSTRETCHED = 9  # lines of the board on which leads are right as they are found; from there to MAX_SIZE the factor grows in proportion


@dataclass(frozen=True)
class Calibration:
    """The scales of the included networks: none so far; docs/calibration.md tells how to find some.

    Nothing is changed where nothing was measured: with playouts, with `mixed`, and with a network that the user named.
    """

    small_board: Scale = AS_FOUND  # up to SMALL_BOARD lines
    large_board: Scale = AS_FOUND

    def scale(self, params: SearchParams, size: int, packed: float = 0.0) -> Scale:
        """What belongs to a search with these settings on a board of `size` lines with this share of packed stones, see go/packed.py."""
        if params.network or evaluator_for(params.evaluator, size, packed) != NETWORK:
            return AS_FOUND
        if size <= SMALL_BOARD:
            return self.small_board
        part = (size - UNSTRETCHED) / (MAX_SIZE - UNSTRETCHED)
        return replace(self.large_board, lead_beyond=1.0 + part * (self.large_board.lead_beyond - 1.0))


UNCALIBRATED = Calibration(AS_FOUND, AS_FOUND)


def calibrated(win_rate: float, scale: Scale) -> float:
    """The win rate, 0..1, as it is shown. 0, 0.5 and 1 stay what they are."""
    if scale.odds == AS_FOUND.odds:
        return win_rate
    won: float = win_rate**scale.odds
    lost: float = (1.0 - win_rate) ** scale.odds
    return won / (won + lost)


def logit(win_rate: float) -> float:
    """The logarithm of the odds."""
    rate = min(max(win_rate, 1.0 - SUREST), SUREST)
    return math.log(rate / (1.0 - rate))


def stretched(lead: float, scale: Scale) -> float:
    """The lead in points, of either side, as it is shown."""
    beyond = max(abs(lead) - scale.lead_found, 0.0)
    return lead + math.copysign((scale.lead_beyond - 1.0) * beyond, lead)


def shown(result: SearchResult, scale: Scale) -> SearchResult:
    """The result with every win rate and lead on this scale, its order kept."""
    if scale == AS_FOUND:
        return result
    candidates = [
        replace(
            each,
            win_rate=calibrated(each.win_rate, scale),
            lower_bound=calibrated(each.lower_bound, scale),
            score=stretched(each.score, scale),
        )
        for each in result.candidates
    ]
    return replace(result, candidates=candidates, win_rate=calibrated(result.win_rate, scale), score=stretched(result.score, scale))
