"""What the opponent does next: who keeps sente, and whose the vital point is. As in area_reasons.py, two long searches' opinion."""

from collections.abc import Callable, Sequence

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import PASS, opponent, to_vertex
from gtp_engine.tools.review.area_reasons import Expected, distance
from gtp_engine.tools.review.model import NAMES, Reason

NEAR = 3  # rows and columns between a move and its answer, together
CLOSE = 2  # the same between two moves that are played for the same reason
FEWEST_VISITS = 8  # of a move that is compared with the best one
CLEAR = 0.5  # points by which the opponent's best move must be better than others for being called the one that is needed
FREE = 2.0  # points by which a move elsewhere must be better than any answer for saying that none is needed
URGENT = 2.0  # points that it costs at least to answer elsewhere; a move of the endgame is worth as much


def free_move(owners: Expected) -> int:
    """The opponent's best move after the one that was played; PASS where none is known."""
    return owners.answers[0].point if owners.answers else PASS


def is_clear(answers: Sequence[Candidate], is_rival: Callable[[int], bool], margin: float) -> bool:
    """Is the first answer better than all rivals behind it that were looked at, by at least so many points?"""
    rivals = [each for each in answers[1:] if is_rival(each.point) and each.visits >= FEWEST_VISITS]
    return all(each.score <= answers[0].score - margin for each in rivals)


def lost_sente(color: int, played: int, better: int, owners: Expected) -> Reason | None:
    """The better move must be answered nearby, as far as the search looked elsewhere; after the one played the opponent is free."""

    def is_near(point: int, move: int) -> bool:
        """Does it answer the move?"""
        return point != PASS and distance(point, move) <= NEAR

    answer, free = owners.answers_to_best[0].point if owners.answers_to_best else PASS, free_move(owners)
    if not is_near(answer, better) or free in (PASS, better, answer) or answer == played or is_near(free, played):
        return None
    is_forced = is_clear(owners.answers_to_best, lambda point: not is_near(point, better), URGENT)
    if not is_forced or not is_clear(owners.answers, lambda point: is_near(point, played), FREE):
        return None
    other = NAMES[opponent(color)]
    text = f"{to_vertex(better)} keeps sente: {other} has to answer at {to_vertex(answer)}."
    return Reason("sente", f"{text} After {to_vertex(played)} {other} can play elsewhere, at {to_vertex(free)}.")


def lost_point(color: int, played: int, better: int, owners: Expected, may_be_near: bool = True) -> Reason | None:
    """Both want the same point, or one close to it, and the opponent plays there next, for no other move is as good.

    may_be_near -- False: only the same point
    """
    answer, other = free_move(owners), NAMES[opponent(color)]
    if answer == better and is_clear(owners.answers, lambda point: True, CLEAR):
        return Reason("point", f"Both players need {to_vertex(better)}, and now {other} can play there.")
    if not may_be_near or answer == PASS or distance(answer, better) > CLOSE or distance(answer, played) <= CLOSE:
        return None
    if not is_clear(owners.answers, lambda point: point == PASS or distance(point, better) > CLOSE, CLEAR):
        return None
    return Reason(
        "point", f"{NAMES[color]} should have played {to_vertex(better)}. Now {other} can get there first, with {to_vertex(answer)}."
    )
