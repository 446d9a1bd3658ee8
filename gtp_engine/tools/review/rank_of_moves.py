"""Estimate the rank that a player's moves look like, on the board size where ranks were learned. Other games load no network."""

from typing import TYPE_CHECKING

from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.go.rank_names import rank_text
from gtp_engine.tools.review.by_rank import PlayedRank
from gtp_engine.tools.review.reach import with_reach

if TYPE_CHECKING:
    import numpy as np

    from gtp_engine.engine.network.formats import OpenNetwork
    from gtp_engine.tools.review.model import GameReview
    from gtp_engine.tools.review.records import GameRecord

BOARD = 9  # board size: the ranks were learned and checked on it only
FEWEST = 8  # moves that an estimate needs


class RankTeller:
    """Estimates ranks. It opens its network for the first game that needs it."""

    def __init__(self) -> None:
        self._network: OpenNetwork | None = None

    def ranks_of(self, record: "GameRecord") -> dict[int, PlayedRank]:
        """Return the rank that each color's moves look like. Colors with too few moves are left out.

        The result is empty on other sizes than BOARD, and if the network can't be opened.
        """
        if record.size != BOARD or len(record.moves) < FEWEST:
            return {}

        try:
            network = self._open()
        except NetworkError:  # a review is useful without ranks
            return {}
        rows = {color: rows_of(record, color, network) for color in (BLACK, WHITE)}
        return {color: played_rank(color_rows) for color, color_rows in rows.items() if len(color_rows) >= FEWEST}

    def tell(self, review: "GameReview") -> None:
        """Add the ranks, and the shares of players who find the better moves, to a review. Does nothing on other sizes than BOARD."""
        review.ranks = self.ranks_of(review.record)
        if review.record.size == BOARD and self._network is not None:
            review.moves = with_reach(review, self._network)

    def _open(self) -> "OpenNetwork":
        """Return the network that takes ranks as input. Raises NetworkError."""
        if self._network is None:
            from gtp_engine.engine.network.loading import NetworkLoader
            from gtp_engine.engine.search.params import SearchParams

            self._network = NetworkLoader().ranks_network(SearchParams())
        return self._network


def rows_of(record: "GameRecord", color: int, network: "OpenNetwork") -> "np.ndarray":
    """Return the likelihoods of this player's moves, see rank_likelihood.log_likelihoods."""
    from gtp_engine.engine.network.rank_likelihood import log_likelihoods

    return log_likelihoods(record.position(len(record.moves) + 1), record.komi, network, (color,))


def played_rank(rows: "np.ndarray") -> PlayedRank:
    """Return the rank that the rows of likelihoods suggest. There must be at least one row."""
    from gtp_engine.engine.network.rank_likelihood import INTERVAL, estimate

    estimated = estimate(rows)
    return PlayedRank(rank_text(round(estimated.rank)), rank_text(estimated.low), rank_text(estimated.high), INTERVAL, estimated.moves)
