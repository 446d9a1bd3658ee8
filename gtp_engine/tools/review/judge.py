"""Judging a game: first a quick look at every position, then long searches where the lead swings, then one curve through all of it.

A move is compared with the best one by two searches of the same length: of the position that it led to, and of the one that the best move
would have led to. The mean of a few visits inside a tree and that of a whole tree cannot be compared. What the searches found is brought
to agree (agree.py), and what was missed once is charged once (standing.py). Where the searches go on finding another lead than before,
though no move lost it, the engine has changed its mind: the lead that is shown follows them, and nobody is charged.
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

Step = Callable[[int, int], None]  # called with how much is done, in simulations, and how much there will be at most
Answers = MutableMapping[SearchedPosition, Evaluation]  # what was found; a caller may keep it over an interruption
LEAD_STEP, LEAD_PRICES = 0.1, Prices(loss=0.5, drift=3.0)  # points of the curve's grid; prices at the weight of a long search
LOGIT_STEP, LOGIT_PRICES = 0.02, Prices(loss=0.05, drift=0.3)  # the same for the logarithm of the odds
COUNTED_WEIGHT = 20.0  # of a position that was counted rather than searched, in long searches
TIMED_QUESTIONS = 8  # between two looks at the clock, where minutes are given
SEARCHES_PER_SUSPECT = 3  # before the move, after it, after the best one
LONG_GUESS = 150  # simulations of a search that goes by the clock, for telling how far the review is
CONFIRMING = 0.1  # of the long searches, or of the minutes, that is kept for confirming opinions; what the moves leave over is added
ROUNDS = 8  # of long searches: each may show new swings, the later ones few


class Judge:
    """Reviews games. Not for several threads; searches with as many as `params` say."""

    def __init__(self, params: SearchParams, settings: ReviewSettings) -> None:
        self.settings = settings
        evaluators = Evaluators(warn_on_stderr)  # one for both: the network is opened once
        self._quick = Examiner(replace(params, reading_share=0.0), evaluators)  # finding what to read takes as long as a few simulations
        self._thorough = Examiner(params, evaluators, settings.seconds)

    def warm_up(self) -> None:
        """Compile what is to be compiled."""
        self._thorough.warm_up()

    def review(
        self,
        record: GameRecord,
        step: Step = lambda done, total: None,
        answers: Answers | None = None,
        first_look: Callable[[GameReview], None] = lambda review: None,
    ) -> GameReview:
        """Judge every move of the main line.

        answers -- what was found before, which isn't searched for again; all that is found is added to it at once
        first_look -- called with the review as it stands after the first pass
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
    """What a move did, by all that was found."""

    after: Evaluation  # of the position that it led to
    points: float  # that it lost, at least 0.0, whether its player was charged for them before or not
    odds: float  # the same for the logarithm of the odds


