"""What searches found brought to agree: curves near them, omissions charged once, decisive moments, answers kept in a file."""

import math
import resource
import signal
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from review_samples import SHORT_GAME, drawn_review

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, PASS, POINTS, WHITE, from_vertex
from gtp_engine.tools.review.agree import Prices, agreeing
from gtp_engine.tools.review.examiner import SearchedPosition
from gtp_engine.tools.review.kept_answers import KeptAnswers
from gtp_engine.tools.review.model import Evaluation, MoveReview
from gtp_engine.tools.review.moments import moments
from gtp_engine.tools.review.standing import Omission, charges

OPEN = math.inf
C3, D4, E5 = (from_vertex(vertex, 9) for vertex in ("C3", "D4", "E5"))


# ---------------------------------------------------------------- curves


PRICES, FREE = Prices(loss=0.5, drift=100.0), Prices(loss=0.0, drift=100.0)  # drift at such a price is no way out


def test_noise_between_best_moves_disappears() -> None:
    assert agreeing([1.0, 3.0, 2.0], [1.0, 1.0, 1.0], [1, -1], [0.0, 0.0], PRICES, 0.1).values == pytest.approx([2.0, 2.0, 2.0])


def test_a_fall_stays_and_a_rise_is_no_gift() -> None:
    """Black's move may cost Black ten points, but cannot bring ten."""
    curve = agreeing([10.0, 10.0, 0.0, 0.0], [1.0] * 4, [1, 1, 1], [OPEN] * 3, PRICES, 0.1)
    assert curve.values == pytest.approx([10.0, 10.0, 0.0, 0.0], abs=0.3)
    assert curve.losses == pytest.approx([0.0, 10.0, 0.0], abs=0.6)
    assert agreeing([0.0, 10.0], [1.0, 1.0], [1], [OPEN], PRICES, 0.1).values == pytest.approx([5.0, 5.0], abs=0.1)
    assert agreeing([0.0, 10.0], [1.0, 1.0], [-1], [OPEN], FREE, 0.1).values == pytest.approx([0.0, 10.0])


def test_a_bound_and_weights_are_kept_to() -> None:
    first, second = agreeing([10.0, 0.0], [1.0, 1.0], [1], [4.0], FREE, 0.1).values
    assert first - second == pytest.approx(4.0, abs=0.06)
    sure, after = agreeing([10.0, 0.0], [9.0, 1.0], [1], [0.0], FREE, 0.1).values
    assert sure == after == pytest.approx(9.0, abs=0.06)


def test_where_all_searches_after_a_move_insist_the_lead_follows_and_nobody_lost_it() -> None:
    """Nine searches say 0 and nine say 10. Black's move there was the best, or lost at most three points."""
    values, signs = [0.0] * 9 + [10.0] * 9, [1, -1] * 8 + [1]
    rise = agreeing(values, [1.0] * 18, signs, [0.0] * 17, Prices(0.5, 4.0), 0.1)
    assert rise.values == pytest.approx(values, abs=0.4) and rise.losses == [0.0] * 17
    most = [0.0] * 17
    most[8] = 3.0
    fall = agreeing(values[::-1], [1.0] * 18, signs, most, Prices(0.5, 4.0), 0.1)
    assert fall.values == pytest.approx(values[::-1], abs=0.4) and fall.losses == pytest.approx(most)


@pytest.mark.parametrize("seed", range(5))
def test_no_curve_lies_nearer_at_these_prices(seed: int) -> None:
    """Against many random curves on few levels."""
    dice = np.random.default_rng(seed)
    count, prices = 5, Prices(0.5, 1.5)
    values, weights = dice.integers(-3, 4, count).astype(float), dice.uniform(0.2, 2.0, count)
    signs = [int(sign) for sign in dice.choice([1, -1], count - 1)]
    most = [float(bound) for bound in dice.choice([0.0, 2.0, OPEN], count - 1)]

    def lost(curve: list[float]) -> list[float]:
        return [min(max(sign * (a - b), 0.0), bound) for sign, bound, (a, b) in zip(signs, most, pairwise(curve), strict=True)]

    def cost(curve: list[float]) -> float:
        distance = sum(w * (c - v) ** 2 for w, c, v in zip(weights, curve, values, strict=True))
        way = sum(abs(b - a) for a, b in pairwise(curve))
        return float(distance + prices.loss * sum(lost(curve)) + prices.drift * (way - sum(lost(curve))))

    best = agreeing(list(values), list(weights), signs, most, prices, 1.0)
    assert best.losses == pytest.approx(lost(best.values))
    levels = np.arange(values.min(), values.max() + 1)
    for _ in range(2000):
        assert cost(best.values) <= cost([float(level) for level in dice.choice(levels, count)]) + 1e-9


