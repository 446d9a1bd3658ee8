"""What genmove does with a search: passing, resigning, or playing what was found."""

import time
from collections.abc import Collection
from dataclasses import dataclass, replace

from gtp_engine.engine.player import passing
from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.move_chooser import MoveChooser
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.time_control import Allowance, Clock
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import Candidate, SearchResult, drawn_by_visits
from gtp_engine.engine.search.search import Limits, Progress
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, board_points, opponent
from gtp_engine.go.rules import Scoring

LEAST_SHARE = 0.25  # of the default time: what is searched at least, however long the first move had to wait for the engine


class Resignation:
    """Remembers, for each color, how many of its searches in a row found the game lost."""

    def __init__(self) -> None:
        self._hopeless = {BLACK: 0, WHITE: 0}

    def clear(self) -> None:
        """A new game, or moves taken back."""
        self._hopeless = {BLACK: 0, WHITE: 0}

    def should_resign(self, params: SearchParams, color: int, win_rate: float, move_count: int, size: int) -> bool:
        """Note one search of `color` with the best move's win rate, 0..1, and say whether to give up now.

        `move_count` is that of the game so far, handicap stones not included.
        """
        self._hopeless[color] = self._hopeless[color] + 1 if win_rate < params.resign_threshold else 0
        is_early = move_count < params.resign_after * size * size
        return params.resign and not is_early and self._hopeless[color] >= params.resign_moves


@dataclass(frozen=True)
class Decision:
    """What to do in a position."""

    point: int  # a point, PASS or RESIGN
    result: SearchResult | None = None  # of the search that found it; None: none was needed


