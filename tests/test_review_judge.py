"""The judgement of moves: what is a mistake, whose numbers they are, and what the record decides."""

import csv
import io
import json
import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from review_samples import PARAMS, QUICK, SHORT_GAME, drawn_review, fight_record, record_of, review_of

from gtp_engine.engine.network import loading
from gtp_engine.engine.network.loading import SHIPPED, SHIPPED_SMALL
from gtp_engine.engine.search.params import NETWORK, PLAYOUTS, SearchParams
from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, PASS, POINTS, WHITE, from_vertex, opponent, to_vertex
from gtp_engine.tools.review.annotate import annotated_record, effort_text
from gtp_engine.tools.review.examiner import Examiner, OnAnswer, SearchedPosition
from gtp_engine.tools.review.html_page import html_page
from gtp_engine.tools.review.judge import Judge, Work, moved
from gtp_engine.tools.review.judged_by import ADVICE, LARGE, LARGE_PLAYOUTS, JudgedBy, judged_by, usual_settings
from gtp_engine.tools.review.model import Evaluation
from gtp_engine.tools.review.plot import chart_of
from gtp_engine.tools.review.records import GameRecord
from gtp_engine.tools.review.settings import BLUNDER, ENDGAME, GOOD, INACCURACY, MIDDLE, MISTAKE, OPENING, ReviewSettings
from gtp_engine.tools.review.tables import COLUMNS, advice_text, csv_table, json_document, outcome_text

CAREFUL = ReviewSettings(playouts=300)


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_to_play_elsewhere_in_a_fight_is_a_blunder(color: int) -> None:
    review = review_of(fight_record("A1", color), CAREFUL)
    move = review.moves[0]
    assert move.size == BLUNDER
    assert move.best is not None and to_vertex(move.best.point) == "E5"
    assert move.lead_before - move.lead_after == pytest.approx(move.loss)
    assert move.win_rate_before > move.win_rate_after
    assert review.evaluations[1].lead_of(color) == pytest.approx(move.lead_after + move.drift)
    assert move.best.variation[0] == from_vertex("E5", 7)


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_right_move_loses_nothing(color: int) -> None:
    move = review_of(fight_record("E5", color), CAREFUL).moves[0]
    assert (move.size, move.rank) == (GOOD, 1)
    assert move.loss == pytest.approx(0.0, abs=1e-9)
    assert move.visits > 0 and 0.0 < move.prior < 1.0


def test_ownership_and_lead_are_black_s_whoever_is_to_play() -> None:
    """After the six stones are taken, the board is Black's; after they are connected, White lives."""
    point = from_vertex("C5", 7)
    taken, connected = (review_of(fight_record("E5", color), CAREFUL).evaluations[1] for color in (BLACK, WHITE))
    assert taken.ownership[point] > 0.5 > connected.ownership[point]
    assert taken.lead > connected.lead
    assert taken.win_rate > connected.win_rate


def test_every_position_and_every_move_is_there() -> None:
    review = review_of(SHORT_GAME)
    assert (len(review.moves), len(review.evaluations), len(review.boards)) == (6, 7, 7)
    assert [move.number for move in review.moves] == [1, 2, 3, 4, 5, 6]
    assert all(abs(np.array([evaluation.win_rate for evaluation in review.evaluations]) - 0.5) <= 0.5)
    assert all(evaluation.simulations in (QUICK.first, QUICK.playouts) for evaluation in review.evaluations)


def test_the_same_seed_gives_the_same_review_whatever_came_before() -> None:
    judge = Judge(PARAMS, QUICK)
    judge.review(record_of(fight_record("A1")))
    again = judge.review(record_of(SHORT_GAME))
    assert csv_table(again) == csv_table(review_of(SHORT_GAME))


def test_two_passes_are_counted() -> None:
    """Black has the upper half and White the lower one; Black's is larger by five points, the komi takes half a point."""
    text = "(;SZ[5]KM[0.5]RU[Chinese]AB[ac][bc][cc][dc][ec]AW[ad][bd][cd][dd][ed]PL[B];B[];W[])"
    last = review_of(text).evaluations[-1]
    assert (last.lead, last.win_rate, last.candidates) == (4.5, 1.0, [])


