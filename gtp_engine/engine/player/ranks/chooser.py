"""Playing at a rank: the moves that come to a person's mind there, from a network that has learned from people of every rank."""

from dataclasses import replace

import numpy as np

from gtp_engine.engine.network.human_profile import HumanProfile, rank_profile
from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.levels.chooser import KEPT, sobered
from gtp_engine.engine.player.levels.view import SETTLED, ownership_beside
from gtp_engine.engine.player.move_chooser import MoveChooser
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.passing import is_mostly_empty
from gtp_engine.engine.player.ranks.table import Strength, strength_of
from gtp_engine.engine.search.params import NETWORK, PLAYOUTS, SearchParams
from gtp_engine.engine.search.result import Candidate, SearchResult
from gtp_engine.engine.search.search import Limits, Progress
from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, board_points
from gtp_engine.go.rank_names import rank_text, read_rank

NO_RANK = "none"  # the rank that is none: full strength
GLANCE = 32  # simulations of the short search that says what is settled and whether the game is lost
SPREAD = 3.0  # root_temperature of these searches: each of a person's moves is tried, not only what a strong player would play
UNTRIED = 0.15  # win rate by which a move that the search never tried is taken to be worse than the others
COVERED, MOST = 0.97, 8  # the moves that are searched: the likeliest that are played this often together, and at most so many
SYMMETRIES = 8


class RankChooser(MoveChooser):
    """Plays like a person of a rank. Raises ValueError for a rank that no network has learned.

    A network that is told the rank says how likely people of it play each move; the move is drawn by these chances. A short
    search says what is settled and whether the game is lost; passing and resigning are the engine's own. With a seed it plays the same
    moves every time. Live analysis doesn't know of ranks.
    """

    evaluator = NETWORK  # of the short searches
    passes = False  # True: passes are drawn like other moves

    def __init__(self, rank: int) -> None:
        """`rank`: its number, see rank_names."""
        self.strength = strength_of(rank)
        self.rank = rank_text(rank)
        self.players = rank_profile(rank)

    def search_params(self, params: SearchParams) -> SearchParams:
        """These parameters, except for those that make strength: short searches on one thread, no reading, no pondering."""
        kept = {name: getattr(params, name) for name in KEPT}
        params = SearchParams(**kept, playouts=GLANCE, network=params.network)
        return replace(params, evaluator=self.evaluator, reading_share=0.0, threads=1, ponder=False, root_temperature=SPREAD)

    def chances(self, turn: Turn, search: OwnSearch, symmetry: int = 0) -> dict[int, float]:
        """The chances of the moves of a person of this rank, see Look.policy."""
        return search.evaluators.rank_look(turn, search.params, symmetry, self.players).policy

    def choose(self, turn: Turn, limits: Limits, progress: Progress | None, search: OwnSearch) -> SearchResult:
        """The drawn move, before the others. Raises EngineError if no network has an input for ranks."""
        random = np.random.default_rng((search.seed, len(turn.game.moves)))
        chances = self.chances(turn, search, int(random.integers(SYMMETRIES)))
        avoided = {point for color, point in turn.avoid or {} if color == turn.color}
        glance = search.run(turn, Limits(simulations=GLANCE))
        chances = sensible(turn.game, {point: chance for point, chance in chances.items() if point not in avoided}, glance, self.passes)
        if not chances:
            return glance
        if self.strength.care > 0.0:
            chances = self.weighed(turn, chances, search)
        point = drawn(chances, self.strength.sharpness, random)
        candidates_by_point = {candidate.point: candidate for candidate in glance.candidates}
        chosen = candidates_by_point.pop(point, None) or Candidate(point, 0, glance.win_rate, glance.score, [point])
        return sobered(replace(glance, candidates=[chosen, *candidates_by_point.values()]), glance)

    def weighed(self, turn: Turn, chances: dict[int, float], search: OwnSearch) -> dict[int, float]:
        """The chances after a short search among the likeliest: those that lose more than others are less likely. See Strength.care."""
        likely = in_mind(chances)
        unseen = {(turn.color, point): 1 for point in [*board_points(turn.game.size), PASS] if point not in likely}
        result = search.run(replace(turn, avoid=unseen), Limits(simulations=self.strength.visits))
        rates = {candidate.point: candidate.win_rate for candidate in result.candidates if candidate.visits > 0}
        untried = min(rates.values(), default=0.0) - UNTRIED
        care = self.strength.care / self.strength.sharpness  # `drawn` takes all to that power
        return {point: chance * np.exp(care * rates.get(point, untried)) for point, chance in chances.items()}


def chooser_of_rank(rank: str) -> MoveChooser:
    """The chooser that plays at this rank, like `12k`; at full strength for NO_RANK. Raises ValueError."""
    return MoveChooser() if rank.lower() == NO_RANK else RankChooser(read_rank(rank))


def in_mind(chances: dict[int, float]) -> dict[int, float]:
    """The likeliest moves, see COVERED."""
    ordered = sorted(chances.items(), key=lambda item: -item[1])
    shares = np.cumsum([chance for _, chance in ordered]) / sum(chances.values())
    return dict(ordered[: min(int(np.searchsorted(shares, COVERED)) + 1, MOST)])


class HumanChooser(RankChooser):
    """Plays as the people of a profile would, by a human network of KataGo's, on every board.

    Moves are drawn by the chances as they are.
    """

    evaluator = PLAYOUTS

    def __init__(self, players: HumanProfile) -> None:
        self.rank = players.name or rank_text(players.black)
        self.players = players
        self.strength = Strength(1.0, 0.0)

    def chances(self, turn: Turn, search: OwnSearch, symmetry: int = 0) -> dict[int, float]:
        """See RankChooser."""
        return search.evaluators.human_look(turn, search.params, symmetry, self.players).policy


def sensible(game: Game, chances: dict[int, float], glance: SearchResult, passes: bool = False) -> dict[int, float]:
    """The chances without PASS, except if `passes`, and, when the board has filled up, without settled points.

    When that leaves nothing, settled points stay.
    """
    kept = {PASS: chances[PASS]} if passes and PASS in chances else {}
    moves = {point: chance for point, chance in chances.items() if point != PASS}
    if not (is_mostly_empty(game) or game.rules.all_alive):
        open_moves = {point: chance for point, chance in moves.items() if abs(ownership_beside(glance, point)) <= SETTLED}
        moves = open_moves or (moves if not kept else {})
    return moves | kept


def drawn(chances: dict[int, float], sharpness: float, random: np.random.Generator) -> int:
    """A move drawn by its chance to the power of `sharpness`."""
    points = list(chances)
    weights = np.array([chances[point] for point in points]) ** sharpness
    return points[int(random.choice(len(points), p=weights / weights.sum()))]
