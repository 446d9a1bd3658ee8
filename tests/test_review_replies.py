"""Why a move was a mistake, told from what the opponent does next: sente, and the point that both need."""

import numpy as np

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, POINTS, WHITE, from_vertex
from gtp_engine.tools.review.area_reasons import Expected
from gtp_engine.tools.review.reply_reasons import lost_point, lost_sente


def answers(*found: tuple[str, float, int]) -> list[Candidate]:
    """Candidates as (vertex, lead, visits)."""
    return [Candidate(from_vertex(vertex, 9), visits, 0.5, lead, [from_vertex(vertex, 9)]) for vertex, lead, visits in found]


def sente(to_best: list[Candidate], to_played: list[Candidate], played: str = "C3") -> str:
    """What is said of a move in place of G7."""
    nothing = np.zeros(POINTS)
    reason = lost_sente(BLACK, from_vertex(played, 9), from_vertex("G7", 9), Expected(nothing, nothing, 3.0, to_best, to_played))
    return reason.text if reason is not None else ""


def test_a_move_that_must_be_answered_keeps_sente() -> None:
    must, free = answers(("G6", -1.0, 100), ("C7", -3.5, 9)), answers(("F7", 2.0, 100))
    assert sente(must, free) == "G7 would have kept sente: White would have to answer at G6. After C3, White can play elsewhere, at F7."
    assert sente(must, answers(("G6", 2.0, 100))) == "", "White plays there in any case"
    assert sente(must, answers(("C4", 2.0, 100))) == "", "the move that was played must be answered, too"
    assert sente(answers(("G6", -1.0, 100), ("C7", -2.9, 9)), free) == "", "White can play elsewhere"
    assert sente(answers(("G6", -1.0, 100), ("C7", -1.5, 3)), free) != "", "whether it can was hardly looked at: another search tells"
    assert sente(must, answers(("F7", 2.0, 100)), "G6") == "", "the answer's place was taken"
    assert sente(must, answers(("F7", 2.0, 100), ("C4", 0.0, 30))) != "", "answering costs two points"
    assert sente(must, answers(("F7", 2.0, 100), ("C4", 0.1, 30))) == "", "answering is about as good"
    assert sente(answers(("C7", -1.0, 100), ("G6", -9.0, 30)), free) == "" and sente([], free) == "" and sente(must, []) == ""


def test_the_point_that_both_need() -> None:
    nothing, better = np.zeros(POINTS), from_vertex("G7", 9)
    needed = "Both players need G7, and now Black can play there."
    there = "White should have played G7. Now Black can take this area first, with {}."
    for found, text in (
        (answers(("G7", 2.0, 100)), needed),
        (answers(("G7", 2.0, 100), ("C7", 1.5, 8), ("D7", 5.0, 7)), needed),
        (answers(("G7", 2.0, 100), ("C7", 1.6, 8)), ""),
        (answers(("G7", 2.0, 100), ("F7", 1.6, 8)), there.format("G7")),
        (answers(("F6", 2.0, 100), ("C7", 1.5, 8)), there.format("F6")),
        (answers(("F6", 2.0, 100), ("C7", 1.6, 8)), ""),
        (answers(("F5", 2.0, 100)), ""),
    ):
        owners = Expected(nothing, nothing, 3.0, [], found)
        reason = lost_point(WHITE, from_vertex("C3", 9), better, owners)
        assert (reason.text if reason is not None else "") == text
    near = Expected(nothing, nothing, 3.0, [], answers(("F6", 2.0, 100)))
    assert lost_point(WHITE, from_vertex("F5", 9), better, near) is None, "it answers the move that was played"
    assert lost_point(WHITE, from_vertex("C3", 9), better, near, may_be_near=False) is None
