"""Opinions about a mistake: told where independent searches share them, and left out elsewhere."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from review_samples import record_of

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, POINTS, WHITE, from_vertex
from gtp_engine.tools.review.confirmation import TRIAL, unconfirmed_in
from gtp_engine.tools.review.examiner import Examiner, OnAnswer, SearchedPosition
from gtp_engine.tools.review.judge import Judge, Work
from gtp_engine.tools.review.model import Evaluation, GameReview
from gtp_engine.tools.review.reasons import with_reasons
from gtp_engine.tools.review.records import GameRecord
from gtp_engine.tools.review.settings import ReviewSettings

RECORD = "(;SZ[9]KM[0];B[cg])"  # C3, where G7 was better
C3, C7, F7, G6, G7 = (from_vertex(vertex, 9) for vertex in ("C3", "C7", "F7", "G6", "G7"))
CORNER = [from_vertex(vertex, 9) for vertex in ("G8", "H8", "G9", "H9", "F8")]
Line = tuple[int, ...]  # the moves
Drawn = dict[tuple[int, Line], tuple[int, float, float]]
AFTER_PLAYED: Line = (C3,)
AFTER_BETTER: Line = (G7,)
IGNORED: Line = (G7, C7)


class Said(Examiner):
    """Answers as drawn: by (trial, moves), the best next move, Black's lead, and who owns the corner."""

    def __init__(self, drawn: Drawn) -> None:
        self.drawn = {(0, ()): (G7, 0.0, 0.0)} | drawn
        self.asked: list[SearchedPosition] = []

    def examine(self, record: GameRecord, questions: Iterable[SearchedPosition], on_answer: OnAnswer) -> None:
        for question in questions:
            self.asked.append(question)
            line = tuple(point for point in (question.point, question.reply) if point is not None)
            moves = (C3,) * question.number + line
            best, lead, corner = self.drawn[question.trial, moves]
            color = WHITE if len(moves) % 2 else BLACK
            ownership = np.zeros(POINTS)
            ownership[CORNER] = corner
            score = lead if color == BLACK else -lead
            candidates = [Candidate(best, question.visits, 0.5, score, [best])]
            on_answer(question, Evaluation(color, 0.5, lead, ownership, candidates, simulations=question.visits))

    def judged_by(self, board_size: int) -> None:  # type: ignore[override]
        """Nothing."""


def told(said: Said, share: float = 3.0, minutes: float = 0.0) -> Sequence[str]:
    """The kinds of reasons of the game's move."""
    work = Work(record_of(RECORD), ReviewSettings(share=share, minutes=minutes), (said, said), {}, lambda done, total: None)
    work.look_at_all()
    work.search_swings()
    review = work.review()
    review.moves = with_reasons(review)
    work.confirm(review)
    return [reason.kind for reason in review.moves[0].reasons]


POINT: Drawn = {
    (trial, line): drawn for trial in (0, TRIAL) for line, drawn in {AFTER_PLAYED: (G7, -9.0, 0.0), AFTER_BETTER: (F7, 0.0, 0.0)}.items()
}
SENTE: Drawn = POINT | {
    (trial, line): drawn for trial in (0, TRIAL) for line, drawn in {AFTER_PLAYED: (C7, -9.0, 0.0), AFTER_BETTER: (G6, 0.0, 0.0)}.items()
}
AREA: Drawn = POINT | {
    (trial, line): drawn for trial in (0, TRIAL) for line, drawn in {AFTER_PLAYED: (C7, -9.0, -0.9), AFTER_BETTER: (C7, 0.0, 0.8)}.items()
}


def test_an_opinion_is_told_where_other_searches_share_it() -> None:
    assert told(Said(POINT)) == ["point"]
    assert told(Said(POINT | {(TRIAL, AFTER_PLAYED): (C7, -9.0, 0.0)})) == []
    assert told(Said(AREA)) == ["area"]
    assert told(Said(AREA | {(TRIAL, AFTER_PLAYED): (C7, -9.0, -0.3)})) == [], "the corner isn't White's"


@pytest.mark.parametrize(("lead", "kinds"), [(1.9, []), (2.0, ["sente"])])
def test_sente_is_told_where_playing_elsewhere_costs_the_opponent_points(lead: float, kinds: list[str]) -> None:
    assert told(Said(SENTE | {(TRIAL, IGNORED): (G6, lead, 0.0)})) == kinds


def test_what_the_limit_leaves_unconfirmed_is_not_told() -> None:
    """Three searches judge the move, and one that is twice as long confirms the area."""
    enough = 5 / ReviewSettings(share=1.0).long_searches(1, 9)
    said, cut_short = Said(AREA), Said(AREA)
    assert told(said, enough) == ["area"] and told(cut_short, enough * 4 / 5) == []
    confirming = [question for question in said.asked if question.trial]
    assert confirming == [SearchedPosition(0, 300, point, trial=TRIAL) for point in (C3,)]
    assert not any(question.trial for question in cut_short.asked)


@pytest.mark.parametrize(("seconds", "asked", "kinds"), [(11.0, 6, ["point"]), (13.6, 4, [])])
def test_the_last_tenth_of_the_minutes_is_for_confirming(
    seconds: float, asked: int, kinds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two short searches, three that judge the move, the last of which begins after 54 seconds in the second case, and one to confirm."""
    said = Said(POINT)
    monkeypatch.setattr("time.monotonic", lambda: seconds * len(said.asked))
    assert told(said, minutes=1.0) == kinds and len(said.asked) == asked


def test_what_was_found_before_is_not_searched_again() -> None:
    answers: dict[SearchedPosition, Evaluation] = {}
    judge = Judge.__new__(Judge)
    judge.settings = ReviewSettings(share=2.0)
    reviews: list[GameReview] = []
    for said in (Said(POINT), Said({})):
        judge._quick = judge._thorough = said
        reviews.append(judge.review(record_of(RECORD), answers=answers))
    assert reviews[0].moves == reviews[1].moves and [len(unconfirmed_in(review)) for review in reviews] == [1, 1]
    assert said.asked == []
    judge.settings = replace(judge.settings, share=0.0)
    assert [move.reasons for move in judge.review(record_of(RECORD), answers=answers).moves] == [()]
