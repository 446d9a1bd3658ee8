"""Confirm opinions by a second search: a review states an opinion only if a second search of the position after the mistake agrees.

The second search has a new tree and other random numbers. For an area it is longer, because a search of the same length rejects hardly
any false areas. For sente, one more search tries the opponent's move elsewhere instead of the answer to the better move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gtp_engine.go.points import BLACK
from gtp_engine.tools.review.area_reasons import Area, Expected, claims, expected_in, largest_area, weightiest_claim
from gtp_engine.tools.review.examiner import SearchedPosition
from gtp_engine.tools.review.missed_move import MissedMove, missed_move_of
from gtp_engine.tools.review.model import Evaluation, GameReview, MoveReview, Reason
from gtp_engine.tools.review.reply_reasons import URGENT, free_move, lost_point, lost_sente

AREA, SENTE, POINT = "area", "sente", "point"  # kinds of reasons that are opinions
TRIAL = 1  # SearchedPosition.trial of these searches; the searches that judge the moves have 0
LONGER = 2  # times as many playouts in a search that confirms an area
MOST = 0.7  # least part of an area's gain that the second search must find
Answers = Mapping[SearchedPosition, Evaluation]


@dataclass(frozen=True)
class Unconfirmed:
    """A mistake with opinions among its reasons that are not confirmed yet."""

    move: MoveReview
    missed: MissedMove
    first: Expected  # the results of the searches that judged the move

    def positions(self, playouts: int) -> list[SearchedPosition]:
        """Return the positions to search: after the played move, and for sente also after the better move and after a move elsewhere."""
        kinds = {reason.kind for reason in self.move.reasons}
        after = SearchedPosition(self.move.number - 1, playouts * (LONGER if AREA in kinds else 1), self.missed.point, trial=TRIAL)
        if SENTE not in kinds:
            return [after]
        best = replace(after, point=self.missed.better)
        return [after, best, replace(best, reply=free_move(self.first))]

    def confirmed(self, playouts: int, answers: Answers) -> MoveReview:
        """Return the move without the opinions that these searches don't share. If one search is missing, all opinions are dropped."""
        evaluations = [answers.get(position) for position in self.positions(playouts)]
        searches = [evaluation for evaluation in evaluations if evaluation is not None]
        shared = (self._shared(reason, searches if None not in evaluations else []) for reason in self.move.reasons)
        return replace(self.move, reasons=tuple(reason for reason in shared if reason is not None))

    def _shared(self, reason: Reason, searches: Sequence[Evaluation]) -> Reason | None:
        """Return the reason as the searches confirm it, or None if they don't share the opinion. A fact is returned as it is."""
        if reason.kind not in (AREA, SENTE, POINT):
            return reason
        if not searches:
            return None
        color, moves = self.missed.color, (self.missed.point, self.missed.better)
        after, *sente = searches
        second = replace(self.first, after=after.ownership if color == BLACK else -after.ownership, answers=after.candidates)
        if reason.kind == POINT:
            return lost_point(color, *moves, second)
        if reason.kind == AREA:
            return reason if self._is_area_shared(second) else None
        best, ignored = sente
        is_same = lost_sente(color, *moves, replace(second, answers_to_best=best.candidates)) is not None and (
            best.candidates[0].point == self.first.answers_to_best[0].point
        )
        return reason if is_same and ignored.lead_of(color) - best.lead_of(color) >= URGENT else None

    def _is_area_shared(self, second: Expected) -> bool:
        """Does the second search make the same claim about the area, with about the same gain?"""
        game, color = self.missed.before, self.missed.color
        area = largest_area(game.size, self.first, self.missed.better)
        assert area is not None
        second_area = Area(area.points, second)
        return second_area.gain >= MOST * area.gain and weightiest_claim(game, color, area) in claims(game, color, second_area)


def unconfirmed_in(review: GameReview) -> list[Unconfirmed]:
    """Return the mistakes with opinions among their reasons, the costliest first."""
    unconfirmed = []
    for move in review.moves:
        if any(reason.kind in (AREA, SENTE, POINT) for reason in move.reasons):
            first = expected_in(review, move)
            missed = missed_move_of(review.record.position(move.number), move, [], first)
            if missed is not None and first is not None:
                unconfirmed.append(Unconfirmed(move, missed, first))
    return sorted(unconfirmed, key=lambda mistake: (-mistake.move.loss, mistake.move.number))
