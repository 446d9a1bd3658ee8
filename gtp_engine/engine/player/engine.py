"""Engine: one game, one search, one clock. GTP, the terminal game, reviews and tests all use it."""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from gtp_engine.engine.network.human_profile import HumanProfile
from gtp_engine.engine.player import EngineError, passing
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.game_state import GameState, Turn
from gtp_engine.engine.player.move_chooser import MoveChooser
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.ranks.pace import Pace
from gtp_engine.engine.player.resignation import Resignation
from gtp_engine.engine.player.time_control import Allowance, Clock
from gtp_engine.engine.player.verdict import STATUSES, Verdict, status_points
from gtp_engine.engine.search.arrays import Avoid
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import Candidate, SearchResult, drawn_by_visits
from gtp_engine.engine.search.search import Limits, Progress
from gtp_engine.engine.search.symmetry import evened
from gtp_engine.go.game import Game, IllegalMove
from gtp_engine.go.points import BLACK, PASS, RESIGN, opponent
from gtp_engine.go.rules import CHINESE, Rules

if TYPE_CHECKING:
    from gtp_engine.engine.network.look import Look

REGRESSION_SEED = 1  # reg_genmove must not depend on chance
PACE_STREAM = 1  # tells the random numbers of the pace from those of the move
LEAST_SHARE = 0.25  # of the default time: what is searched at least, however long the first move had to wait for the engine
LEAD_VISITS = 150  # simulations for a lead while the game goes on, as many as a review's long searches
FIRST_LOOK = 0.1  # seconds until the first result of an analysis with a longer interval

__all__ = ["Engine", "EngineError", "IllegalMove"]


def warn_on_stderr(text: str) -> None:
    """The default for Engine.warn."""
    print(f"gtp_engine: {text}", file=sys.stderr, flush=True)