class Decider:
    """Decides about one player's moves, by `clock` as it stands then."""

    def __init__(self, search: OwnSearch, chooser: MoveChooser, clock: Clock) -> None:
        self.search = search
        self.chooser = chooser
        self._clock = clock
        self._resignation = Resignation()
        self._breaks = 0  # GameState.breaks when the resignation was last noted

    def decide(self, turn: Turn, breaks: int, progress: Progress | None = None) -> Decision:
        """The move of genmove, RESIGN included. `breaks`: GameState's."""
        game, color, params = turn.game, turn.color, self.search.params
        limits = self._limits(turn)
        if not passing.is_hurried(limits):
            capture = self.decide_capture(turn, passing.must_capture(game, color, self.search.verdict))
            if capture.point != PASS:
                return capture
        if (color, PASS) not in (turn.avoid or {}) and passing.answers_pass(game, color, turn.komi, self.search.verdict):
            return Decision(PASS) if passing.is_hurried(limits) else self.decide_last(turn)
        result = searched = self.chooser.choose(turn, limits, progress, self.search)
        if params.temperature > 0.0 and len(game.moves) < params.temperature_moves:
            result = replace(searched, candidates=drawn_by_visits(searched.candidates, params.temperature, self.search.random))
        move = self._best(turn, result, passing.is_hurried(limits))
        if self._gives_up(turn, breaks, move):
            return Decision(RESIGN, searched)
        if move.point == PASS and not passing.is_hurried(limits):
            return self.decide_last(turn, searched)
        return Decision(move.point, searched)

    def decide_at_last(self, turn: Turn) -> Decision:
        """As decide, but never RESIGN, and for a game that nothing else is known of."""
        result = self.chooser.choose(turn, self._limits(turn), None, self.search)
        point = self._best(turn, result).point
        return Decision(point, result) if point != PASS else self.decide_last(turn, result)

    def decide_capture(self, turn: Turn, points: Collection[int]) -> Decision:
        """The best move on one of these points that `turn` doesn't avoid, where hopeless stones are captured; PASS when there is none."""
        allowed = {point for point in points if (turn.color, point) not in (turn.avoid or {}) and turn.game.is_legal(turn.color, point)}
        if not allowed:
            return Decision(PASS)
        only = replace(turn, avoid=passing.all_but(allowed, turn.color, turn.game.size))  # a short search might see none of them
        result = self.chooser.choose(only, self._limits(turn), None, self.search)
        return Decision(passing.choose_capture(turn.game, turn.color, allowed, result), result)

    def decide_last(self, turn: Turn, result: SearchResult | None = None) -> Decision:
        """What is played where PASS would be: a move that costs nothing, or one that is worth points; else PASS.

        Where territory counts, a move may cost a point: then only costless ones are looked at, unless the opponent gains by the pass.

        All is searched under the komi that makes the game even after the pass, so that one point decides. `result`: of the search for
        that pass. A move that costs something is looked at once more, as deep as the pass was.
        """
        game, color = turn.game, turn.color
        if passing.is_mostly_empty(game):
            return Decision(PASS, result)
        komi, passed, gives_away = self._pass_looked_at(turn)
        costless = passing.costless_points(game, color, self.search.verdict)
        points = set(board_points(game.size)) if gives_away or game.rules.scoring is Scoring.AREA else costless
        points = {point for point in points if (color, point) not in (turn.avoid or {}) and game.is_legal(color, point)}
        if not points:
            return Decision(PASS, result)
        others = Turn(game, color, komi, passing.all_but(points, color, game.size))
        searched = self.search.run(others, passing.own_check(self._limits(turn), game.size))
        candidates = [candidate for candidate in searched.candidates if candidate.point in points]
        best = passing.best_in_place_of_pass(candidates, passed, costless)
        if best is not None and best.point not in costless:
            confirmed = replace(best, win_rate=1.0 - self._answer_to(turn, best.point, komi).win_rate)
            free = (candidate for candidate in candidates if candidate.point in costless)
            best = passing.best_in_place_of_pass([confirmed, *free], passed, costless)
        return Decision(PASS, result) if best is None else Decision(best.point, result or searched)

    def _answer_to(self, turn: Turn, point: int, komi: float) -> Candidate:
        """The opponent's best move under this komi after one on `point`. After a PASS it is none: that ends the game."""
        after, other = turn.game.copy(), opponent(turn.color)
        after.play(turn.color, point)
        asked = Turn(after, other, komi, {(other, PASS): 1} if point == PASS else None)
        reply = self.search.run(asked, passing.pass_check(self._limits(turn)))
        return reply.best if reply.candidates else Candidate(PASS, 0, 0.5, 0.0, [PASS])

    def _pass_looked_at(self, turn: Turn) -> tuple[float, float, bool]:
        """The komi that makes the game even after a pass, how much of it the pass wins, and whether the opponent gains by the pass.

        The count of a settled position is what the pass is worth. Where something is left, the opponent may gain by it: then the komi
        follows by as many points, for under a komi by which the pass and all other moves lose, they can't be told apart.
        """
        verdict = self.search.verdict(turn.game)
        komi = count = verdict.count.score
        theirs = 0.5
        for looks_left in reversed(range(1 if verdict.is_settled else passing.MOST_LOOKS)):
            reply = self._answer_to(turn, PASS, komi)
            theirs = reply.win_rate
            if passing.is_even(theirs, komi == count) or not looks_left:
                break
            komi += passing.points_gained(reply) * (-1.0 if turn.color == BLACK else 1.0)
        passed = 1.0 - theirs if komi != count else min(1.0 - theirs, 0.5)  # after two passes the count decides
        return komi, passed, theirs >= passing.ALARM or komi != count

    def _limits(self, turn: Turn) -> Limits:
        """See limits_by_clock."""
        return limits_by_clock(self._clock, turn.game, turn.color, self.search.params)

    def _gives_up(self, turn: Turn, breaks: int, move: Candidate) -> bool:
        """Is the game lost? Never while a virtual komi hides it."""
        if breaks != self._breaks:
            self._resignation.clear()
            self._breaks = breaks
        if turn.virtual_komi != 0.0:
            return False
        game = turn.game
        return self._resignation.should_resign(self.search.params, turn.color, move.win_rate, len(game.moves), game.size)

    def _best(self, turn: Turn, result: SearchResult, in_hurry: bool = False) -> Candidate:
        """The move to play. A pass is looked at once more: when the opponent would win after it, the best other move is played."""
        game, color = turn.game, turn.color
        move = passing.choose_move(game, color, turn.komi, result, None if in_hurry else self.search.verdict)
        better = passing.best_beside_pass(game, color, result)
        if move.point != PASS or better is None or better.win_rate < passing.EXPECTED_WIN:
            return move
        after = game.copy()
        after.play(color, PASS)
        reply = self.search.run(Turn(after, opponent(color), turn.komi), passing.pass_check(self._limits(turn)))
        return move if reply.best.win_rate < 0.5 else better  # the best answer: the mean of all would hold the bad ones, too


def allowance_now(clock: Clock, game: Game, color: int) -> Allowance | None:
    """How long `color` may think from now on by the clock, None: as long as it likes."""
    stones = game.size * game.size - int(game.positions[0]["empty_count"])
    return clock.allowance(color, game.size, stones, time.monotonic())


def limits_by_clock(clock: Clock, game: Game, color: int, params: SearchParams) -> Limits:
    """How long to search from now on: by the clock, by the number of playouts, or by the default time.

    The default time, too, runs while the engine loads, but a share of it is always searched.
    """
    allowance = allowance_now(clock, game, color)
    simulations = params.playouts or None
    if allowance is not None:
        return Limits(simulations, allowance.desired, allowance.maximum)
    if simulations:
        return Limits(simulations)
    waited = clock.elapsed(color, time.monotonic()) or 0.0
    return Limits(None, max(params.seconds - waited, LEAST_SHARE * params.seconds))
