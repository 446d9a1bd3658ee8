"""Opinions confirmed: what two searches expect is told only where another one of the position after the mistake expects it, too.

The other search begins from nothing, with other random numbers. For an area it is longer: one of the same length finds out hardly any false
ones. That the opponent has to answer the better move is tried: in one search it plays elsewhere instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gtp_engine.go.points import BLACK
from gtp_engine.tools.review.area_reasons import Area, Expected, claims, expected_in, largest_area, told
from gtp_engine.tools.review.examiner import SearchedPosition
from gtp_engine.tools.review.missed_move import MissedMove, missed_move_of
from gtp_engine.tools.review.model import Evaluation, GameReview, MoveReview, Reason
from gtp_engine.tools.review.reply_reasons import URGENT, free_move, lost_point, lost_sente

AREA, SENTE, POINT = "area", "sente", "point"  # the kinds of reasons that are opinions
TRIAL = 1  # of these searches: the judgement's have 0
LONGER = 2  # times: a search that confirms an area
MOST = 0.7  # of an area's gain that the other search finds at least
Answers = Mapping[SearchedPosition, Evaluation]


@dataclass(frozen=True)
class Unconfirmed:
    """A mistake with opinions among its reasons."""

    move: MoveReview
    missed: MissedMove
    first: Expected  # by the searches that judged the move

    def questions(self, playouts: int) -> list[SearchedPosition]:
        """What is to be searched: after the move that was played; for sente also after the better one, and after a move elsewhere."""
        kinds = {reason.kind for reason in self.move.reasons}
        after = SearchedPosition(self.move.number - 1, playouts * (LONGER if AREA in kinds else 1), self.missed.point, trial=TRIAL)
        if SENTE not in kinds:
            return [after]
        best = replace(after, point=self.missed.better)
        return [after, best, replace(best, reply=free_move(self.first))]

    def confirmed(self, playouts: int, answers: Answers) -> MoveReview:
        """The move without the opinions that these searches don't share. Where one of them is missing, none is shared."""
        found = [answers.get(question) for question in self.questions(playouts)]
        searches = [evaluation for evaluation in found if evaluation is not None]
        shared = (self._shared(reason, searches if None not in found else []) for reason in self.move.reasons)
        return replace(self.move, reasons=tuple(reason for reason in shared if reason is not None))

    def _shared(self, reason: Reason, found: Sequence[Evaluation]) -> Reason | None:
        """What the searches say instead of the reason, if it is an opinion; None where they don't share it."""
        if reason.kind not in (AREA, SENTE, POINT):
            return reason
        if not found:
            return None
        color, moves = self.missed.color, (self.missed.point, self.missed.better)
        after, *sente = found
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
        """Does the same happen in the area, and does the better move gain about as much there?"""
        game, color = self.missed.before, self.missed.color
        area = largest_area(game.size, self.first, self.missed.better)
        assert area is not None
        other = Area(area.points, second)
        return other.gain >= MOST * area.gain and told(game, color, area) in claims(game, color, other)


def unconfirmed_in(review: GameReview) -> list[Unconfirmed]:
    """The mistakes with opinions among their reasons, those that cost most first."""
    found = []
    for move in review.moves:
        if any(reason.kind in (AREA, SENTE, POINT) for reason in move.reasons):
            first = expected_in(review, move)
            missed = missed_move_of(review.record.position(move.number), move, [], first)
            if missed is not None and first is not None:
                found.append(Unconfirmed(move, missed, first))
    return sorted(found, key=lambda mistake: (-mistake.move.loss, mistake.move.number))
