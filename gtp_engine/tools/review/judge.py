"""Judge a game: a short search of every position, then long searches where the lead swings, then one curve through all results.

Two searches of the same length compare a move with the best one: after the played move, and after the best move. The mean of a few visits
inside a tree and the mean of a whole tree cannot be compared. agree.py makes the results consistent, and standing.py charges a player only
once for missing the same move. If the searches keep finding a new lead that no move explains, the engine has changed its mind. The shown
lead follows the searches then, and no player is charged.
"""

import math
import time
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from gtp_engine.engine.player.engine import warn_on_stderr
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.odds import logit
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, PASS, WHITE
from gtp_engine.tools.review.agree import Prices, agreeing
from gtp_engine.tools.review.confirmation import unconfirmed_in
from gtp_engine.tools.review.examiner import Examiner, SearchedPosition
from gtp_engine.tools.review.model import Evaluation, GameReview, MoveReview
from gtp_engine.tools.review.reasons import with_reasons
from gtp_engine.tools.review.records import GameRecord
from gtp_engine.tools.review.settings import GOOD, ReviewSettings
from gtp_engine.tools.review.standing import Charge, Omission, charges

Step = Callable[[int, int], None]  # called with the simulations that are done, and with the most that there will be
Answers = MutableMapping[SearchedPosition, Evaluation]  # evaluations by position; a caller may keep them over an interruption
LEAD_STEP, LEAD_PRICES = 0.1, Prices(loss=0.5, drift=3.0)  # step of the curve's grid in points; prices at the weight of a long search
LOGIT_STEP, LOGIT_PRICES = 0.02, Prices(loss=0.05, drift=0.3)  # the same for the logarithm of the odds
COUNTED_WEIGHT = 20.0  # of a finished position that was counted, in long searches
TIMED_SEARCHES = 8  # searches between two checks of the clock, when minutes are set
SEARCHES_PER_SUSPECT = 3  # before the move, after it, and after the best move
LONG_GUESS = 150  # assumed simulations of a search that is limited by time, for the progress
CONFIRMING = 0.1  # part of the long searches, or of the minutes, that is reserved for confirming opinions; unused ones are added
ROUNDS = 8  # of long searches: each round may show new swings, and later rounds show few


class Judge:
    """Reviews games. It searches with the threads of `params`, but it is not thread-safe itself."""

    def __init__(self, params: SearchParams, settings: ReviewSettings) -> None:
        self.settings = settings
        evaluators = Evaluators(warn_on_stderr)  # shared by both, so that the network is opened once
        self._quick = Examiner(replace(params, reading_share=0.0), evaluators)  # finding what to read takes as long as a few simulations
        self._thorough = Examiner(params, evaluators, settings.seconds)

    def warm_up(self) -> None:
        """Compile the search and open the network."""
        self._thorough.warm_up()

    def review(
        self,
        record: GameRecord,
        step: Step = lambda done, total: None,
        answers: Answers | None = None,
        first_look: Callable[[GameReview], None] = lambda review: None,
    ) -> GameReview:
        """Judge every move of the main line and return the review.

        answers -- evaluations of earlier runs, which are not searched again; every new evaluation is added to it at once
        first_look -- called with the review after the first pass
        """
        work = Work(record, self.settings, (self._quick, self._thorough), {} if answers is None else answers, step)
        work.look_at_all()
        first_look(work.review())
        work.search_swings()
        review = work.review()
        review.moves = with_reasons(review)
        work.confirm(review)
        work.end()
        return review


@dataclass(frozen=True)
class Effect:
    """The effect of a move, according to all searches."""

    after: Evaluation  # of the position after the move
    points: float  # points that the move lost, at least 0.0, including points that were charged to its player before
    odds: float  # the loss in the logarithm of the odds, at least 0.0


