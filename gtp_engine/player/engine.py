"""Engine: one game, one search, one clock. What GTP, the terminal game, reviews and tests all call."""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine import sgf
from gtp_engine.go.game import Game, IllegalMove
from gtp_engine.go.points import MAX_SIZE, MIN_SIZE, PASS, RESIGN, board_points, opponent, to_vertex
from gtp_engine.go.rules import CHINESE, Rules
from gtp_engine.player import EngineError, passing
from gtp_engine.player.evaluators import Evaluators
from gtp_engine.player.handicap import as_loaded, handicap_of
from gtp_engine.player.handicap_komi import virtual_komi
from gtp_engine.player.pondering import Ponder
from gtp_engine.player.resignation import Resignation
from gtp_engine.player.time_control import Clock
from gtp_engine.player.verdict import STATUSES, Verdict, judge, status_points
from gtp_engine.search.arrays import Avoid
from gtp_engine.search.params import SearchParams, evaluator_for
from gtp_engine.search.result import Candidate, SearchResult, drawn_by_visits
from gtp_engine.search.search import Limits, Progress, Search

if TYPE_CHECKING:
    from gtp_engine.network.look import Look

REGRESSION_SEED = 1  # reg_genmove must not depend on chance
FIRST_LOOK = 0.1  # seconds until an analysis says something for the first time, whatever its interval

__all__ = ["Engine", "EngineError", "IllegalMove"]


def warn_on_stderr(text: str) -> None:
    """The default for Engine.warn."""
    print(f"gtp_engine: {text}", file=sys.stderr, flush=True)


