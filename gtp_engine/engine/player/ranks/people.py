"""Playing like the people of a profile, as `humanSLProfile` names them."""

from dataclasses import replace

import numpy as np

from gtp_engine.engine.network.human_profile import AS_PEOPLE, LEARNED_SIZE, OFF_LEARNED_SIZE, HumanProfile, Imitation, at_own_rank
from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.move_chooser import MoveChooser
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.ranks.chooser import HumanChooser, RankChooser
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits, Progress
from gtp_engine.go.points import BLACK, WHITE

UTILITY_OF_WIN = 2.0  # KataGo's utility ranges from -1 to 1, a win rate from 0 to 1
LEAST_CARE = 0.01  # a smaller one isn't worth a search


class PeopleChooser(MoveChooser):
    """Plays like the people of a profile, each color like its own player. Without a human network, see at_own_rank.

    Raises ValueError for people who need a human network if there is none.
    """

    def __init__(self, players: HumanProfile, has_human_network: bool, imitation: Imitation = AS_PEOPLE) -> None:
        self.players, self.imitation = players, imitation
        self._uses_own_ranks = not has_human_network
        self._choosers = {color: self._chooser_of(color) for color in (BLACK, WHITE)}
        names = {chooser.rank for chooser in self._choosers.values()}
        self.rank = names.pop() if len(names) == 1 else players.name

    def _chooser_of(self, color: int) -> RankChooser:
        """The chooser of the moves of this color."""
        chooser = RankChooser(at_own_rank(self.players, color).black) if self._uses_own_ranks else HumanChooser(self.players)
        care = UTILITY_OF_WIN / self.imitation.tolerance
        if care >= LEAST_CARE:
            chooser.strength = replace(chooser.strength, care=chooser.strength.care + care)
        chooser.passes = self.imitation.passes
        return chooser

    def search_params(self, params: SearchParams) -> SearchParams:
        """The short searches of people, except if some moves are the engine's own."""
        return self._choosers[BLACK].search_params(params) if self.imitation.share == 1.0 else params

    def chances(self, turn: Turn, search: OwnSearch, symmetry: int = 0) -> dict[int, float]:
        """See RankChooser."""
        return self._choosers[turn.color].chances(turn, search, symmetry)

    def choose(self, turn: Turn, limits: Limits, progress: Progress | None, search: OwnSearch) -> SearchResult:
        """See RankChooser."""
        if np.random.default_rng((search.seed, len(turn.game.moves), 1)).random() >= self.imitation.share:
            return search.run(turn, limits, progress)
        if self._uses_own_ranks and turn.game.size != LEARNED_SIZE:
            search.evaluators.warn_once(OFF_LEARNED_SIZE)
        return self._choosers[turn.color].choose(turn, limits, progress, search)
