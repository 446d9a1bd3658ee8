"""Judging a game: each position is searched, and each move is compared with the best one that was found.

The tree is kept from position to position, so a move that was expected costs little. A move that seems to lose points gets a second
look: the position after the better move is searched from nothing with the same effort as the one after the move that was played. Two
means of equally many playouts, each with the opponent to play, can be compared; the mean of a few visits inside a tree and that of a
whole tree cannot.
"""

import time
from collections.abc import Callable
from dataclasses import replace

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, opponent
from gtp_engine.player.engine import Engine
from gtp_engine.review.model import Evaluation, GameReview, MoveReview
from gtp_engine.review.records import GameRecord
from gtp_engine.review.settings import ReviewSettings
from gtp_engine.search.params import SearchParams
from gtp_engine.search.result import Candidate, SearchResult
from gtp_engine.search.search import Limits

FRESH = 4  # at least every FRESH-th simulation of a position is a new one: ownership is of these only
SEED = 1  # when the user gives none: the same review again
Step = Callable[[int, int], None]  # called with the number of positions that are done and that there are


class Judge:
    """Reviews games with one engine, and a second one for second looks. Not for several threads."""

    def __init__(self, params: SearchParams, settings: ReviewSettings) -> None:
        self.settings = settings
        self._engine = Engine(params)
        self._second = Engine(params)
        self._seed = params.seed or SEED

    def warm_up(self) -> None:
        """Compile what is to be compiled."""
        self._engine.warm_up()

    def review(self, record: GameRecord, step: Step = lambda done, total: None) -> GameReview:
        """Judge every move of the main line."""
        started = time.monotonic()
        for engine in (self._engine, self._second):
            engine.seed = self._seed  # and an empty tree: a game's review doesn't depend on the games before
            engine.state.set_rules(record.rules)
            engine.state.komi = record.komi
        review = GameReview(record, self.settings, record.komi, record.rules.name)
        total = len(record.moves) + 1
        before: Game | None = None
        for number, game in enumerate(record.positions()):
            evaluation = self.evaluate(game, record.moves[number][0] if number < len(record.moves) else game.to_play)
            if before is not None:
                color, point = record.moves[number - 1]
                after = evaluation if game.last_move() == (color, point) else self.evaluate_move(before, color, point)
                review.moves.append(self.judge(before, number, (color, point), review.evaluations[-1], after))
            review.boards.append({point: color for color in (BLACK, WHITE) for point in game.stones(color)})
            review.evaluations.append(evaluation)
            before = game.copy()
            step(number + 1, total)
        review.seconds = time.monotonic() - started
        return review

    def evaluate(self, game: Game, color: int) -> Evaluation:
        """Search a position with `color` to play; count it instead when two passes have ended the game."""
        self._engine.state.set_game(game)
        if game.passes() >= 2:
            return count_up(self._engine, color)
        limits = self._limits()
        result = self._engine.examine(color, limits)
        if limits.simulations and result.new_simulations * FRESH < limits.simulations:
            result = self._engine.examine(color, Limits(result.simulations + limits.simulations // FRESH))
        return to_evaluation(result, color)

    def evaluate_move(self, before: Game, color: int, point: int) -> Evaluation:
        """Search, from nothing, the position that a move leads to."""
        self._second.state.set_game(before.copy())
        self._second.game.play(color, point)
        to_play = self._second.game.to_play
        if self._second.game.passes() >= 2:
            return count_up(self._second, to_play)
        self._second.clear_search()
        return to_evaluation(self._second.examine(to_play, self._limits()), to_play)

    def judge(self, before: Game, number: int, move: tuple[int, int], evaluation: Evaluation, after: Evaluation) -> MoveReview:
        """Compare a move with the best one. `before` is the position that it was played in, `evaluation` what was found there."""
        color, point = move
        best = evaluation.candidates[0] if evaluation.candidates else None
        win_rate, lead, loss = after.win_rate_of(color), after.lead_of(color), 0.0
        if best is not None and best.point != point and best.score - lead >= self.settings.inaccuracy:
            better = self.evaluate_move(before, color, best.point)
            best = with_evaluation(best, better, self.settings.variation)
            loss = max(best.score - lead, 0.0)
        elif best is not None and best.point != point:
            loss = max(best.score - lead, 0.0)
        rank, visits, prior = found_as(point, evaluation)
        phase = self.settings.phase_of(len(before.stones(BLACK)) + len(before.stones(WHITE)), before.size)
        return MoveReview(
            number,
            color,
            point,
            phase,
            win_rate if best is None or best.point == point else best.win_rate,
            win_rate,
            lead if best is None or best.point == point else best.score,
            lead,
            loss,
            best,
            rank,
            visits,
            prior,
            self.settings.size_of(loss),
        )

    def _limits(self) -> Limits:
        """The effort for one position."""
        if self.settings.playouts:
            return Limits(self.settings.playouts)
        return Limits(seconds=self.settings.seconds, early_stop=False)


def to_evaluation(result: SearchResult, color: int) -> Evaluation:
    """What a search for `color` found, from Black's side."""
    sign = 1 if color == BLACK else -1
    win_rate = result.win_rate if color == BLACK else 1.0 - result.win_rate
    return Evaluation(
        color, win_rate, sign * result.score, sign * result.ownership, result.candidates, result.unvisited, result.simulations
    )


def count_up(engine: Engine, color: int) -> Evaluation:
    """The count of a game that is over."""
    verdict = engine.verdict()
    lead = verdict.count.score - engine.state.white_points()
    return Evaluation(color, 0.5 if lead == 0 else float(lead > 0), lead, verdict.ownership)


def with_evaluation(best: Candidate, after: Evaluation, length: int) -> Candidate:
    """The candidate with what a second look found: its numbers, and the answer that is expected then."""
    color = opponent(after.to_play)
    answers = after.candidates[0].variation if after.candidates else []
    return replace(
        best, win_rate=after.win_rate_of(color), score=after.lead_of(color), variation=[best.point, *answers][:length], ownership=None
    )


def found_as(point: int, evaluation: Evaluation) -> tuple[int | None, int, float]:
    """(rank, visits, prior) of a move among the candidates; no rank when the search never looked at it."""
    for rank, candidate in enumerate(evaluation.candidates, 1):
        if candidate.point == point:
            return rank, candidate.visits, candidate.prior
    return None, 0, next((prior for other, prior in evaluation.unvisited if other == point), 0.0)
