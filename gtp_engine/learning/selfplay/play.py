"""One game of self-play, played directly by the search: fast searches that advance the game, and full ones to learn from (Wu 2019)."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gtp_engine.engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.engine.playout.policy import playout_policy
from gtp_engine.engine.search.params import MIXED, SearchParams
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go.count import Count
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of, point_of
from gtp_engine.go.points import BLACK, PASS, WHITE, opponent
from gtp_engine.go.rules import CHINESE, RULE_SETS
from gtp_engine.learning.selfplay.ending import End, owners_of
from gtp_engine.learning.selfplay.opening import OpeningPlan, draw_by_policy, draw_plan, rounded
from gtp_engine.learning.selfplay.params import NOISE_TOTAL, SelfplayParams
from gtp_engine.learning.selfplay.target import drawn_move, pruned_visits
from gtp_engine.learning.training.records import RESIGNED

MEMORY = 32  # megabytes of a tree: some hundred nodes for each simulation
SETTLED, PASSES, GIVEN_UP, TOO_LONG = "settled", "passes", "given up", "too long"  # how games end
SIGN = {BLACK: 1, WHITE: -1}


@dataclass
class FullSearch:
    """The result of a full search."""

    ply: int  # moves before it
    moves: list[int]  # places of a policy
    visits: list[int]  # of each, pruned
    value: float  # win rate of the side to move

    def as_values(self) -> list[Any]:
        """As JSON has it."""
        return [self.ply, self.moves, self.visits, round(self.value, 4)]


@dataclass
class PlayedSelf:
    """A finished game."""

    komi: float
    moves: list[int] = field(default_factory=list)  # row * S + column, row 0 at the top; S * S: a pass
    searched: list[FullSearch] = field(default_factory=list)
    winner: int = 0  # 1 Black, -1 White, 0 nobody
    margin: float = 0.0  # points, or RESIGNED
    owners: list[int] | None = None  # see owners_of; None: unknown
    end: str = TOO_LONG
    opening: int = 0  # moves at the start that no search chose
    loser: int = 0  # who would have resigned in a game without resignation: 1 Black, -1 White, 0 nobody
    evaluations: int = 0
    rules: str = CHINESE.name  # that it was played by

    def as_values(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**self.__dict__, "searched": [position.as_values() for position in self.searched]}


class SelfPlayer:
    """Plays games of one network against itself. A game depends only on its seed, not on earlier games."""

    def __init__(self, network: Any, params: SelfplayParams) -> None:
        """`network`: an OpenNetwork."""
        self.params = params
        fast = dict[str, Any](evaluator=params.evaluator, threads=1, memory=MEMORY, seed=1)
        full = dict[str, Any](
            root_noise=params.root_noise,
            noise_total=NOISE_TOTAL,
            root_temperature=params.root_temperature,
            forced_playouts=params.forced_playouts,
        )
        self.fast, self.full = SearchParams(**fast), SearchParams(**fast, **full)
        self.evaluator = NetworkEvaluator(network, self.fast, self.fast.playout_share if params.evaluator == MIXED else 0.0)
        self.search = Search(self.fast, self.evaluator)
        self.evaluations = 0  # so far
        self.policies = playout_policy(self.fast)

    def play(self, seed: tuple[int, ...], opening: tuple[int, ...] = ()) -> PlayedSelf:
        """Play a game from its seed. `opening`: the first moves, as places, from a record; an illegal one and all after it are left out."""
        random = np.random.default_rng(seed)
        self.search.seed(int(random.integers(1, 2**31)))
        return SelfGame(self, draw_plan(self.params, bool(opening), random), random).play(opening)

    def search_again(
        self, seed: tuple[int, ...], komi: float, rules: str, moves: tuple[int, ...], plies: frozenset[int]
    ) -> list[FullSearch]:
        """Full searches before the moves with the numbers `plies` of an earlier game, which had the rules of this name."""
        random = np.random.default_rng(seed)
        self.search.seed(int(random.integers(1, 2**31)))
        return SelfGame(self, OpeningPlan(komi, False, 0, 0, True, RULE_SETS[rules]), random).search_again(moves, plies)


class SelfGame:
    """One game in progress."""

    def __init__(self, player: SelfPlayer, plan: OpeningPlan, random: np.random.Generator) -> None:
        self.player, self.params, self.plan, self.random = player, player.params, plan, random
        self.game = Game(self.params.size, plan.rules)
        self.played = PlayedSelf(plan.komi, rules=plan.rules.name)
        self.end = End(self.game, player.policies)
        self.before = player.evaluations
        self.hopeless = 0  # how often in a row both sides' searches had the same loser; positive: Black

    def play(self, opening: tuple[int, ...]) -> PlayedSelf:
        """Play it to its end."""
        self._open(opening)
        while not self._is_over():
            self._play_move()
        played = self.played
        played.moves = [place_of(point, self.params.size) for _, point in self.game.moves]
        played.evaluations = self.player.evaluations - self.before
        return played

    def search_again(self, moves: tuple[int, ...], plies: frozenset[int]) -> list[FullSearch]:
        """Play these moves, which must be legal, with a full search before those with these numbers."""
        for ply, place in enumerate(moves):
            if ply in plies:
                self._search_in_full()
            self._put(point_of(place, self.params.size))
        return self.played.searched

    def _open(self, opening: tuple[int, ...]) -> None:
        """Play the moves before the first search, and set the komi."""
        for place in opening:
            point = point_of(place, self.params.size)
            if not self.game.is_legal(self.game.to_play, point):
                break
            self._put(point)
        for _ in range(self.plan.passes):
            self._put(self._by_policy())
            self._put(PASS)
        for _ in range(self.plan.policy_moves):
            self._put(self._by_policy())
        if self.plan.is_evened:
            lead = self._search(1).score * SIGN[self.game.to_play]  # Black's
            self.played.komi = rounded(self.played.komi + lead)
        self.played.opening = len(self.game.moves)

    def _play_move(self) -> None:
        """Search, record what is to be learned, and play."""
        is_full = self.random.random() < self.params.full_share
        result, visits = self._search_in_full() if is_full else self._search_fast()
        points = [candidate.point for candidate in result.candidates]
        move = drawn_move(points, visits, self.params.temperature(len(self.game.moves)), self.random)
        if move == PASS and not self.end.may_pass():
            move = next((point for point in points if point != PASS), PASS)
        self._note_loser(result.win_rate)
        self._put(move if self.game.is_legal(self.game.to_play, move) else PASS)

    def _search_fast(self) -> tuple[SearchResult, np.ndarray]:
        """(result, visits): visits [C] of the candidates."""
        result = self._search(self.params.fast_visits)
        return result, np.array([candidate.visits for candidate in result.candidates])

    def _search_in_full(self) -> tuple[SearchResult, np.ndarray]:
        """The same by a full search, with pruned visits, recorded for learning."""
        self.player.search.forget_tree()  # its visits were without noise and forced playouts; the evaluator's answers are kept
        result, size = self._search(self.params.full_visits, True), self.params.size
        visits = pruned_visits(result.candidates, self.params.forced_playouts, self.player.search.root_exploration())
        visited = [
            (place_of(candidate.point, size), int(count)) for candidate, count in zip(result.candidates, visits, strict=True) if count > 0
        ]
        moves, counts = [move for move, _ in visited], [count for _, count in visited]
        self.played.searched.append(FullSearch(len(self.game.moves), moves, counts, result.win_rate))
        return result, visits

    def _note_loser(self, win_rate: float) -> None:
        """Count how often in a row both sides' searches have the same loser."""
        color, threshold = self.game.to_play, self.params.resign_threshold
        loser = color if win_rate < threshold else opponent(color) if win_rate > 1.0 - threshold else 0
        sign = SIGN.get(loser, 0)
        self.hopeless = 0 if sign == 0 else self.hopeless + sign if self.hopeless * sign >= 0 else sign

    def _is_over(self) -> bool:
        """True if the game is over; then its result is recorded."""
        number = len(self.game.moves)
        if abs(self.hopeless) >= self.params.resign_moves and self.played.loser == 0:
            self.played.loser = 1 if self.hopeless > 0 else -1
        if self.played.loser and not self.plan.is_played_out:
            self.played.winner, self.played.margin, self.played.end = -self.played.loser, RESIGNED, GIVEN_UP
            return True
        if self.game.passes() >= 2:
            self._note_count(self.end.count(), PASSES)
            return True
        if number >= self.params.settled_after * self.params.points:
            count = self.end.settled()
            if count is not None:
                self._note_count(count, SETTLED)
                return True
        return number >= self.params.most_moves * self.params.points

    def _note_count(self, count: Count, end: str) -> None:
        """Record the result of a counted game."""
        lead = count.score - self.played.komi
        self.played.winner, self.played.margin = (lead > 0) - (lead < 0), abs(lead)
        self.played.owners, self.played.end = owners_of(count, self.params.size), end

    def _search(self, visits: int, is_full: bool = False) -> SearchResult:
        """Search the position on the board."""
        search = self.player.search
        search.params = self.player.full if is_full else self.player.fast
        search.prepare(self.game, self.game.to_play, self.played.komi)
        before = self.player.evaluator.asked()
        result = search.run(Limits(simulations=visits))
        self.player.evaluations += self.player.evaluator.asked() - before
        return result

    def _by_policy(self) -> int:
        """A random move by the network's policy."""
        point = draw_by_policy(self._search(1), self.params.policy_temperature, self.random)
        return point if self.game.is_legal(self.game.to_play, point) else PASS

    def _put(self, point: int) -> None:
        """Play for the side to move."""
        self.game.play(self.game.to_play, point)
