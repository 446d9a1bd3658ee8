"""Win rates as they are shown: how often a player who stands like this wins, in games of people.

A search's own win rate is careful: its playouts and its network are unsure even of games that are as good as won. Choosing a move needs
only the order of win rates, so what decides (moves, passes, resignation) keeps the search's own. What is shown is brought to what was
found in games: its logarithm of the odds, times a number that was fitted.
"""

from dataclasses import dataclass, replace

from gtp_engine.search.params import MIXED, SMALL_BOARD, SearchParams, evaluator_for
from gtp_engine.search.result import SearchResult

AS_FOUND = 1.0  # multiplier of the odds' logarithm that changes nothing


@dataclass(frozen=True)
class Calibration:
    """Multipliers for the logarithm of the odds, fitted by `gtp-engine train calibration` for our own networks; see docs/calibration.md.

    Nothing is changed where nothing was measured: with playouts or a network alone, and with a network that the user named.
    """

    small_board: float = 1.423  # up to SMALL_BOARD lines: 9x9 games of OGS (ogs-9x9)
    large_board: float = 3.003  # 19x19 games of 9-dans (tygem-9d)

    def multiplier(self, params: SearchParams, size: int, packed: float = 0.0) -> float:
        """What belongs to a search with these settings on a board of `size` lines with this share of packed stones, see go/packed.py."""
        if params.network or evaluator_for(params.evaluator, size, packed) != MIXED:
            return AS_FOUND
        return self.small_board if size <= SMALL_BOARD else self.large_board


UNCALIBRATED = Calibration(AS_FOUND, AS_FOUND)


def calibrated(win_rate: float, multiplier: float) -> float:
    """The win rate, 0..1, with the logarithm of its odds multiplied. 0, 0.5 and 1 stay what they are."""
    if multiplier == AS_FOUND:
        return win_rate
    won: float = win_rate**multiplier
    lost: float = (1.0 - win_rate) ** multiplier
    return won / (won + lost)


def shown(result: SearchResult, multiplier: float) -> SearchResult:
    """The result with every win rate calibrated, its order kept."""
    if multiplier == AS_FOUND:
        return result
    candidates = [
        replace(each, win_rate=calibrated(each.win_rate, multiplier), lower_bound=calibrated(each.lower_bound, multiplier))
        for each in result.candidates
    ]
    return replace(result, candidates=candidates, win_rate=calibrated(result.win_rate, multiplier))
