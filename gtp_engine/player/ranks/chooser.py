"""Playing at a rank: the moves that come to a person's mind there, from a network that has learned from people of every rank."""

from dataclasses import replace
from typing import Self

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS
from gtp_engine.player.game_state import Turn
from gtp_engine.player.levels.chooser import KEPT, sobered
from gtp_engine.player.levels.view import SETTLED, ownership_beside
from gtp_engine.player.move_chooser import FULL_STRENGTH
from gtp_engine.player.own_search import OwnSearch
from gtp_engine.player.passing import is_mostly_empty
from gtp_engine.player.ranks.table import check_human_rank, sharpness_of
from gtp_engine.rank_names import rank_text
from gtp_engine.search.params import SearchParams
from gtp_engine.search.result import Candidate, SearchResult
from gtp_engine.search.search import Limits, Progress

GLANCE = 32  # simulations of the look that says what is settled and whether the game is lost
SYMMETRIES = 8


class RankChooser:
    """Plays as a person of a rank would. Raises ValueError for a rank that nobody has learned.

    A network that is told the rank says how likely people of it play each move; the move is drawn by these chances. A short look with
    playouts says what is settled and whether the game is lost; passing and resigning are the engine's own. With a seed it plays the same
    moves every time. Live analysis doesn't know of ranks.
    """

    level = FULL_STRENGTH

    def __init__(self, rank: int) -> None:
        """`rank`: its number, see rank_names."""
        self.number = rank
        self.sharpness = sharpness_of(rank)

    @property
    def rank(self) -> str:
        """The rank as text."""
        return rank_text(self.number)

    def search_params(self, wanted: SearchParams) -> SearchParams:
        """What makes strength is as the rank has it, whatever is wanted: playouts on one thread, no reading, no pondering."""
        kept = {name: getattr(wanted, name) for name in KEPT}
        params = SearchParams(**kept, playouts=GLANCE, network=wanted.network)
        return replace(params, evaluator="playouts", reading_share=0.0, threads=1, ponder=False)

    def restarted(self, params: SearchParams, seed: int) -> Self:
        """See MoveChooser."""
        return self

    def look(self, turn: Turn, search: OwnSearch, symmetry: int = 0) -> dict[int, float]:
        """The chances of the moves of a person of this rank, see Look.policy."""
        return search.look(turn, symmetry, self.number).policy

    def choose(self, turn: Turn, limits: Limits, progress: Progress | None, search: OwnSearch) -> SearchResult:
        """The move that comes to mind, before the others. Raises EngineError when there is no network that knows ranks."""
        random = np.random.default_rng((search.seed, len(turn.game.moves)))
        chances = self.look(turn, search, int(random.integers(SYMMETRIES)))
        avoided = {point for color, point in turn.avoid or {} if color == turn.color}
        look = search.run(turn, Limits(simulations=GLANCE))
        chances = sensible(turn.game, {point: chance for point, chance in chances.items() if point not in avoided}, look)
        if not chances:
            return look
        point = drawn(chances, self.sharpness, random)
        seen = {each.point: each for each in look.candidates}
        chosen = seen.pop(point, None) or Candidate(point, 0, look.win_rate, look.score, [point])
        return sobered(replace(look, candidates=[chosen, *seen.values()]), look)


class HumanChooser(RankChooser):
    """Plays as a person of a rank would, by a human network of KataGo's, on every board. Raises ValueError for a rank that it doesn't know.

    Moves are drawn by the chances as they are.
    """

    def __init__(self, rank: int) -> None:
        """`rank`: its number, see rank_names."""
        check_human_rank(rank)
        self.number = rank
        self.sharpness = 1.0

    def look(self, turn: Turn, search: OwnSearch, symmetry: int = 0) -> dict[int, float]:
        """See RankChooser."""
        return search.human_look(turn, symmetry, self.number).policy


def sensible(game: Game, chances: dict[int, float], look: SearchResult) -> dict[int, float]:
    """The chances without PASS and, when the board has filled up, without settled points; all but PASS when that leaves nothing."""
    moves = {point: chance for point, chance in chances.items() if point != PASS}
    if is_mostly_empty(game) or game.rules.all_alive:
        return moves
    return {point: chance for point, chance in moves.items() if abs(ownership_beside(look, point)) <= SETTLED} or moves


def drawn(chances: dict[int, float], sharpness: float, random: np.random.Generator) -> int:
    """A move drawn by its chance to the power of `sharpness`."""
    points = list(chances)
    weights = np.array([chances[point] for point in points]) ** sharpness
    return points[int(random.choice(len(points), p=weights / weights.sum()))]