# ---------------------------------------------------------------- omissions


def test_a_threat_left_standing_is_charged_once_to_each() -> None:
    moves = [Omission(BLACK, C3, 20.0, E5), Omission(WHITE, D4, 20.0, E5), Omission(BLACK, PASS, 21.0, E5), Omission(WHITE, E5, 0.0, None)]
    charged = charges(moves)
    assert [each.loss for each in charged] == pytest.approx([20.0, 20.0, 1.0, 0.0])
    assert [each.since for each in charged] == [0, 0, 1, 0]


def test_when_the_point_is_taken_a_new_omission_counts_again() -> None:
    moves = [Omission(BLACK, C3, 5.0, E5), Omission(WHITE, E5, 0.0, None), Omission(BLACK, D4, 5.0, E5)]
    assert [each.loss for each in charges(moves)] == [5.0, 0.0, 5.0]


def test_moves_without_a_loss_open_nothing() -> None:
    assert [each.since for each in charges([Omission(BLACK, C3, 0.0, E5), Omission(BLACK, D4, 3.0, E5)])] == [0, 0]


# ---------------------------------------------------------------- moments


def judged(number: int, before: float, after: float, size: str = "blunder") -> MoveReview:
    return MoveReview(number, BLACK, C3, "opening", before, after, 9.0, 0.0, 9.0, None, 2, 5, 0.1, size)


def test_the_three_moves_that_cost_most_chances_decide() -> None:
    moves = [
        judged(1, 0.5, 0.4),
        judged(2, 0.9, 0.2),
        judged(3, 0.5, 0.44),
        judged(4, 0.9, 0.3),
        judged(5, 0.9, 0.1, "good"),
        judged(6, 1.0, 0.99),
    ]
    assert [move.number for move in moments(moves)] == [1, 2, 4]
    assert moments(drawn_review(SHORT_GAME, {}).moves) == []


# ---------------------------------------------------------------- answers in a file


def answer(lead: float) -> Evaluation:
    candidate = Candidate(C3, 7, 0.625, lead, [C3, D4], [7, 3], 0.25, 0.5)
    return Evaluation(WHITE, 0.375, lead, np.linspace(-1.0, 1.0, POINTS, dtype=np.float32), [candidate], [(E5, 0.125)], 12)


def same(a: Evaluation, b: Evaluation) -> bool:
    return (a.to_play, a.win_rate, a.lead, a.candidates, a.unvisited, a.simulations) == (
        b.to_play,
        b.win_rate,
        b.lead,
        b.candidates,
        b.unvisited,
        b.simulations,
    ) and bool((a.ownership == b.ownership).all())


def test_answers_come_back_whole_from_a_file_cut_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "answers.part"
    kept = KeptAnswers(path, "this review")
    asked = {SearchedPosition(3, 12): answer(1 / 3), SearchedPosition(3, 150, PASS): answer(-7.25)}
    for question, evaluation in asked.items():
        kept[question] = evaluation
    kept.close()
    whole = path.read_bytes()
    for length in range(0, len(whole) + 1, 97):
        path.write_bytes(whole[:length])
        found = KeptAnswers(path, "this review")
        found.close()
        assert len(found) == max(whole[:length].count(b"\n") - 1, 0) or len(found) == len(asked) - (length < len(whole) - 1)
        assert all(same(evaluation, asked[question]) for question, evaluation in found.items())
    header, first, second = whole.splitlines(keepends=True)
    path.write_bytes(header + first[:99] + b"\n" + second)
    found = KeptAnswers(path, "this review")
    found.close()
    assert list(found) == list(asked)[1:]
    path.write_bytes(whole)
    other = KeptAnswers(path, "another review")
    other.close()
    assert not other
    kept.remove()
    assert not path.exists()


def test_a_full_disk_leaves_the_answers_that_were_there(tmp_path: Path) -> None:
    """A limit on the size of files stands for the full disk."""
    path = tmp_path / "answers.part"
    kept = KeptAnswers(path, "this review")
    for number in range(3):
        kept[SearchedPosition(number, 12)] = answer(1.0)
    kept.close()
    whole = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) // 2, limits[1]))
    try:
        found = KeptAnswers(path, "this review")
        with pytest.raises(StoreError, match="cannot be written"):
            found[SearchedPosition(3, 12)] = answer(1.0)
        found.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == whole
    found = KeptAnswers(path, "this review")
    found[SearchedPosition(3, 12)] = answer(1.0)
    found.close()
    again = KeptAnswers(path, "this review")
    again.close()
    assert len(again) == 4


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        KeptAnswers(tmp_path / "file" / "answers.part", "x")