class Work:
    """One game under review."""

    def __init__(
        self, record: GameRecord, settings: ReviewSettings, examiners: tuple[Examiner, Examiner], answers: Answers, step: Step
    ) -> None:
        """`examiners`: the one for short searches and the one for long searches."""
        self._record, self._settings, self._step = record, settings, step
        self._quick, self._thorough = examiners
        self._kept_answers = answers
        self._answers: dict[SearchedPosition, Evaluation] = {}  # of this review: other kept answers must not change its searches
        self._started = time.monotonic()
        self._scale = settings.scale(record.size)
        self._last = len(record.moves)
        searches = settings.long_searches(self._last, record.size)
        self._searches_reserved = round(CONFIRMING * searches)
        self._searches_left = searches - self._searches_reserved  # long searches that may still be made to judge the moves
        self._minutes = (1.0 - CONFIRMING) * settings.minutes  # after these no search that judges moves begins
        ends = [game.last_move() for game in record.positions()][1:]
        self._passes = passes_at_the_end(record.moves)
        self._is_next_position = [
            end == move for end, move in zip(ends, record.moves, strict=True)
        ]  # False where set-up stones change the board after the move
        self._simulations_done = 0  # simulations of searches that were made

    # ---------------------------------------------------------------- searching

    def look_at_all(self) -> None:
        """Make a short search of every position."""
        positions = [self._short(number) for number in range(self._last + 1)]
        positions += [self._short(number, is_after=True) for number in range(self._last) if not self._is_next_position[number]]
        self._search(self._quick, positions, self._searches_left + self._searches_reserved)

    def search_swings(self) -> None:
        """Make long searches before and after the moves where the lead changes most, and after the best moves there."""
        for _ in range(ROUNDS):
            positions: list[SearchedPosition] = []
            suspects = self._suspects()
            for number in suspects:
                if len(positions) >= self._searches_left:
                    break
                positions += [
                    position for position in self._long_searches(number) if position not in self._answers and position not in positions
                ]
            if not positions or self._is_late():
                return
            self._searches_left -= len(positions)
            to_come = min(self._searches_left, max(SEARCHES_PER_SUSPECT * len(suspects) - len(positions), 0))
            self._search(self._thorough, positions, to_come + self._searches_reserved)

    def confirm(self, review: GameReview) -> None:
        """Drop the opinions about mistakes that a second search doesn't share. The costliest mistakes are searched first."""
        self._minutes = self._settings.minutes
        mistakes = unconfirmed_in(review)
        playouts = self._settings.playouts
        positions = [position for mistake in mistakes for position in mistake.positions(playouts)]
        lengths = accumulate(position.visits / playouts if playouts else 1.0 for position in positions)
        may_be_searched = sum(length <= self._searches_left + self._searches_reserved for length in lengths)
        self._search(self._thorough, positions[:may_be_searched], 0)
        for mistake in mistakes:
            review.moves[mistake.move.number - 1] = mistake.confirmed(playouts, self._answers)
        review.seconds = time.monotonic() - self._started

    def end(self) -> None:
        """Report that the review is complete."""
        if self._simulations_done:
            self._step(self._simulations_done, self._simulations_done)

    def _search(self, examiner: Examiner, positions: Iterable[SearchedPosition], to_come: int) -> None:
        """Search the positions that have no answer yet and no kept answer. `to_come`: the number of long searches that may follow."""
        missing = [position for position in positions if position not in self._answers]
        self._answers |= {position: self._kept_answers[position] for position in missing if position in self._kept_answers}
        unanswered = [position for position in missing if position not in self._answers]
        later = 0 if self._settings.minutes else to_come * (self._settings.playouts or LONG_GUESS)
        planned = self._simulations_done + sum(position.visits or LONG_GUESS for position in unanswered) + later

        def keep(position: SearchedPosition, evaluation: Evaluation) -> None:
            """Keep one answer and report the progress."""
            self._answers[position] = self._kept_answers[position] = evaluation
            self._simulations_done += position.visits or LONG_GUESS
            self._step(self._simulations_done, planned)

        at_once = len(unanswered) if self._settings.minutes == 0.0 or examiner is self._quick else TIMED_SEARCHES
        for i in range(0, len(unanswered), max(at_once, 1)):
            if at_once == TIMED_SEARCHES and self._is_late():
                return
            examiner.examine(self._record, unanswered[i : i + at_once], keep)

    def _suspects(self) -> list[int]:
        """Return the moves that may have lost points and lack long searches, the largest change of lead first.

        The changes are those between the searches. If all of these moves are settled, they are those of the fitted curve.
        """
        evaluations = [(self._before(number), self._after(number)) for number in range(self._last)]
        return self._swings(evaluations) or self._swings([(before, effect.after) for before, effect in zip(*self._agreed(), strict=False)])

    def _swings(self, evaluations: Sequence[tuple[Evaluation, Evaluation]]) -> list[int]:
        """Return the unsettled moves whose evaluations (before, after) differ much in lead, the largest difference first."""
        changes = [(abs(after.lead - before.lead), number) for number, (before, after) in enumerate(evaluations)]
        least = self._settings.suspicion * self._scale
        first, last = self._settings.first_move - 1, self._settings.last_move - 1
        swings = [
            (change, number) for change, number in changes if change >= least and first <= number <= last and not self._is_settled(number)
        ]
        return [number for _, number in sorted(swings, key=lambda swing: (-swing[0], swing[1]))]

    def _is_settled(self, number: int) -> bool:
        """Are all long searches made that judge the move after `number` moves?"""
        return all(position in self._answers for position in self._long_searches(number))

    def _long_searches(self, number: int) -> list[SearchedPosition]:
        """Return the long searches that judge the move after `number` moves, as far as the answers so far determine them."""
        searches = [self._long(number), self._long(number, is_after=True)]
        best = self._best(number)
        if searches[0] in self._answers and best is not None and best.point != self._record.moves[number][1]:
            searches.append(self._second_look(number, best))
        return searches

    def _is_late(self) -> bool:
        """Is the time used up?"""
        return 0.0 < 60.0 * self._minutes < time.monotonic() - self._started

    def _position_of(self, number: int, visits: int, is_after: bool) -> SearchedPosition:
        """Return the position after `number` moves, or with `is_after` the position after the next move."""
        if is_after and self._is_next_position[number]:
            return SearchedPosition(number + 1, visits)
        return SearchedPosition(number, visits, self._record.moves[number][1] if is_after else None)

    def _short(self, number: int, is_after: bool = False) -> SearchedPosition:
        """Return the short search of a position."""
        most = self._settings.playouts or self._settings.first
        return self._position_of(number, min(self._settings.first, most), is_after)

    def _long(self, number: int, is_after: bool = False) -> SearchedPosition:
        """Return the long search of a position."""
        return self._position_of(number, self._settings.playouts, is_after)

    def _second_look(self, number: int, best: Candidate) -> SearchedPosition:
        """Return the long search of the position after the best move."""
        return SearchedPosition(number, self._settings.playouts, best.point)

    # ---------------------------------------------------------------- what was found

    def _before(self, number: int, is_after: bool = False) -> Evaluation:
        """Return the evaluation of the position after `number` moves by the longest search so far."""
        return self._answers.get(self._long(number, is_after)) or self._answers[self._short(number, is_after)]

    def _after(self, number: int) -> Evaluation:
        """Return the evaluation of the position after the next move by the longest search so far."""
        return self._before(number, is_after=True)

    def _best(self, number: int) -> Candidate | None:
        """Return the best move after `number` moves, or the played move if it is a twin of it; None if two passes have ended the game."""
        candidates = self._before(number).candidates
        return twin_played(candidates, self._record.moves[number][1]) if candidates else None

    def _most_lost(self, number: int) -> tuple[float, float]:
        """Return the most points, and the most of the logarithm of the odds, that the move after `number` moves can have lost."""
        color, point = self._record.moves[number]
        best = self._best(number)
        if best is None or best.point == point or self._ends_game(number):
            return 0.0, 0.0
        better, after = self._answers.get(self._second_look(number, best)), self._after(number)
        if better is None:
            return math.inf, math.inf
        odds = logit(better.win_rate_of(color)) - logit(after.win_rate_of(color))
        return max(better.lead_of(color) - after.lead_of(color), 0.0), max(odds, 0.0)

    def _ends_game(self, number: int) -> bool:
        """Is the move one of the final passes? A difference between the count and the search is not charged to a move."""
        return number >= self._last - self._passes

    def _agreed(self) -> tuple[list[Evaluation], list[Effect]]:
        """Return the consistent evaluations before each move and of the last position, and the effect of each move."""
        evaluations: list[Evaluation] = []
        effects: list[Effect] = []
        start = 0
        for number in range(self._last + 1):
            if number == self._last or not self._is_next_position[number]:
                found_evaluations = [self._before(before_number) for before_number in range(start, number + 1)]
                found_evaluations += [self._after(number)] if number < self._last else []
                agreed, move_effects = self._agree(found_evaluations, range(start, min(number + 1, self._last)))
                evaluations += agreed[: number + 1 - start]
                effects += move_effects
                start = number + 1
        return evaluations, effects

    def _agree(self, evaluations: list[Evaluation], numbers: range) -> tuple[list[Evaluation], list[Effect]]:
        """Make the evaluations before and after consecutive moves consistent. Return them with the effect of each move."""
        signs = [1 if self._record.moves[number][0] == BLACK else -1 for number in numbers]
        most = [self._most_lost(number) for number in numbers]
        weights = [weight_of(evaluation, self._settings.playouts or self._settings.first) for evaluation in evaluations]
        leads = agreeing(
            [evaluation.lead for evaluation in evaluations], weights, signs, [points for points, _ in most], LEAD_PRICES, LEAD_STEP
        )
        limits = [odds if lost > LEAD_STEP / 2 else 0.0 for (_, odds), lost in zip(most, leads.losses, strict=True)]
        odds = agreeing([logit(evaluation.win_rate) for evaluation in evaluations], weights, signs, limits, LOGIT_PRICES, LOGIT_STEP)
        agreed = [
            moved(evaluation, lead - evaluation.lead, rate - logit(evaluation.win_rate)) if evaluation.candidates else evaluation
            for evaluation, lead, rate in zip(evaluations, leads.values, odds.values, strict=True)
        ]
        return agreed, [Effect(*effect) for effect in zip(agreed[1:], leads.losses, odds.losses, strict=True)]

    def review(self) -> GameReview:
        """Return the review according to the answers so far."""
        record = self._record
        review = GameReview(record, self._settings, record.komi, record.rules.name)
        review.evaluations, effects = self._agreed()
        review.boards = [{point: color for color in (BLACK, WHITE) for point in game.stones(color)} for game in record.positions()]
        charged = charges([self._omission(number, effect) for number, effect in enumerate(effects)])
        review.moves = [self._judged(number, review, effects[number], charged[number]) for number in range(self._last)]
        best_moves = {number: best for number in range(self._last) if (best := self._best(number)) is not None}
        second_looks = {number + 1: self._answers.get(self._second_look(number, best)) for number, best in best_moves.items()}
        review.after_better = {number: evaluation for number, evaluation in second_looks.items() if evaluation is not None}
        review.in_doubt = sorted(number + 1 for number in self._suspects())
        review.judged_by = self._quick.judged_by(record.size)
        review.seconds = time.monotonic() - self._started
        return review

    def _omission(self, number: int, effect: Effect) -> Omission:
        """Return the loss of the move after `number` moves and the move that it missed."""
        color, point = self._record.moves[number]
        best = self._best(number)
        if best is None or best.point == point or self._ends_game(number):
            return Omission(color, point, 0.0, None)
        return Omission(color, point, effect.points, best.point)

    def _judged(self, number: int, review: GameReview, effect: Effect, charge: Charge) -> MoveReview:
        """Return the judgement of the move after `number` moves."""
        color, point = self._record.moves[number]
        before, after = review.evaluations[number], effect.after
        lead = before.lead_of(color) - effect.points
        best = twin_played(before.candidates, point) if before.candidates else None
        if best is not None and best.point != point:
            best = self._with_answer(number, replace(best, win_rate=before.win_rate_of(color), score=before.lead_of(color)))
        rank, visits, prior = rank_visits_and_prior(point, before)
        size = self._settings.size_of(charge.loss, self._record.size)
        refutation = after.candidates[0].variation if after.candidates and size != GOOD else []
        return MoveReview(
            number + 1,
            color,
            point,
            self._settings.phase_of(len(review.boards[number]), self._record.size),
            before.win_rate_of(color),
            rate_of(logit(before.win_rate_of(color)) - effect.odds),
            before.lead_of(color),
            lead,
            charge.loss,
            best,
            rank,
            visits,
            prior,
            size,
            charge.since,
            tuple(refutation[: self._settings.variation]),
            drift=0.0 if self._ends_game(number) else after.lead_of(color) - lead,
        )

    def _with_answer(self, number: int, best: Candidate) -> Candidate:
        """Return the better move with a variation from the search after it, if there was one."""
        after = self._answers.get(self._second_look(number, best))
        answers = after.candidates[0].variation if after is not None and after.candidates else best.variation[1:]
        return replace(best, variation=[best.point, *answers][: self._settings.variation])