class Work:
    """One game under review."""

    def __init__(
        self, record: GameRecord, settings: ReviewSettings, examiners: tuple[Examiner, Examiner], answers: Answers, step: Step
    ) -> None:
        """`examiners`: for short and for long searches."""
        self._record, self._settings, self._step = record, settings, step
        self._quick, self._thorough = examiners
        self._kept = answers
        self._answers: dict[SearchedPosition, Evaluation] = {}  # those asked for by now: what is asked next must not depend on the others
        self._started = time.monotonic()
        self._scale = settings.scale(record.size)
        self._last = len(record.moves)
        searches = settings.long_searches(self._last, record.size)
        self._reserved = round(CONFIRMING * searches)
        self._left = searches - self._reserved  # that may still be made to judge the moves
        self._minutes = (1.0 - CONFIRMING) * settings.minutes  # after which no search begins, as long as the moves are judged
        ends = [game.last_move() for game in record.positions()][1:]
        self._passes = passes_at_the_end(record.moves)
        self._is_next_position = [
            end == move for end, move in zip(ends, record.moves, strict=True)
        ]  # or set-up stones changed the board after it
        self._done = 0  # simulations of searches that were made

    # ---------------------------------------------------------------- searching

    def look_at_all(self) -> None:
        """A short search of every position."""
        positions = [self._short(number) for number in range(self._last + 1)]
        positions += [self._short(number, is_after=True) for number in range(self._last) if not self._is_next_position[number]]
        self._search(self._quick, positions, self._left + self._reserved)

    def search_swings(self) -> None:
        """Long searches before and after the moves where the lead changes most, and of what the best moves there lead to."""
        for _ in range(ROUNDS):
            wanted: list[SearchedPosition] = []
            suspects = self._suspects()
            for number in suspects:
                if len(wanted) >= self._left:
                    break
                wanted += [question for question in self._questions(number) if question not in self._answers and question not in wanted]
            if not wanted or self._is_late():
                return
            self._left -= len(wanted)
            to_come = min(self._left, max(SEARCHES_PER_SUSPECT * len(suspects) - len(wanted), 0))
            self._search(self._thorough, wanted, to_come + self._reserved)

    def confirm(self, review: GameReview) -> None:
        """Leave out opinions about mistakes that other searches don't share, those of the costliest mistakes being searched first."""
        self._minutes = self._settings.minutes
        mistakes = unconfirmed_in(review)
        playouts = self._settings.playouts
        questions = [question for mistake in mistakes for question in mistake.questions(playouts)]
        lengths = accumulate(question.visits / playouts if playouts else 1.0 for question in questions)
        may_be_searched = sum(length <= self._left + self._reserved for length in lengths)
        self._search(self._thorough, questions[:may_be_searched], 0)
        for mistake in mistakes:
            review.moves[mistake.move.number - 1] = mistake.confirmed(playouts, self._answers)
        review.seconds = time.monotonic() - self._started

    def end(self) -> None:
        """Nothing more is searched."""
        if self._done:
            self._step(self._done, self._done)

    def _search(self, examiner: Examiner, questions: Iterable[SearchedPosition], to_come: int) -> None:
        """Ask what isn't answered yet, unless the answer was kept. So many long searches may follow."""
        wanted = [question for question in questions if question not in self._answers]
        self._answers |= {question: self._kept[question] for question in wanted if question in self._kept}
        unanswered = [question for question in wanted if question not in self._answers]
        later = 0 if self._settings.minutes else to_come * (self._settings.playouts or LONG_GUESS)
        planned = self._done + sum(question.visits or LONG_GUESS for question in unanswered) + later

        def found(question: SearchedPosition, evaluation: Evaluation) -> None:
            """Keep one answer."""
            self._answers[question] = self._kept[question] = evaluation
            self._done += question.visits or LONG_GUESS
            self._step(self._done, planned)

        at_once = len(unanswered) if self._settings.minutes == 0.0 or examiner is self._quick else TIMED_QUESTIONS
        for i in range(0, len(unanswered), max(at_once, 1)):
            if at_once == TIMED_QUESTIONS and self._is_late():
                return
            examiner.examine(self._record, unanswered[i : i + at_once], found)

    def _suspects(self) -> list[int]:
        """The moves that may have lost points and aren't searched to the end, those with the largest change of lead first.

        The change is the one that was found; where all those are settled, the one that the review would tell.
        """
        found = [(self._before(number), self._after(number)) for number in range(self._last)]
        return self._swings(found) or self._swings([(before, effect.after) for before, effect in zip(*self._agreed(), strict=False)])

    def _swings(self, evaluations: Sequence[tuple[Evaluation, Evaluation]]) -> list[int]:
        """The moves, not yet settled, whose evaluations (before, after) are far apart, those farthest apart first."""
        changes = [(abs(after.lead - before.lead), number) for number, (before, after) in enumerate(evaluations)]
        least = self._settings.suspicion * self._scale
        first, last = self._settings.first_move - 1, self._settings.last_move - 1
        swings = [
            (change, number) for change, number in changes if change >= least and first <= number <= last and not self._is_settled(number)
        ]
        return [number for _, number in sorted(swings, key=lambda each: (-each[0], each[1]))]

    def _is_settled(self, number: int) -> bool:
        """Is everything searched that the judgement of the move after `number` moves wants?"""
        return all(question in self._answers for question in self._questions(number))

    def _questions(self, number: int) -> list[SearchedPosition]:
        """The long searches that judge the move after `number` moves, as far as can be said by now."""
        questions = [self._long(number), self._long(number, is_after=True)]
        best = self._best(number)
        if questions[0] in self._answers and best is not None and best.point != self._record.moves[number][1]:
            questions.append(self._second_look(number, best))
        return questions

    def _is_late(self) -> bool:
        """Is the time over?"""
        return 0.0 < 60.0 * self._minutes < time.monotonic() - self._started

    def _asked(self, number: int, visits: int, is_after: bool) -> SearchedPosition:
        """The position after `number` moves, or after the move that follows."""
        if is_after and self._is_next_position[number]:
            return SearchedPosition(number + 1, visits)
        return SearchedPosition(number, visits, self._record.moves[number][1] if is_after else None)

    def _short(self, number: int, is_after: bool = False) -> SearchedPosition:
        """The quick look at a position."""
        most = self._settings.playouts or self._settings.first
        return self._asked(number, min(self._settings.first, most), is_after)

    def _long(self, number: int, is_after: bool = False) -> SearchedPosition:
        """The long search of it."""
        return self._asked(number, self._settings.playouts, is_after)

    def _second_look(self, number: int, best: Candidate) -> SearchedPosition:
        """The long search of the position that the best move leads to."""
        return SearchedPosition(number, self._settings.playouts, best.point)

    # ---------------------------------------------------------------- what was found

    def _before(self, number: int, is_after: bool = False) -> Evaluation:
        """The best that is known of the position after `number` moves."""
        return self._answers.get(self._long(number, is_after)) or self._answers[self._short(number, is_after)]

    def _after(self, number: int) -> Evaluation:
        """The best that is known of the position that the move after `number` moves leads to."""
        return self._before(number, is_after=True)

    def _best(self, number: int) -> Candidate | None:
        """The best move there; None when two passes have ended the game. The one that was played is as good as a twin of it."""
        candidates = self._before(number).candidates
        return twin_played(candidates, self._record.moves[number][1]) if candidates else None

    def _most_lost(self, number: int) -> tuple[float, float]:
        """How many points, and how much of the odds' logarithm, the move after `number` moves can have lost, as far as is known."""
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
        """Is the move one of the passes at the end? What the count finds other than the search did is no move's fault."""
        return number >= self._last - self._passes

    def _agreed(self) -> tuple[list[Evaluation], list[Effect]]:
        """The evaluations before each move and of the last position, brought to agree, and what each move did."""
        evaluations: list[Evaluation] = []
        effects: list[Effect] = []
        start = 0
        for number in range(self._last + 1):
            if number == self._last or not self._is_next_position[number]:
                found = [self._before(each) for each in range(start, number + 1)]
                found += [self._after(number)] if number < self._last else []
                agreed, made = self._agree(found, range(start, min(number + 1, self._last)))
                evaluations += agreed[: number + 1 - start]
                effects += made
                start = number + 1
        return evaluations, effects

    def _agree(self, found: list[Evaluation], numbers: range) -> tuple[list[Evaluation], list[Effect]]:
        """The evaluations before and after these moves, each of which leads from one to the next, brought to agree, and the moves."""
        signs = [1 if self._record.moves[number][0] == BLACK else -1 for number in numbers]
        most = [self._most_lost(number) for number in numbers]
        weights = [weight_of(evaluation, self._settings.playouts or self._settings.first) for evaluation in found]
        leads = agreeing([each.lead for each in found], weights, signs, [points for points, _ in most], LEAD_PRICES, LEAD_STEP)
        limits = [odds if lost > LEAD_STEP / 2 else 0.0 for (_, odds), lost in zip(most, leads.losses, strict=True)]
        odds = agreeing([logit(each.win_rate) for each in found], weights, signs, limits, LOGIT_PRICES, LOGIT_STEP)
        agreed = [
            moved(evaluation, lead - evaluation.lead, rate - logit(evaluation.win_rate)) if evaluation.candidates else evaluation
            for evaluation, lead, rate in zip(found, leads.values, odds.values, strict=True)
        ]
        return agreed, [Effect(*each) for each in zip(agreed[1:], leads.losses, odds.losses, strict=True)]

    def review(self) -> GameReview:
        """The judgement as it stands."""
        record = self._record
        review = GameReview(record, self._settings, record.komi, record.rules.name)
        review.evaluations, effects = self._agreed()
        review.boards = [{point: color for color in (BLACK, WHITE) for point in game.stones(color)} for game in record.positions()]
        charged = charges([self._omission(number, effect) for number, effect in enumerate(effects)])
        review.moves = [self._judged(number, review, effects[number], charged[number]) for number in range(self._last)]
        bests = {number: best for number in range(self._last) if (best := self._best(number)) is not None}
        looks = {number + 1: self._answers.get(self._second_look(number, best)) for number, best in bests.items()}
        review.after_better = {number: look for number, look in looks.items() if look is not None}
        review.in_doubt = sorted(number + 1 for number in self._suspects())
        review.judged_by = self._quick.judged_by(record.size)
        review.seconds = time.monotonic() - self._started
        return review

    def _omission(self, number: int, effect: Effect) -> Omission:
        """What the move after `number` moves lost, and what it missed."""
        color, point = self._record.moves[number]
        best = self._best(number)
        if best is None or best.point == point or self._ends_game(number):
            return Omission(color, point, 0.0, None)
        return Omission(color, point, effect.points, best.point)

    def _judged(self, number: int, review: GameReview, effect: Effect, charge: Charge) -> MoveReview:
        """The judgement of the move after `number` moves."""
        color, point = self._record.moves[number]
        before, after = review.evaluations[number], effect.after
        lead = before.lead_of(color) - effect.points
        best = twin_played(before.candidates, point) if before.candidates else None
        if best is not None and best.point != point:
            best = self._with_answer(number, replace(best, win_rate=before.win_rate_of(color), score=before.lead_of(color)))
        rank, visits, prior = found_as(point, before)
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
        """The better move with the answers that its own search expects, where there was one."""
        after = self._answers.get(self._second_look(number, best))
        answers = after.candidates[0].variation if after is not None and after.candidates else best.variation[1:]
        return replace(best, variation=[best.point, *answers][: self._settings.variation])