class Engine:
    """Plays and judges one game at a time. Komi, rules and clock outlive the board. Not for several threads, `interrupt` excepted."""

    def __init__(self, params: SearchParams, rules: Rules = CHINESE, komi: float = 7.5, size: int = 19) -> None:
        self.params = params
        self.rules = rules
        self.komi = komi
        self.clock = Clock()
        self.warn: Callable[[str], None] = warn_on_stderr
        self.last_result: SearchResult | None = None  # of the last search; None when the last genmove passed without one
        self._interrupted = threading.Event()
        self._evaluators = Evaluators(lambda text: self.warn(text))
        self._ponder = Ponder()
        self._resignation = Resignation()
        self.game = Game(size, rules)
        self._searcher = self._new_search()

    @property
    def _search(self) -> Search:
        """The search, for us alone: pondering ends here."""
        self._ponder.stop()
        return self._searcher

    # ---------------------------------------------------------------- settings

    def set_params(self, params: SearchParams) -> None:
        """Search with other parameters from now on; the tree starts anew."""
        self._ponder.stop()
        self.params = params
        self._searcher = self._new_search()

    def _new_search(self) -> Search:
        """A search as the parameters want it on a board of the game's size."""
        return Search(self.params, self._evaluators.new(evaluator_for(self.params.evaluator, self.game.size), self.params))

    def network_look(self) -> "Look":
        """What the network says of the position, whether the search uses one or not. Raises EngineError when none can be used."""
        return self._evaluators.network_look(self._loaded_game(), self.white_points(), self.params)

    def set_rules(self, rules: Rules) -> None:
        """Play by other rules from now on, in the game under way too."""
        self.rules = rules
        self.game.rules = rules

    @property
    def seed(self) -> int:
        """What the random numbers started from."""
        return self._search.current_seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._search.seed(seed)

    def white_points(self) -> float:
        """All that White gets beside the board: komi and the compensation for handicap stones."""
        return self.komi + self.rules.white_handicap_points(self.handicap())

    def handicap(self) -> int:
        """Number of handicap stones, however they were sent; 0 in a position that was set up. See handicap_of."""
        return handicap_of(self.game)

    def _loaded_game(self) -> Game:
        """The game for the search, without the order in which a position was set up: however it was sent, the move is the same."""
        return as_loaded(self.game)

    # ---------------------------------------------------------------- the board

    def set_board_size(self, size: int) -> None:
        """An empty board of `size` lines. Raises ValueError for a size that we don't play on."""
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError("unacceptable size")
        self._start(Game(size, self.rules))

    def clear_board(self) -> None:
        """An empty board of the same size."""
        self._start(Game(self.game.size, self.rules))

    def clear_search(self) -> None:
        """Forget the tree."""
        self._search.clear()

    def set_game(self, game: Game) -> None:
        """Go on with another game, of any size; the tree is kept as far as it fits, and the seed."""
        old_size, self.game = self.game.size, game
        if evaluator_for(self.params.evaluator, game.size) != evaluator_for(self.params.evaluator, old_size):
            seed, self._searcher = self.seed, self._new_search()  # reading the seed ends pondering
            self._searcher.seed(seed)

    def _start(self, game: Game) -> None:
        """Go on with another game, of which nothing is known."""
        self.set_game(game)
        self.last_result = None
        self._resignation.clear()

    def play(self, color: int, point: int) -> None:
        """Play for `color`. Raises IllegalMove; a superko repetition is accepted, since a server may have allowed it, with a warning."""
        if not self.game.why_illegal(color, point) and self.game.repeats_position(color, point):
            self.warn(f"{to_vertex(point)} repeats a position: {self.rules.name} rules forbid it; accepted all the same")
        self.game.play(color, point)

    def undo(self, moves: int = 1) -> None:
        """Take `moves` moves back. Raises EngineError, taking none back, when there are fewer."""
        if moves > len(self.game.moves):
            raise EngineError("cannot undo")
        for _ in range(moves):
            self.game.undo()
        self._resignation.clear()

    def place_handicap(self, points: Sequence[int]) -> None:
        """Black's handicap stones on an empty board. Raises ValueError otherwise and for repeated or odd points."""
        self.game.place_handicap(sorted(points))

    def load_sgf(self, path: str | Path, move_number: int | None) -> None:
        """Go on from the position before move `move_number` of the record, or from its end. Raises sgf.SgfError, changing nothing."""
        record = sgf.load(path, move_number, self.rules, self.komi)
        for text in record.warnings:
            self.warn(text)
        if record.rules is not None:
            self.rules = record.rules
        self.komi = record.komi
        record.game.rules = self.rules
        self._start(record.game)

    def sgf(self) -> str:
        """The game so far as SGF text."""
        return sgf.dump(self.game, self.komi, self.rules)

    def set_up(self, stones: Sequence[tuple[int, int]], to_play: int) -> None:
        """Go on from `stones`, (color, point) each, with `to_play` to move. Raises ValueError, changing nothing, as Game.set_up does."""
        game = Game(self.game.size, self.rules)
        game.set_up(sorted(stones), to_play)  # as sgf.load does: the same record for the same stones
        self._start(game)

    # ---------------------------------------------------------------- moves

    def interrupt(self) -> None:
        """Let the search under way, or the next one if none is, end at once. May be called from any thread."""
        self._interrupted.set()
        self._searcher.interrupt()

    def forget_interrupt(self) -> None:
        """The next search is not to be interrupted. Every genmove and analysis ends with this."""
        self._interrupted.clear()
        self._searcher.forget_interrupt()

    def genmove_cleanup(self, color: int, started: float | None = None) -> int:
        """Search and play a move that captures dead stones of the opponent; PASS when all are gone. Never resigns. See genmove."""
        started = time.monotonic() if started is None else started
        self.clock.start_move(color, started)
        prey = passing.capturing_points(self.game, color, self.verdict())
        others = [point for point in [*board_points(self.game.size), PASS] if point not in prey]
        point = PASS
        try:
            if prey:  # nothing else is searched, or a short search might see none of them
                result = self._run(color, self._limits(color), avoid={(color, other): 1 for other in others})
                point = passing.choose_capture(self.game, color, result)
        finally:
            self.forget_interrupt()
        self.game.play(color, point)
        self.clock.end_move(color, time.monotonic())
        return point

    def genmove(self, color: int, started: float | None = None, progress: Progress | None = None, avoid: Avoid | None = None) -> int:
        """Search and play a move for `color`: a point, PASS or RESIGN (which ends nothing here). Never against the rules in force.

        `started` (time.monotonic) is when the clock began to run, if that was before now; `progress` and `avoid` are Search's.
        """
        point = self.choose_move(color, started, progress, avoid)
        if point != RESIGN:
            self.game.play(color, point)
        self.clock.end_move(color, time.monotonic())
        if self.params.ponder and point not in (PASS, RESIGN):
            self._prepare(opponent(color))
            self._ponder.start(self._search)
        return point

    def choose_move(self, color: int, started: float | None = None, progress: Progress | None = None, avoid: Avoid | None = None) -> int:
        """What genmove would play, by the clock, without playing it."""
        started = time.monotonic() if started is None else started
        self.last_result = None
        self.clock.start_move(color, started)
        try:
            return self._decide(color, self._limits(color), progress, avoid or {})
        finally:
            self.forget_interrupt()

    def analyze(
        self, color: int, interval: float, avoid: Avoid | None = None, is_over: Callable[[], bool] = lambda: False
    ) -> Iterator[SearchResult]:
        """Search the position for `color` without end, giving what is known every `interval` seconds, at first sooner.

        Ends when `is_over`, which is asked before each interval, or when the caller stops asking. The tree is kept for the next
        genmove. `interrupt` ends the interval under way: who makes `is_over` true first and interrupts then is heard at once.
        """
        self._search.prepare(self._loaded_game(), color, self.white_points(), avoid)
        seconds = min(interval, FIRST_LOOK)
        try:
            while True:
                self._search.forget_interrupt()
                if is_over():
                    return
                self.last_result = self._search.run(Limits(seconds=seconds, early_stop=False))
                yield self.last_result
                seconds = interval
        finally:
            self.forget_interrupt()

    def examine(self, color: int, limits: Limits) -> SearchResult:
        """Search the position for `color` as far as `limits` say, playing nothing: no clock, no virtual komi, no pass without a search.

        The tree is kept for the next call. `interrupt` ends the search; Limits.simulations counts those that the tree already holds.
        """
        self._search.prepare(self._loaded_game(), color, self.white_points())
        self.last_result = self._searcher.run(limits)
        return self.last_result

    def reg_genmove(self, color: int) -> int:
        """The move that genmove would play from a fresh start; plays nothing, and depends on chance only through the clock."""
        search = self._search
        self._searcher = self._new_search()
        self._searcher.seed(self.params.seed or REGRESSION_SEED)
        try:
            result = self._run(color, self._limits(color))
            return self._choose(color, result).point
        finally:
            self._searcher = search

    def _limits(self, color: int) -> Limits:
        """How long to search from now on: by the clock, by the number of playouts, or by the default time."""
        stones = self.game.size * self.game.size - int(self.game.positions[0]["empty_count"])
        allowance = self.clock.allowance(color, self.game.size, stones, time.monotonic())
        simulations = self.params.playouts or None
        if allowance is not None:
            return Limits(simulations, allowance.desired, allowance.maximum)
        return Limits(simulations, None if simulations else self.params.seconds)

    def _virtual_komi(self) -> float:
        """What the search adds to White's points so as not to give up, or play slack, in a handicap game."""
        return virtual_komi(self.handicap(), len(self.game.moves), self.game.size)

    def _prepare(self, color: int, avoid: Avoid | None = None) -> None:
        """Put the search at the current position with `color` to play."""
        self._search.prepare(self._loaded_game(), color, self.white_points(), avoid, self._virtual_komi())

    def _run(self, color: int, limits: Limits, progress: Progress | None = None, avoid: Avoid | None = None) -> SearchResult:
        """Search the current position for `color`."""
        self._prepare(color, avoid)
        self._searcher.forget_interrupt()
        if self._interrupted.is_set():
            self._searcher.interrupt()  # it came before the search could hear it
        self.last_result = self._searcher.run(limits, progress)
        return self.last_result

    def _decide(self, color: int, limits: Limits, progress: Progress | None, avoid: Avoid) -> int:
        """The move of genmove, without playing it."""
        game, komi = self._loaded_game(), self.white_points()
        if (color, PASS) not in avoid and passing.answers_pass(game, color, komi):
            return PASS
        result = self._run(color, limits, progress, avoid)
        if self.params.temperature > 0.0 and len(game.moves) < self.params.temperature_moves:
            result = replace(result, candidates=drawn_by_visits(result.candidates, self.params.temperature, self._searcher.random))
        move = self._choose(color, result, passing.is_hurried(limits))
        if self._virtual_komi() == 0.0 and self._resignation.should_resign(self.params, color, move.win_rate, len(game.moves), game.size):
            return RESIGN
        return move.point

    def _choose(self, color: int, result: SearchResult, in_hurry: bool = False) -> Candidate:
        """The move to play. A pass is looked at once more: when the opponent would win after it, the best other move is played."""
        game = self._loaded_game()
        move = passing.choose_move(game, color, self.white_points(), result, in_hurry)
        better = passing.best_beside_pass(game, color, result)
        if move.point != PASS or better is None or better.win_rate < passing.SURELY_WON:
            return move
        after = game.copy()
        after.play(color, PASS)
        self._search.prepare(after, opponent(color), self.white_points())
        answer = self._searcher.run(passing.pass_check(self._limits(color))).best  # the mean of all would hold the bad answers, too
        return move if answer.win_rate < 0.5 else better

    # ---------------------------------------------------------------- the end of a game

    def verdict(self) -> Verdict:
        """What is dead, what lives, and the count, as genmove sees it too."""
        return judge(self.game)

    def score(self) -> float:
        """Black's points minus White's, komi and handicap compensation included, dead stones taken off unless the rules forbid it."""
        return self.verdict().count.score - self.white_points()

    def status_points(self, status: str) -> list[list[int]]:
        """The points of `alive`, `dead` or `seki` stones, chain by chain, or of `black_territory`, `white_territory` or `dame`.

        Raises EngineError for another status.
        """
        if status not in STATUSES:
            raise EngineError("syntax error")
        return status_points(self.game, self.verdict(), status)

    # ---------------------------------------------------------------- the start of the process

    def warm_up(self) -> None:
        """Compile every kernel, or load it from the cache, so that the next move starts at once."""
        self._evaluators.warm_up(self.params, self.rules, self.komi)