def passes_at_the_end(moves: Sequence[tuple[int, int]]) -> int:
    """Return the number of passes that end the game; 0 if there are fewer than two."""
    count = next((count for count, (_, point) in enumerate(reversed(moves)) if point != PASS), len(moves))
    return count if count >= 2 else 0


def weight_of(evaluation: Evaluation, playouts: int) -> float:
    """Return the weight of an evaluation, which is 1.0 for a long search."""
    return min(evaluation.simulations / playouts, 2.0) if evaluation.candidates else COUNTED_WEIGHT


def rate_of(odds: float) -> float:
    """Return the win rate for the logarithm of the odds."""
    return 1.0 / (1.0 + math.exp(-odds))


def moved(evaluation: Evaluation, lead: float, odds: float) -> Evaluation:
    """Return the evaluation and its candidates, moved in Black's favor by `lead` points and by `odds` in the logarithm of the odds."""
    sign = 1 if evaluation.to_play == BLACK else -1
    candidates = [
        replace(candidate, score=candidate.score + sign * lead, win_rate=rate_of(logit(candidate.win_rate) + sign * odds))
        for candidate in evaluation.candidates
    ]
    return replace(evaluation, lead=evaluation.lead + lead, win_rate=rate_of(logit(evaluation.win_rate) + odds), candidates=candidates)


def rank_visits_and_prior(point: int, evaluation: Evaluation) -> tuple[int | None, int, float]:
    """Return (rank, visits, prior) of a move among the candidates. The rank is None if the search never visited it."""
    for rank, candidate in enumerate(evaluation.candidates, 1):
        if candidate.point == point:
            return rank, candidate.visits, candidate.prior
    return None, 0, next((prior for move, prior in evaluation.unvisited if move == point), 0.0)


def twin_played(candidates: Sequence[Candidate], point: int) -> Candidate:
    """Return the best candidate, or the one on `point` if a symmetry of the board maps them, which gives them the same numbers."""
    best = candidates[0]
    numbers = best.visits, best.win_rate, best.score, best.prior
    twins = (
        candidate
        for candidate in candidates
        if candidate.point == point and (candidate.visits, candidate.win_rate, candidate.score, candidate.prior) == numbers
    )
    return next(twins, best)
