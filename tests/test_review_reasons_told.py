"""Reasons of mistakes where a whole review tells them: which are told, and those by what the searches expect."""

from dataclasses import replace

import numpy as np
from review_samples import drawn_review
from test_review_reasons import LEFT_IN_ATARI, missed_move, said

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, POINTS, WHITE, from_vertex
from gtp_engine.tools.review.annotate import annotated_record
from gtp_engine.tools.review.area_reasons import Expected, expected
from gtp_engine.tools.review.model import Evaluation
from gtp_engine.tools.review.reasons import reasons_for, with_reasons
from gtp_engine.tools.review.tables import csv_table


def test_reasons_reach_the_record_and_the_table() -> None:
    """Black leaves a stone in atari on B2."""
    record = "(;SZ[5]KM[0]AB[bd]AW[ad][bc][be];B[ea];W[cd];B[eb])"
    review = drawn_review(record, {1: ("C2",), 3: ("D5",)})
    review.moves = with_reasons(review)
    text = "Black leaves the stone on B2 in atari: White can take it with C2. C2 would have saved it."
    assert [[reason.text for reason in move.reasons] for move in review.moves] == [[text], [], []]
    assert text in annotated_record(review)
    assert text in csv_table(review)
    assert review.summary(BLACK).kinds == {"atari": 1, "other": 1}


def test_good_moves_and_passes_get_no_reason() -> None:
    review = drawn_review("(;SZ[5]KM[0];B[cc];W[];B[bb])", {2: ("C2",)})
    assert with_reasons(review) == review.moves


def test_an_area_that_went() -> None:
    """The left side was to be White's; after the move the search gives it to Black."""
    drawing = """
        . . . X . . .
        . . . X . . .
        . . . X . . .
        . . . a . . .
        . . . X . . .
        . b . . . . .
        . . . . . . .
    """
    missed = missed_move(drawing, WHITE)
    best, after = np.zeros(POINTS), np.zeros(POINTS)
    corner = [from_vertex(name, 7) for name in ("A1", "B1", "A2", "B2", "C1")]
    best[corner], after[corner] = 0.7, -0.7
    owners = Expected(best, after, 6.5)
    assert [reason.text for reason in reasons_for(replace(missed, expected=owners))] == [
        "After D4, Black will probably get the territory around B1; B2 would have kept it for White."
    ]
    assert reasons_for(missed) == []


def test_behind_a_certain_reason_an_opinion_must_add_something() -> None:
    """Neither that points are gained somewhere, nor that both need the point, but that stones are lost."""
    missed = missed_move(LEFT_IN_ATARI.replace("a . . . . . .", "a . . . X X ."))
    certain = "Black leaves the 2 stones at D4 in atari: White can take them with D3. D3 would have saved them."
    best, after = np.zeros(POINTS), np.zeros(POINTS)
    corner = [from_vertex(name, 7) for name in ("E1", "F1", "G1", "E2", "F2")]
    best[corner], after[corner] = 0.8, 0.2
    owners = Expected(best, after, 4.0, [], [Candidate(missed.better, 100, 0.5, 4.0, [missed.better])])
    assert [reason.text for reason in reasons_for(replace(missed, expected=owners))] == [certain]
    owners.after[corner] = -0.8
    lost = "After A1, Black's 2 stones at F1 will probably be lost; D3 would have saved them."
    assert [reason.text for reason in reasons_for(replace(missed, expected=owners))] == [certain, lost]


def test_stones_in_atari_are_a_reason_where_the_best_answer_takes_them() -> None:
    missed = missed_move(LEFT_IN_ATARI)
    taking, elsewhere = from_vertex("D3", 7), from_vertex("G1", 7)

    def kinds(answers: list[Candidate]) -> list[str]:
        owners = Expected(np.zeros(POINTS), np.zeros(POINTS), 5.0, [], answers)
        return [reason.kind for reason in reasons_for(replace(missed, expected=owners))]

    assert kinds([Candidate(elsewhere, 100, 0.5, 5.0, [elsewhere, from_vertex("G2", 7), taking])]) == ["atari"]
    assert "atari" not in kinds([Candidate(elsewhere, 100, 0.5, 5.0, [elsewhere])])


def test_a_ko_is_called_one() -> None:
    assert said(KO, WHITE) == ["White leaves the stone on C3 in atari: Black can take the ko with D3. D3 would have saved it."]


KO = """
    . . X O .
    . . X O .
    . X O b O
    . . X O .
    a . X O .
"""


def answered(drawing: str, color: int, answer: str) -> list[str]:
    """What is said of the move at `a` in place of `b` where the opponent's best answer is known."""
    missed = missed_move(drawing, color)
    point = from_vertex(answer, missed.before.size)
    owners = Expected(np.zeros(POINTS), np.zeros(POINTS), 5.0, [], [Candidate(point, 100, 0.5, 5.0, [point])])
    return [reason.text for reason in reasons_for(replace(missed, expected=owners)) if reason.kind == "answer"]


THREATENED = """
    . . . . . . .
    . . . O . . .
    . . O X . a .
    . . O X b . .
    . . . O . . .
    . . . . . . .
    . . . . . . .
"""


def test_an_answer_that_puts_stones_in_atari_and_would_not_after_the_better_move() -> None:
    assert answered(THREATENED, BLACK, "E5") == ["After F5, White can put Black's 2 stones at D4 in atari with E5."]
    in_any_case = THREATENED.replace(" b ", " . ").replace("a", "b", 1).replace(". . . . . . .", "a . . . . . .", 1)
    assert answered(in_any_case, BLACK, "E5") == []
    assert answered(THREATENED, BLACK, "A1") == []
    assert answered(THREATENED.replace("O X b", "O . b"), BLACK, "E5") == []  # a single stone may be a sacrifice


def test_an_answer_that_takes_a_stone() -> None:
    drawing = """
        . . . . . . .
        . . . O . . .
        . . O . a . .
        . . . O . . .
        . b . . . . .
        . . . . . . .
        . . . . . . .
    """
    taken = drawing.replace(". . O . a", ". . O a .")
    assert answered(taken, BLACK, "E5") == ["After D5, White can take Black's stone on D5 with E5."]
    assert answered(drawing, BLACK, "F5") == []


def test_an_atari_that_the_better_move_would_have_been() -> None:
    drawing = """
        . . . . . . .
        . . . O X . .
        . . O X . . .
        . . O X b . .
        . . . O . . .
        . . . . . . .
        a . . . . . .
    """
    assert answered(drawing, WHITE, "G1") == ["E4 would have put Black's 2 stones at D4 in atari."]
    atari_too = drawing.replace("a", ".").replace("X . . .", "X a . .")
    assert answered(atari_too, WHITE, "G1") == []


def test_short_searches_expect_nothing() -> None:
    long, short = (Evaluation(BLACK, 0.5, 0.0, np.ones(4), simulations=count) for count in (100, 99))
    assert (
        expected(BLACK, 5.0, long, short, 100) is None
        and expected(BLACK, 5.0, short, long, 100) is None
        and expected(BLACK, 5.0, None, long, 100) is None
    )
    after = Evaluation(BLACK, 0.5, 0.0, np.zeros(4), simulations=100)
    for color, sign in ((BLACK, 1.0), (WHITE, -1.0)):
        owners = expected(color, 5.0, long, after, 100)
        assert owners is not None and (owners.best.tolist(), owners.after.tolist()) == ([sign] * 4, [0.0] * 4)