def test_komi_rules_and_handicap_come_from_the_record() -> None:
    """Under Chinese rules White gets a point for each of the two handicap stones as well."""
    board = "AB[ac][bc][cc][dc][ec]AW[ad][bd][cd][dd][ed]PL[W]"
    leads = [
        review_of(f"(;SZ[5]KM[{komi}]RU[{rules}]{handicap}{board};W[];B[])").evaluations[-1].lead
        for komi, rules, handicap in (("0", "Chinese", ""), ("3", "Chinese", ""), ("0", "Chinese", "HA[5]"), ("0", "Japanese", "HA[5]"))
    ]
    assert leads == [5.0, 2.0, 0.0, 5.0]


def test_a_move_is_compared_before_set_up_stones_change_the_board() -> None:
    """Black takes the six stones, then somebody removes all black ones: that is not the move's fault."""
    text = fight_record("E5").strip()[:-1] + ";AE[bb][cb][db][ac][ad][ed][be][ce][de][ec])"
    review = review_of(text, CAREFUL)
    assert review.moves[0].size == GOOD
    assert review.boards[-1].keys() < review.boards[0].keys()


def test_a_player_may_move_twice() -> None:
    review = review_of("(;SZ[5]KM[0];B[cc];B[bb];W[dd])")
    assert [evaluation.to_play for evaluation in review.evaluations] == [BLACK, BLACK, WHITE, BLACK]


def test_seconds_limit_the_search_too() -> None:
    review = review_of("(;SZ[5]KM[0];B[cc])", ReviewSettings(playouts=0, seconds=0.05))
    assert all(evaluation.simulations > 0 for evaluation in review.evaluations)


def test_the_first_estimate_is_the_whole_reviews() -> None:
    """Counted in simulations: the first look at seven positions, then at most as many long searches as the settings allow."""
    seen: list[tuple[int, int]] = []
    Judge(PARAMS, QUICK).review(record_of(SHORT_GAME), lambda done, most: seen.append((done, most)))
    most = 7 * QUICK.first + QUICK.long_searches(6, 5) * QUICK.playouts
    assert seen[:7] == [(number * QUICK.first, most) for number in range(1, 8)]
    assert all(after[0] >= before[0] and after[1] <= before[1] for before, after in pairwise(seen))
    assert seen[-1][0] == seen[-1][1]


def is_short(evaluation: Evaluation) -> bool:
    """Is it of the first pass? A network's look at the root itself is one simulation more."""
    return CAREFUL.first <= evaluation.simulations <= CAREFUL.first + 1


def test_a_quick_review_is_the_first_pass_only() -> None:
    review = review_of(fight_record("A1"), replace(CAREFUL, share=0.0))
    assert all(is_short(evaluation) for evaluation in review.evaluations)


def test_a_small_board_gets_more_long_searches() -> None:
    """A search of 9x9 costs about 81 / 361 of one of 19x19."""
    settings = ReviewSettings()
    assert [settings.long_searches(100, size) for size in (19, 13, 9)] == [50, 107, 223]
    assert replace(settings, share=0.0).long_searches(100, 9) == 0


class Drifting(Examiner):
    """Sees Black gain a little by each move, and the same better move everywhere."""

    def __init__(self, better: int) -> None:
        self.better = better

    def examine(self, record: GameRecord, questions: Iterable[SearchedPosition], found: OnAnswer) -> None:
        for question in questions:
            played = question.number + (question.point is not None)
            color = BLACK if played % 2 == 0 else WHITE
            best = Candidate(self.better, question.visits, 0.5, 0.0, [self.better])
            found(question, Evaluation(color, 0.5, 0.9 * played, np.zeros(POINTS), [best], simulations=question.visits))


def test_what_will_be_told_as_a_loss_is_searched_first_although_no_search_found_it() -> None:
    """Black can't gain, so White's moves must have lost it: twice as much as any change that was seen."""
    record = record_of("(;SZ[9];B[aa];W[ba];B[ca];W[da])")
    settings, better = ReviewSettings(first=150), from_vertex("E5", 9)  # the first searches are long ones: only the better moves are left
    answers: dict[SearchedPosition, Evaluation] = {}
    work = Work(record, settings, (Drifting(better), Drifting(better)), answers, lambda done, total: None)
    work.look_at_all()
    work.search_swings()
    assert {question.number for question in answers if question.point == better} == {1, 3}


