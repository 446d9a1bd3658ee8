"""Reasons from the opponent's next move: sente and the vital point. As in area_reasons.py, they are opinions of two long searches."""

from collections.abc import Callable, Sequence

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import PASS, opponent, to_vertex
from gtp_engine.tools.review.area_reasons import Expected, distance
from gtp_engine.tools.review.model import NAMES, Reason

NEAR = 3  # most rows plus columns between a move and its answer
CLOSE = 2  # most rows plus columns between two moves with the same purpose
FEWEST_VISITS = 8  # of a move that is compared with the best move
CLEAR = 0.5  # points by which the opponent's best move must beat the others to be called necessary
FREE = 2.0  # points by which a move elsewhere must beat every answer, so that no answer is necessary
URGENT = 2.0  # points that a move elsewhere must cost; an endgame move is worth as much


def free_move(owners: Expected) -> int:
    """Return the opponent's best move after the played move, or PASS if none is known."""
    return owners.answers[0].point if owners.answers else PASS


def is_clear(answers: Sequence[Candidate], is_rival: Callable[[int], bool], margin: float) -> bool:
    """Is the first answer better than every rival with FEWEST_VISITS, by at least `margin` points?"""
    rivals = [answer for answer in answers[1:] if is_rival(answer.point) and answer.visits >= FEWEST_VISITS]
    return all(answer.score <= answers[0].score - margin for answer in rivals)


def lost_sente(color: int, played: int, better: int, owners: Expected) -> Reason | None:
    """Return a reason if the opponent must answer the better move nearby but may play elsewhere after the played move, or None."""

    def is_near(point: int, move: int) -> bool:
        """Is the point close enough to be an answer to the move?"""
        return point != PASS and distance(point, move) <= NEAR

    answer, free = owners.answers_to_best[0].point if owners.answers_to_best else PASS, free_move(owners)
    if not is_near(answer, better) or free in (PASS, better, answer) or answer == played or is_near(free, played):
        return None
    is_forced = is_clear(owners.answers_to_best, lambda point: not is_near(point, better), URGENT)
    if not is_forced or not is_clear(owners.answers, lambda point: is_near(point, played), FREE):
        return None
    opponent_name = NAMES[opponent(color)]
    text = f"{to_vertex(better)} would have kept sente: {opponent_name} would have to answer at {to_vertex(answer)}."
    return Reason("sente", f"{text} After {to_vertex(played)}, {opponent_name} can play elsewhere, at {to_vertex(free)}.")


def lost_point(color: int, played: int, better: int, owners: Expected, may_be_near: bool = True) -> Reason | None:
    """Return a reason if the opponent's clearly best move is the better move's point, or close to it, or None.

    may_be_near -- False: only the same point counts
    """
    answer, opponent_name = free_move(owners), NAMES[opponent(color)]
    if answer == better and is_clear(owners.answers, lambda point: True, CLEAR):
        return Reason("point", f"Both players need {to_vertex(better)}, and now {opponent_name} can play there.")
    if not may_be_near or answer == PASS or distance(answer, better) > CLOSE or distance(answer, played) <= CLOSE:
        return None
    if not is_clear(owners.answers, lambda point: point == PASS or distance(point, better) > CLOSE, CLEAR):
        return None
    return Reason(
        "point",
        f"{NAMES[color]} should have played {to_vertex(better)}. Now {opponent_name} can take this area first, with {to_vertex(answer)}.",
    )