def passes_at_the_end(moves: Sequence[tuple[int, int]]) -> int:
    """How many passes end the game; 0 where no two do."""
    count = next((count for count, (_, point) in enumerate(reversed(moves)) if point != PASS), len(moves))
    return count if count >= 2 else 0


def weight_of(evaluation: Evaluation, playouts: int) -> float:
    """How much an evaluation counts: 1.0 for a long search."""
    return min(evaluation.simulations / playouts, 2.0) if evaluation.candidates else COUNTED_WEIGHT


def rate_of(odds: float) -> float:
    """The win rate with these odds, given as their logarithm."""
    return 1.0 / (1.0 + math.exp(-odds))


def moved(evaluation: Evaluation, lead: float, odds: float) -> Evaluation:
    """The evaluation, its candidates too, with so much more lead for Black, and logarithm of the odds."""
    sign = 1 if evaluation.to_play == BLACK else -1
    candidates = [
        replace(each, score=each.score + sign * lead, win_rate=rate_of(logit(each.win_rate) + sign * odds))
        for each in evaluation.candidates
    ]
    return replace(evaluation, lead=evaluation.lead + lead, win_rate=rate_of(logit(evaluation.win_rate) + odds), candidates=candidates)


def found_as(point: int, evaluation: Evaluation) -> tuple[int | None, int, float]:
    """(rank, visits, prior) of a move among the candidates; no rank when the search never looked at it."""
    for rank, candidate in enumerate(evaluation.candidates, 1):
        if candidate.point == point:
            return rank, candidate.visits, candidate.prior
    return None, 0, next((prior for other, prior in evaluation.unvisited if other == point), 0.0)


def twin_played(candidates: Sequence[Candidate], point: int) -> Candidate:
    """The best candidate, or the one on `point` where the board turns one into the other, which gives them the same numbers."""
    best = candidates[0]
    numbers = best.visits, best.win_rate, best.score, best.prior
    twins = (each for each in candidates if each.point == point and (each.visits, each.win_rate, each.score, each.prior) == numbers)
    return next(twins, best)