def test_what_the_limit_leaves_in_doubt_is_said() -> None:
    quick, whole = (review_of(fight_record("A1"), replace(CAREFUL, share=share)) for share in (0.0, 10.0))
    assert quick.in_doubt == [1] and whole.in_doubt == []
    said, unsaid = (json.loads(json_document(review, "")) | {"moves": [], "moments": []} for review in (quick, whole))
    assert "  The comments on these moves are uncertain: 1; allow more time with --minutes" in outcome_text(said)
    assert "uncertain" not in outcome_text(unsaid)
    assert effort_text(quick) == "This is only a first look"
    assert effort_text(whole) == "The engine looked longer where the lead changes a lot"
    whole.in_doubt = [1, 3]
    assert effort_text(whole) == "The comments on these moves are uncertain: 1, 3"


def test_playouts_judge_where_no_network_was_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SHIPPED", "SHIPPED_SMALL"):
        monkeypatch.setattr(loading, name, tmp_path / "missing.onnx")
    assert judged_by(SearchParams(evaluator=NETWORK), 9) == JudgedBy(PLAYOUTS, False)
    assert judged_by(SearchParams(evaluator=NETWORK), 19) == JudgedBy(PLAYOUTS, True)


@pytest.mark.parametrize(("color", "sign"), [(BLACK, 1), (WHITE, -1)])
def test_an_evaluation_moves_with_its_candidates(color: int, sign: int) -> None:
    """By three points for Black, and by odds of 3 to 1 where they were even. Candidates have the player's numbers."""
    candidates = [Candidate(from_vertex("C3", 9), 5, 0.5, 1.0, []), Candidate(from_vertex("D4", 9), 4, 0.5, -2.0, [])]
    after = moved(Evaluation(color, 0.5, sign * 1.0, np.zeros(POINTS), candidates), 3.0, math.log(3.0))
    assert after.lead == sign * 1.0 + 3.0
    assert after.win_rate == pytest.approx(0.75)
    assert [each.score for each in after.candidates] == [1.0 + sign * 3.0, -2.0 + sign * 3.0]
    assert [each.win_rate for each in after.candidates] == pytest.approx([0.5 + sign * 0.25] * 2)


def test_what_judged_is_said() -> None:
    """And on large boards that playouts miss fights."""
    small = judged_by(SearchParams(), 9)
    assert small == JudgedBy(SHIPPED_SMALL.name, False) and small.advice == ""
    assert judged_by(SearchParams(), 19) == JudgedBy(SHIPPED.name, False)
    for size, misses_fights in ((9, False), (13, True)):
        assert judged_by(SearchParams(evaluator=PLAYOUTS), size) == JudgedBy(PLAYOUTS, misses_fights)
    assert judged_by(SearchParams(), 5) == JudgedBy(PLAYOUTS, False)
    review = review_of(fight_record("A1"), replace(CAREFUL, share=0.0))
    assert review.judged_by == judged_by(PARAMS, review.record.size)
    assert json.loads(json_document(review, ""))["judged_by"] == review.judged_by.name
    review.judged_by = JudgedBy("mine.onnx", True)
    record = annotated_record(review)
    assert ADVICE in record and "mine.onnx" not in record
    assert '"judgedBy":"mine.onnx"' in html_page(review)
    documents = [{}, json.loads(json_document(review, ""))]
    assert documents[1]["misses_fights"] is True
    assert advice_text(documents) == ADVICE and advice_text(documents[:1]) == ""


def test_a_network_of_katago_judges_fights() -> None:
    assert judged_by(SearchParams(network="strong.bin.gz"), 19) == JudgedBy("strong.bin.gz", False)


def test_playouts_are_named_where_the_network_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    params = replace(PARAMS, network=str(tmp_path / "none.bin.gz"))
    review = Judge(params, replace(QUICK, share=0.0)).review(record_of(SHORT_GAME))
    assert review.judged_by == JudgedBy(PLAYOUTS, False)
    assert "playing with playouts instead" in capsys.readouterr().err


def test_moves_outside_the_chosen_ones_get_the_first_pass_only() -> None:
    elsewhere = review_of(fight_record("A1"), replace(CAREFUL, first_move=2))
    assert all(is_short(evaluation) for evaluation in elsewhere.evaluations)
    chosen = review_of(fight_record("A1"), replace(CAREFUL, last_move=1))
    assert any(evaluation.simulations >= CAREFUL.playouts for evaluation in chosen.evaluations)


def test_the_number_of_threads_does_not_matter() -> None:
    alone, several = (review_of(SHORT_GAME, QUICK, replace(PARAMS, threads=threads)) for threads in (1, 3))
    assert csv_table(alone) == csv_table(several)


