"""Confirm opinions by second searches: a review states an opinion only if searches after the mistake and after the better move agree.

Up to 11x11 the second searches use the other included network, because a network's blind spots stay in every search with it. On larger
boards they have a new tree and other random numbers. A cut is a fact, but its price is an opinion. For an area the search after the
mistake is longer, because one of the same length rejects hardly any false areas. For sente, one more search tries the opponent's move
elsewhere instead of the answer to the better move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gtp_engine.go.points import BLACK
from gtp_engine.tools.review.area_reasons import GAINED, Area, Expected, area_text, claims, expected_in, largest_area, weightiest_claim
from gtp_engine.tools.review.examiner import SearchedPosition
from gtp_engine.tools.review.missed_move import MissedMove, missed_move_of
from gtp_engine.tools.review.model import Evaluation, GameReview, MoveReview, Reason
from gtp_engine.tools.review.reply_reasons import URGENT, free_move, lost_point, lost_sente

AREA, SENTE, POINT, CUT = "area", "sente", "point", "cut"
OPINIONS = AREA, SENTE, POINT, CUT  # kinds of reasons that need a second opinion
TRIAL = 1  # SearchedPosition.trial of these searches; the searches that judge the moves have 0
LONGER = 2  # times as many playouts in a search that confirms an area
LEAST_GAIN = 0.7  # part of an area's gain that the second searches must find
LEAST_LOSS = 0.25  # part of the mistake's cost that the second searches must find
Answers = Mapping[SearchedPosition, Evaluation]


@dataclass(frozen=True)
class Unconfirmed:
    """A mistake with opinions among its reasons that are not confirmed yet."""

    move: MoveReview
    missed: MissedMove
    first: Expected  # the results of the searches that judged the move

    def positions(self, playouts: int) -> list[SearchedPosition]:
        """Return the positions to search: after the played move, after the better move, and for sente after a move elsewhere."""
        kinds = {reason.kind for reason in self.move.reasons}
        after = SearchedPosition(self.move.number - 1, playouts * (LONGER if AREA in kinds else 1), self.missed.point, trial=TRIAL)
        best = SearchedPosition(self.move.number - 1, playouts, self.missed.better, trial=TRIAL)
        return [after, best, replace(best, reply=free_move(self.first))] if SENTE in kinds else [after, best]

    def confirmed(self, playouts: int, answers: Answers) -> MoveReview:
        """Return the move without the opinions that these searches don't share. If a search is missing, only cuts and facts stay."""
        evaluations = [answers.get(position) for position in self.positions(playouts)]
        searches = [evaluation for evaluation in evaluations if evaluation is not None]
        shared = (self._shared(reason, searches if None not in evaluations else []) for reason in self.move.reasons)
        return replace(self.move, reasons=tuple(reason for reason in shared if reason is not None))

    def _shared(self, reason: Reason, searches: Sequence[Evaluation]) -> Reason | None:
        """Return the reason as the searches confirm it, or None if they don't share the opinion. A proved reason is returned as it is."""
        if reason.kind not in OPINIONS:
            return reason
        if not searches:
            return reason if reason.kind == CUT else None
        color, (after, best, *ignored) = self.missed.color, searches
        if best.lead_of(color) - after.lead_of(color) < LEAST_LOSS * self.move.loss:
            return None
        sign = 1 if color == BLACK else -1
        second = replace(
            self.first,
            best=sign * best.ownership,
            after=sign * after.ownership,
            answers_to_best=best.candidates,
            answers=after.candidates,
        )
        if reason.kind == POINT:
            return lost_point(color, self.missed.point, self.missed.better, second)
        if reason.kind == AREA:
            return self._shared_area(reason, second)
        if reason.kind == SENTE:
            return reason if self._is_sente_shared(second, ignored[0].lead_of(color) - best.lead_of(color)) else None
        return reason

    def _shared_area(self, reason: Reason, second: Expected) -> Reason | None:
        """Return the reason, or a weaker claim about the same area if the second searches find only its gain, or None."""
        game, color = self.missed.before, self.missed.color
        area = largest_area(game.size, self.first, self.missed.better)
        assert area is not None
        second_area = Area(area.points, second)
        if second_area.gain < LEAST_GAIN * area.gain:
            return None
        if weightiest_claim(game, color, area) in claims(game, color, second_area):
            return reason
        return Reason(AREA, area_text(game, color, area, GAINED, (self.missed.point, self.missed.better)))

    def _is_sente_shared(self, second: Expected, price: float) -> bool:
        """Do the second searches find sente with the same answer? `price`: the points that a move elsewhere costs the opponent."""
        is_found = lost_sente(self.missed.color, self.missed.point, self.missed.better, second) is not None
        return is_found and second.answers_to_best[0].point == self.first.answers_to_best[0].point and price >= URGENT


def unconfirmed_in(review: GameReview) -> list[Unconfirmed]:
    """Return the mistakes with opinions among their reasons, the costliest first."""
    unconfirmed = []
    for move in review.moves:
        if any(reason.kind in OPINIONS for reason in move.reasons):
            first = expected_in(review, move)
            missed = missed_move_of(review.record.position(move.number), move, [], first)
            if missed is not None and first is not None:
                unconfirmed.append(Unconfirmed(move, missed, first))
    return sorted(unconfirmed, key=lambda mistake: (-mistake.move.loss, mistake.move.number))
