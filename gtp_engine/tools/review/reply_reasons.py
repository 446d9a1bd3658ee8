"""What the opponent does next: who keeps sente, and whose the vital point is. As in area_reasons.py, two long searches' opinion."""

from collections.abc import Callable, Sequence

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import PASS, opponent, to_vertex
from gtp_engine.tools.review.area_reasons import Expected, distance
from gtp_engine.tools.review.model import NAMES, Reason

NEAR = 3  # rows and columns between a move and its answer, together
FEWEST_VISITS = 8  # of a move that is compared with the best one
CLEAR = 0.5  # points by which the opponent's best move must be better than others for being called the one that is needed
FREE = 2.0  # points by which a move elsewhere must be better than any answer for saying that none is needed
URGENT = 2.0  # points that it costs at least to answer elsewhere; a move of the endgame is worth as much


def forced_answer(move: int, answers: Sequence[Candidate]) -> int | None:
    """The answer near `move` that the opponent can't do without; None where there is none, or where no other move was looked at."""
    if not answers or answers[0].point == PASS or distance(answers[0].point, move) > NEAR:
        return None
    elsewhere = [each for each in answers if each.visits >= FEWEST_VISITS and (each.point == PASS or distance(each.point, move) > NEAR)]
    is_urgent = bool(elsewhere) and max(each.score for each in elsewhere) <= answers[0].score - URGENT
    return answers[0].point if is_urgent else None


def is_clear(answers: Sequence[Candidate], is_rival: Callable[[int], bool], margin: float) -> bool:
    """Is the first answer better than all rivals behind it that were looked at, by at least so many points?"""
    rivals = [each for each in answers[1:] if is_rival(each.point) and each.visits >= FEWEST_VISITS]
    return all(each.score <= answers[0].score - margin for each in rivals)


def lost_sente(color: int, played: int, better: int, owners: Expected) -> Reason | None:
    """The better move must be answered, and after the one that was played the opponent is free to play elsewhere."""

    def is_near(point: int) -> bool:
        """Does a move answer the one that was played?"""
        return point != PASS and distance(point, played) <= NEAR

    answer = forced_answer(better, owners.answers_to_best)
    free = owners.answers[0].point if owners.answers else PASS
    if answer is None or free in (PASS, better, answer) or is_near(free) or not is_clear(owners.answers, is_near, FREE):
        return None
    other = NAMES[opponent(color)]
    text = f"{to_vertex(better)} keeps sente: {other} has to answer at {to_vertex(answer)}."
    return Reason("sente", f"{text} After {to_vertex(played)} {other} can play elsewhere, at {to_vertex(free)}.")


def lost_point(color: int, played: int, better: int, owners: Expected) -> Reason | None:
    """Both want the same point, and the opponent plays there next, for no other move is as good."""
    if not owners.answers or owners.answers[0].point != better or not is_clear(owners.answers, lambda point: True, CLEAR):
        return None
    return Reason("point", f"Both players need {to_vertex(better)}, and now {NAMES[opponent(color)]} can play there.")
