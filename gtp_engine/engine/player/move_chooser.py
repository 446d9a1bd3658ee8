"""The interface by which an engine gets its moves: at full strength, at a level, at a rank, or from a player of the textbook."""

from typing import Self

from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits, Progress

FULL_STRENGTH = 0  # the level that is none


class MoveChooser:
    """Finds moves: this one by the engine's own search as it is. An engine may exchange it for another at any time between two moves.

    level -- that it plays at, FULL_STRENGTH for none; None: it can't play at levels
    rank -- that it plays at, like `12k`; empty for none
    """

    level: int | None = FULL_STRENGTH
    rank = ""

    def search_params(self, params: SearchParams) -> SearchParams:
        """The parameters of the engine's own search, made from those that a user has set."""
        return params

    def restarted(self, params: SearchParams, seed: int) -> Self:
        """A new chooser of the same kind, for a new game; `params` are those of search_params."""
        return self

    def chances(self, turn: Turn, search: OwnSearch, symmetry: int = 0) -> dict[int, float]:
        """The probability that people play each move, by a network that sees the board turned by `symmetry`; the sum is 1.

        Empty: it doesn't imitate people.
        """
        return {}

    def choose(self, turn: Turn, limits: Limits, progress: Progress | None, search: OwnSearch) -> SearchResult:
        """The candidate moves, the best first. Called once a move. May use `search`; the turn's token ends this, too."""
        return search.run(turn, limits, progress)