def test_no_answer_is_asked_for_twice() -> None:
    """With the answers of a review at hand, nothing is searched, and the judgement is the same."""
    answers: dict[SearchedPosition, Evaluation] = {}
    first = Judge(PARAMS, QUICK).review(record_of(SHORT_GAME), answers=answers)
    seen: list[int] = []
    again = Judge(PARAMS, QUICK).review(record_of(SHORT_GAME), lambda done, total: seen.append(done), answers)
    assert seen == [] and csv_table(first) == csv_table(again)


def test_losses_and_drift_add_up_to_the_way_of_the_lead() -> None:
    """No move gains points for its player, and what each lost is what the lead fell by, or was charged before."""
    review = review_of("(;SZ[7]KM[9]RU[Chinese];B[aa];W[dd];B[ga];W[dc];B[ed];W[ag];B[de])", QUICK)
    assert sum(move.loss for move in review.moves) > 3.0
    for move in review.moves:
        fall = move.lead_before - move.lead_after
        assert fall >= -1e-6
        assert move.loss == pytest.approx(fall) if not move.since else move.loss <= fall
        assert move.win_rate_after <= move.win_rate_before + 1e-6
        shown = [review.evaluations[number].lead_of(move.color) for number in (move.number - 1, move.number)]
        assert shown == pytest.approx([move.lead_before, move.lead_after + move.drift])


def test_losses_have_names_and_boards_have_phases() -> None:
    settings = ReviewSettings()
    assert [settings.size_of(loss, 19) for loss in (0.0, 2.9, 3.0, 6.0, 12.0)] == [GOOD, GOOD, INACCURACY, MISTAKE, BLUNDER]
    assert [settings.size_of(loss, 9) for loss in (1.4, 1.5, 3.0, 6.0)] == [GOOD, INACCURACY, MISTAKE, BLUNDER]
    assert [settings.phase_of(stones, 19) for stones in (0, 50, 51, 151, 152, 361)] == [OPENING] * 2 + [MIDDLE] * 2 + [ENDGAME] * 2


def test_a_large_network_makes_short_searches_and_may_have_opinions(tmp_path: Path) -> None:
    for size in (LARGE - 1, LARGE):
        with (tmp_path / f"{size}.onnx").open("wb") as file:
            file.truncate(size)
    small, large = (usual_settings(SearchParams(network=str(tmp_path / f"{size}.onnx"))) for size in (LARGE - 1, LARGE))
    assert small == usual_settings(SearchParams()) == ReviewSettings()
    assert large == ReviewSettings(playouts=LARGE_PLAYOUTS, first=1, opinion=LARGE_PLAYOUTS)
    assert ReviewSettings.playouts >= ReviewSettings.opinion, "else no review has an opinion"


# ---------------------------------------------------------------- tables and plots


def test_the_table_has_a_row_for_each_move() -> None:
    review = review_of(SHORT_GAME)
    rows = list(csv.DictReader(io.StringIO(csv_table(review))))
    assert tuple(rows[0]) == tuple(COLUMNS)
    assert [(row["number"], row["color"], row["vertex"]) for row in rows[:2]] == [("1", "black", "C3"), ("2", "white", "C4")]
    document = json.loads(json_document(review, "name"))
    assert document["digest"] == "name"
    assert [row["loss"] for row in document["moves"]] == [float(row["loss"]) for row in rows]
    assert len(document["black_win_rates"]) == 7


def test_the_summary_adds_up() -> None:
    review = drawn_review(SHORT_GAME, {1: ("A1",), 2: ("A1",), 3: ("A2",)})
    black, white = review.summary(BLACK), review.summary(WHITE)
    assert (black.moves, black.mean_loss, black.mistakes["mistake"]) == (3, 6.0, 2)
    assert (white.moves, white.mean_loss, white.mistakes["mistake"]) == (3, 3.0, 1)
    assert review.summary(BLACK).agreement == 0.0


def test_the_chart_marks_each_mistake_where_it_led_to() -> None:
    chart = chart_of(drawn_review(SHORT_GAME, {2: ("A1",)}))
    assert chart.title == "Anna (black) against Bert (white): B+R"
    (rates,), (leads,) = chart.rows
    line, marks = leads.curves
    assert len(line.points) == 7 and marks.label == "mistake"
    assert [number for number, _ in marks.points] == [2]
    assert set(marks.points) < set(line.points)
    assert [curve.label for curve in rates.curves] == ["", "mistake"]


def test_a_pass_can_be_judged() -> None:
    move = review_of(fight_record("pass"), CAREFUL).moves[0]
    assert (move.point, move.size) == (PASS, BLUNDER)
    assert move.color == opponent(WHITE)