class Engine:
    """Plays and judges the game in `state`, by `clock`. Not for several threads.

    Whoever starts a search may pass a token, `cancelled`; setting it, from any thread, ends the search with the best result so far.

    state -- the game, its rules and komi; it may be changed at any time between two searches
    chooser -- how moves are found; it may be exchanged
    evaluators -- its networks, and what makes evaluators of them
    pace -- how long a chooser that plays like people lets genmove take; None: no longer than it needs
    """

    def __init__(
        self,
        params: SearchParams,
        rules: Rules = CHINESE,
        komi: float = 7.5,
        size: int = 19,
        chooser: MoveChooser | None = None,
        evaluators: Evaluators | None = None,
    ) -> None:
        """`evaluators`: where evaluators come from, which several engines may share; they then warn wherever `evaluators` does."""
        self.warn: Callable[[str], None] = warn_on_stderr
        self.state = GameState(size, rules, komi, lambda text: self.warn(text))
        self.clock = Clock()
        self.pace: Pace | None = None
        self.evaluators = evaluators or Evaluators(lambda text: self.warn(text))
        self._params_set = params
        chooser = chooser or MoveChooser()
        self._search = OwnSearch(chooser.search_params(params), size, self.evaluators)
        self._chooser = chooser.restarted(self.params, self.seed)
        self._resignation = Resignation()
        self._last_result: tuple[Game, SearchResult | None] = self.game, None

    # ---------------------------------------------------------------- settings

    @property
    def game(self) -> Game:
        """The game under way."""
        return self.state.game

    @property
    def params(self) -> SearchParams:
        """The parameters in force: those that were set, except where the chooser sets its own."""
        return self._search.params

    def set_params(self, params: SearchParams) -> None:
        """Search with other parameters from now on; the tree starts anew. What the chooser decides stays until it is exchanged."""
        self._params_set = params
        self.set_chooser(self.chooser)

    @property
    def chooser(self) -> MoveChooser:
        """The chooser of moves."""
        return self._chooser

    def set_chooser(self, chooser: MoveChooser) -> None:
        """Find moves another way from now on; the tree starts anew."""
        self._search.set_params(chooser.search_params(self._params_set), self.game.size)
        self._chooser = chooser.restarted(self.params, self.seed)

    @property
    def full_params(self) -> SearchParams:
        """The parameters that were set, before the chooser changes any."""
        return self._params_set

    def companion(self, **changes: Any) -> "Engine":
        """Another engine for another thread: the same networks, the same parameters except `changes`, full strength."""
        return Engine(replace(self._params_set, **changes), self.state.rules, self.state.komi, self.game.size, evaluators=self.evaluators)

    @property
    def seed(self) -> int:
        """The seed of the random numbers. Setting it forgets the tree."""
        return self._search.seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._search.seed = seed
        self._chooser = self.chooser.restarted(self.params, seed)

    def forget_tree(self) -> None:
        """The next search begins with an empty tree; what an evaluator keeps about positions stays."""
        self._search.forget_tree()

    def clear_search(self) -> None:
        """Forget the tree, and all else that was found in searches."""
        self._search.clear()
        self._chooser = self.chooser.restarted(self.params, self.seed)

    # ---------------------------------------------------------------- moves

    @property
    def last_result(self) -> SearchResult | None:
        """The result of the last search in this game; None if the last genmove passed without one."""
        game, result = self._last_result
        return result if game is self.game else None

    def genmove(
        self,
        color: int,
        started: float | None = None,
        progress: Progress | None = None,
        avoid: Avoid | None = None,
        cancelled: Event | None = None,
        plays: bool = True,
    ) -> int:
        """Search and play a move for `color`: a point, PASS or RESIGN (which ends nothing here). Never against the rules in force.

        `started` (time.monotonic) is when the clock began to run, if that was before now; `progress` and `avoid` are Search's. Without
        `plays` the move is chosen by the clock but not played.
        """
        self._last_result = self.game, None
        started = time.monotonic() if started is None else started
        self.clock.start_move(color, started)
        turn = self._turn(color, avoid, cancelled)
        point = self._decide(turn, progress)
        self._wait_like_a_person(turn, started)
        if not plays:
            return point
        if point != RESIGN:
            self.game.play(color, point)
        self.clock.end_move(color, time.monotonic())
        if self.params.ponder and point not in (PASS, RESIGN):
            self._search.ponder(self._turn(opponent(color)))
        return point

    def _decide(self, turn: Turn, progress: Progress | None = None) -> int:
        """The move of genmove, RESIGN included. Keeps the result of the search for it, if there was one."""
        game, color, params, limits = turn.game, turn.color, self.params, self.search_limits(turn.color)
        has_time = not passing.is_hurried(limits)  # for verdicts and second looks
        capture = self._capture(turn, passing.must_capture(game, color, self._search.verdict)) if has_time else PASS
        if capture != PASS:
            return capture
        if turn.allowed([PASS]) and passing.answers_pass(game, color, turn.komi, self._search.verdict):
            return self._instead_of_pass(turn) if has_time else PASS
        result = self._choose(turn, limits, progress)
        if params.temperature > 0.0 and len(game.moves) < params.temperature_moves:
            result = replace(result, candidates=drawn_by_visits(result.candidates, params.temperature, self._search.random))
        move = self._best(turn, result) if has_time else passing.choose_move(game, color, turn.komi, result, None)
        if self._resignation.should_resign(params, turn, move.win_rate, self.state.breaks):
            return RESIGN
        return self._instead_of_pass(turn) if move.point == PASS and has_time else move.point

    def _choose(self, turn: Turn, limits: Limits, progress: Progress | None = None) -> SearchResult:
        """The moves to play, by the chooser."""
        return self._keep_result(self._chooser.choose(turn, limits, progress, self._search))

    def _best(self, turn: Turn, result: SearchResult) -> Candidate:
        """See passing.best_move."""
        return passing.best_move(turn, result, self._search, partial(self.search_limits, turn.color))

    def _instead_of_pass(self, turn: Turn) -> int:
        """See passing.instead_of_pass."""
        point, result = passing.instead_of_pass(turn, self._search, partial(self.search_limits, turn.color))
        self._last_result = self.game, self.last_result or result
        return point

    def _capture(self, turn: Turn, points: set[int]) -> int:
        """The best allowed move on one of these points, where hopeless stones are captured; PASS if there is none."""
        allowed = turn.allowed(points)
        if not allowed:
            return PASS
        only = replace(turn, avoid=passing.all_but(allowed, turn.color, turn.game.size))  # a short search might see none of them
        return passing.choose_capture(turn.game, turn.color, allowed, self._choose(only, self.search_limits(turn.color)))

    def _allowance(self, color: int) -> Allowance | None:
        """The time that `color` may think from now on by the clock; None: no limit."""
        stones = self.game.size**2 - int(self.game.positions[0]["empty_count"])
        return self.clock.allowance(color, self.game.size, stones, time.monotonic())

    def search_limits(self, color: int) -> Limits:
        """The limits of a search for a move of `color` from now on: by the clock, the number of visits, or the default time.

        The default time, too, runs while the engine loads, but a share of it is always searched.
        """
        allowance, simulations, seconds = self._allowance(color), self.params.playouts or None, self.params.seconds
        if allowance is not None:
            return Limits(simulations, allowance.desired, allowance.maximum)
        if simulations:
            return Limits(simulations)
        waited = self.clock.elapsed(color, time.monotonic()) or 0.0
        return Limits(None, max(seconds - waited, LEAST_SHARE * seconds))

    def _wait_like_a_person(self, turn: Turn, started: float) -> None:
        """With a pace, and a chooser that plays like somebody: wait until a person would have moved, or until it is cancelled."""
        chances = self.chooser.chances(turn, self._search) if self.pace is not None else {}
        if self.pace is None or not chances:
            return
        random = np.random.default_rng((self.seed, len(self.game.moves), PACE_STREAM))
        seconds = self.pace.seconds(chances.values(), self.game, self._allowance(turn.color), random)
        turn.cancelled.wait(max(seconds - (time.monotonic() - started), 0.0))

    def genmove_cleanup(self, color: int, started: float | None = None, cancelled: Event | None = None) -> int:
        """Search and play a move that captures dead stones of the opponent; PASS when all are gone. Never resigns. See genmove."""
        self._last_result = self.game, None
        self.clock.start_move(color, time.monotonic() if started is None else started)
        point = self._capture(self._turn(color, cancelled=cancelled), passing.capturing_points(self.game, color, self.verdict()))
        self.game.play(color, point)
        self.clock.end_move(color, time.monotonic())
        return point

    def reg_genmove(self, color: int, cancelled: Event | None = None) -> int:
        """The move that genmove would play from a fresh start; plays nothing, and depends on chance only through the clock."""
        seed, chooser = self.params.seed or REGRESSION_SEED, self.chooser
        self._chooser = chooser.restarted(self.params, seed)
        self.clock.start_move(color, time.monotonic())
        try:
            with self._search.afresh(seed):
                turn = self._turn(color, cancelled=cancelled)
                point = self._best(turn, self._choose(turn, self.search_limits(color))).point
                return point if point != PASS else self._instead_of_pass(turn)
        finally:
            self._chooser = chooser

    def analyze(self, color: int, interval: float, avoid: Avoid | None = None, cancelled: Event | None = None) -> Iterator[SearchResult]:
        """Search the position for `color` until `cancelled`, giving what is known every `interval` seconds, at first sooner.

        Moves that turn into each other with the board have the same numbers.
        The tree is kept for the next genmove.
        """
        lengths = chain([min(interval, FIRST_LOOK)], repeat(interval))
        intervals = (Limits(seconds=length, early_stop=False) for length in lengths)
        for result in self._search.run_on(self.state.turn(color, avoid, cancelled=cancelled), intervals):
            yield self._keep_result(result if avoid else evened(result, self.game))

    def examine(
        self,
        color: int,
        limits: Limits,
        avoid: Avoid | None = None,
        progress: Progress | None = None,
        cancelled: Event | None = None,
    ) -> SearchResult:
        """Search the position for `color` up to `limits` without playing a move: no clock, no virtual komi, no pass without a search.

        Moves that turn into each other with the board have the same numbers.
        The tree is kept for the next call. Limits.simulations counts those that the tree already holds.
        `avoid` and `progress` are Search's.
        """
        result = self._search.run(self.state.turn(color, avoid, cancelled=cancelled), limits, progress)
        return self._keep_result(result if avoid else evened(result, self.game))

    def _keep_result(self, result: SearchResult) -> SearchResult:
        """Note the result of a search, and give it back."""
        self._last_result = self.game, result
        return result

    def _turn(self, color: int, avoid: Avoid | None = None, cancelled: Event | None = None) -> Turn:
        """The turn for a search of a move to play."""
        return self.state.turn(color, avoid, self.state.virtual_komi(), cancelled)

    # ---------------------------------------------------------------- judging

    def verdict(self) -> Verdict:
        """The verdict: dead and living stones, and the count. genmove uses the same."""
        return self._search.verdict(self.game)

    def score(self) -> float:
        """Black's points minus White's, komi and handicap compensation included, dead stones taken off unless the rules forbid it."""
        return self.verdict().count.score - self.state.white_points()

    def lead(self, cancelled: Event | None = None) -> float:
        """Black's lead: the count when the game is over or nothing is left to play for, else what a search of LEAD_VISITS expects.

        It depends on no search before, and on chance only where several threads search. Analysis and review expect the same, up to the
        number of their simulations; `score` judges every position as if it ended now.
        """
        verdict = self.verdict()
        if self.game.passes() >= 2 or verdict.is_settled:
            return verdict.count.score - self.state.white_points()
        color = self.game.to_play
        with self._search.afresh(self.params.seed or REGRESSION_SEED):
            result = self._search.run(self.state.turn(color, cancelled=cancelled), Limits(LEAD_VISITS))
        return round(result.score if color == BLACK else -result.score, 1)

    def status_points(self, status: str) -> list[list[int]]:
        """The points of `alive`, `dead` or `seki` stones, chain by chain, or of `black_territory`, `white_territory` or `dame`.

        Raises EngineError for another status.
        """
        if status not in STATUSES:
            raise EngineError("syntax error")
        return status_points(self.game, self.verdict(), status)

    def network_look(self, color: int | None = None, symmetry: int = 0, optimism: float | None = None) -> "Look":
        """The network's evaluation of the position, whether or not the search uses one. Raises EngineError if none can be used.

        color -- the player to move; None: Game.to_play
        symmetry -- 0..7, how the board is turned before the network sees it
        optimism -- see look.Angle
        """
        return self.evaluators.network_look(self.state.turn(color or self.game.to_play), self.params, symmetry, optimism)

    def searches_with_network(self) -> bool:
        """Do searches on this board evaluate positions by a network?"""
        return self.evaluators.searches_with_network(self.params, self.game.size)

    def human_look(self, players: HumanProfile, color: int | None = None, symmetry: int = 0) -> "Look":
        """The human network's prediction for these people. Raises EngineError if there is none."""
        return self.evaluators.human_look(self.state.turn(color or self.game.to_play), self.params, symmetry, players)

    def profile_look(self, players: HumanProfile) -> "Look":
        """The prediction for these people, see Evaluators.profile_look. Raises EngineError if no network has one."""
        return self.evaluators.profile_look(self.state.turn(self.game.to_play), self.params, players)

    # ---------------------------------------------------------------- the start of the process

    def warm_up(self) -> None:
        """Compile every kernel, or load it from the cache, so that the next move starts at once."""
        chooser, turn = self.chooser, self.state.turn(self.game.to_play)
        look = partial(chooser.chances, turn, self._search) if chooser.rank else None
        self.evaluators.warm_up(self.params, self.state.rules, self.state.komi, look)
