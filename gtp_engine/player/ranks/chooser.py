"""Playing at a rank: the moves that come to a person's mind there, from a network that has learned from people of every rank."""

from dataclasses import replace
from typing import Self

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, board_points
from gtp_engine.player.game_state import Turn
from gtp_engine.player.levels.chooser import KEPT, sobered
from gtp_engine.player.levels.view import SETTLED, ownership_beside
from gtp_engine.player.move_chooser import FULL_STRENGTH
from gtp_engine.player.own_search import OwnSearch
from gtp_engine.player.passing import is_mostly_empty, may_be_over
from gtp_engine.player.ranks.table import RankReading, reading_of
from gtp_engine.rank_names import rank_text
from gtp_engine.search.params import SearchParams
from gtp_engine.search.result import SearchResult
from gtp_engine.search.search import Limits, Progress

GLANCE = 32  # simulations of the look that says what is settled and whether the game is lost
SYMMETRIES = 8


class RankChooser:
    """Plays as a person of a rank would. Raises ValueError for a rank that nobody has learned.

    A network that is told the rank says how likely people of it play each move; some of its moves are drawn by these chances, and a short
    search, as far as people of that rank read, takes the best. Passing and resigning are the engine's own. With a seed it plays the same
    moves every time. Live analysis doesn't know of ranks.
    """

    level = FULL_STRENGTH

    def __init__(self, rank: int) -> None:
        """`rank`: its number, see rank_names."""
        self.number = rank
        self.reading = reading_of(rank)

    @property
    def rank(self) -> str:
        """The rank as text."""
        return rank_text(self.number)

    def search_params(self, wanted: SearchParams) -> SearchParams:
        """What makes strength is as the rank has it, whatever is wanted: playouts on one thread, no reading, no pondering."""
        kept = {name: getattr(wanted, name) for name in KEPT}
        params = SearchParams(**kept, playouts=self.reading.simulations, network=wanted.network)
        return replace(params, evaluator="playouts", reading_share=0.0, threads=1, ponder=False)

    def restarted(self, params: SearchParams, seed: int) -> Self:
        """See MoveChooser."""
        return self

    def look(self, turn: Turn, search: OwnSearch, symmetry: int = 0) -> dict[int, float]:
        """The chances of the moves of a person of this rank, see Look.policy."""
        return search.look(turn, symmetry, self.number).policy

    def choose(self, turn: Turn, limits: Limits, progress: Progress | None, search: OwnSearch) -> SearchResult:
        """Search among the moves that come to mind. Raises EngineError when there is no network that knows ranks."""
        game = turn.game
        random = np.random.default_rng((search.seed, len(game.moves)))
        policy = self.look(turn, search, int(random.integers(SYMMETRIES)))
        look = search.run(turn, Limits(simulations=GLANCE))
        avoided = {point for color, point in turn.avoid or {} if color == turn.color}
        chances = {point: chance for point, chance in policy.items() if point not in avoided}
        seen = drawn(sensible(game, chances, look), self.reading, random)
        if may_be_over(game, look) or not seen:
            seen.add(PASS)
        unseen = {(turn.color, point): 1 for point in [*board_points(game.size), PASS] if point not in seen}
        return sobered(search.run(replace(turn, avoid={**(turn.avoid or {}), **unseen}), limits, progress), look)


def sensible(game: Game, chances: dict[int, float], look: SearchResult) -> dict[int, float]:
    """The chances without PASS and, when the board has filled up, without settled points; all but PASS when that leaves nothing."""
    moves = {point: chance for point, chance in chances.items() if point != PASS}
    if is_mostly_empty(game) or game.rules.all_alive:
        return moves
    return {point: chance for point, chance in moves.items() if abs(ownership_beside(look, point)) <= SETTLED} or moves


def drawn(chances: dict[int, float], reading: RankReading, random: np.random.Generator) -> set[int]:
    """So many different moves as come to mind, drawn by their chances (Plackett-Luce, by Gumbel's trick); empty only without moves.

    reading.moves is a mean: 2.3 is three moves in three of ten positions, else two.
    """
    points = list(chances)
    count = max(int(reading.moves + random.random()), 1)
    keys = reading.sharpness * np.log(np.array([chances[point] for point in points]) + 1e-300) + random.gumbel(size=len(points))
    return {points[place] for place in np.argsort(-keys)[:count]}
