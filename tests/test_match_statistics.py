"""Elo, ratings and the sequential test, on numbers alone: no Go is played here."""

import math
import random
from functools import cache
from itertools import pairwise

import pytest

from gtp_engine.tools.match.elo import Tally, elo_interval, elo_of, expected_score, score_interval
from gtp_engine.tools.match.rating import rate
from gtp_engine.tools.match.sprt import ACCEPT_H0, ACCEPT_H1, CONTINUE, log_likelihood_ratio, sprt_state
from gtp_engine.tools.match.tables import WIDEST, counted, rating_words
from gtp_engine.tools.match.tournament import Sprt

RUNS = 1_000
TEST = Sprt(elo0=0, elo1=100, alpha=0.05, beta=0.05)


def test_elo_and_score_are_inverse() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    for elo in (-700, -3.5, 0, 120):
        assert elo_of(expected_score(elo)) == pytest.approx(elo)
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_the_interval_of_ten_wins_in_twenty_games() -> None:
    """Wilson's interval as any statistics package gives it."""
    assert score_interval(Tally(10, 0, 10)) == pytest.approx((0.2993, 0.7007), abs=1e-4)
    assert score_interval(Tally(20, 0, 0)) == pytest.approx((0.8389, 1.0), abs=1e-4)


def test_a_clean_sweep_has_no_upper_bound() -> None:
    (low, high), (reversed_low, reversed_high) = elo_interval(Tally(20, 0, 0)), elo_interval(Tally(0, 0, 20))
    assert low == pytest.approx(286.6, abs=0.5) and reversed_high == pytest.approx(-286.6, abs=0.5)
    assert (high, reversed_low) == (math.inf, -math.inf)
    assert all(map(math.isfinite, elo_interval(Tally(0, 20, 0))))


def test_games_add_up() -> None:
    assert Tally(3, 1, 3) + Tally(1, 3, 6) == Tally(4, 4, 9)
    assert (Tally().games, Tally().score) == (0, 0.5)


def test_ratings_without_an_anchor_are_relative_to_the_mean() -> None:
    """So the errors of two players are each other's opposite: each deviates half as much as the difference."""
    ratings = rate(["a", "b"], {("a", "b"): Tally(60, 0, 40)}, {})
    first, second = (ratings.of(name) for name in "ab")
    assert first.elo == pytest.approx(-second.elo) and first.elo > 0
    assert first.sigma == pytest.approx(second.sigma)
    assert ratings.difference("a", "b")[1] == pytest.approx(2 * first.sigma)


def test_draws_make_the_interval_narrower() -> None:
    low, high = score_interval(Tally(25, 50, 25))
    wide_low, wide_high = score_interval(Tally(50, 0, 50))
    assert high - low < wide_high - wide_low


def test_the_interval_covers_the_truth_in_95_of_100_matches() -> None:
    dice, truth, covered = random.Random(1), expected_score(80), 0
    for _ in range(RUNS):
        wins = sum(dice.random() < truth for _ in range(60))
        low, high = score_interval(Tally(wins, 0, 60 - wins))
        covered += low <= truth <= high
    assert 0.93 < covered / RUNS < 0.98


# ---------------------------------------------------------------- ratings


def test_two_players_rating_is_the_elo_of_their_score() -> None:
    ratings = rate(["a", "b"], {("a", "b"): Tally(3000, 0, 1000)})
    difference, sigma = ratings.difference("a", "b")
    assert difference == pytest.approx(elo_of(0.75), abs=0.2)  # the prior pulls a little
    assert sigma == pytest.approx(6.34, abs=0.05)  # 400 / ln 10 / sqrt(4000 * 0.75 * 0.25)
    assert ratings.of("a").elo == -ratings.of("b").elo


def test_a_field_with_known_strengths_is_found_again() -> None:
    truth = {"weak": -150.0, "even": 0.0, "strong": 210.0, "anchor": 40.0}
    names, dice = list(truth), random.Random(2)
    tallies = {}
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            wins = sum(dice.random() < expected_score(truth[one] - truth[other]) for _ in range(2000))
            tallies[one, other] = Tally(wins, 0, 2000 - wins)
    ratings = rate(names, tallies, {"anchor": 40.0})
    assert ratings.of("anchor").elo == 40 and ratings.of("anchor").sigma == 0
    for name in ("weak", "even", "strong"):
        rating = ratings.of(name)
        assert abs(rating.elo - truth[name]) < 4 * rating.sigma
        assert 3 < rating.sigma < 12


def test_the_standard_deviation_is_that_of_repeated_tournaments() -> None:
    names, dice, found = ["a", "b", "c"], random.Random(3), []
    for _ in range(200):
        tallies = {}
        for pair in (("a", "b"), ("b", "c"), ("a", "c")):
            wins = sum(dice.random() < 0.6 for _ in range(100))
            tallies[pair] = Tally(wins, 0, 100 - wins)
        found.append(rate(names, tallies))
    differences = [ratings.difference("a", "b")[0] for ratings in found]
    mean = sum(differences) / len(differences)
    spread = math.sqrt(sum((difference - mean) ** 2 for difference in differences) / len(differences))
    assert spread == pytest.approx(found[0].difference("a", "b")[1], rel=0.15)


def test_a_player_who_wins_everything_has_a_finite_rating() -> None:
    ratings = rate(["a", "b", "c"], {("a", "b"): Tally(10, 0, 0), ("b", "c"): Tally(10, 0, 0), ("a", "c"): Tally(10, 0, 0)})
    assert [rating.name for rating in sorted(ratings.players, key=lambda rating: -rating.elo)] == ["a", "b", "c"]
    assert ratings.of("a").elo < 1500
    assert ratings.of("a").sigma > 100


def test_without_games_nobody_is_stronger() -> None:
    assert [rating.elo for rating in rate(["a", "b"], {}).players] == [0, 0]


# ---------------------------------------------------------------- the sequential test


def test_the_likelihood_ratio_of_wins_and_losses_is_that_of_a_coin() -> None:
    """With two scores only there is one distribution for each mean."""
    wins, losses = 600, 400
    p0, p1 = expected_score(0), expected_score(50)
    expected = wins * math.log(p1 / p0) + losses * math.log((1 - p1) / (1 - p0))
    assert log_likelihood_ratio((losses, 0, 0, 0, wins), p0, p1) == pytest.approx(expected, abs=0.05)


def test_the_state_of_a_test() -> None:
    assert sprt_state(TEST, []).decision == CONTINUE
    assert sprt_state(TEST, [1.0] * 40).decision == ACCEPT_H1
    assert sprt_state(TEST, [0.0] * 40).decision == ACCEPT_H0
    assert sprt_state(TEST, [0.5] * 3).pairs == 3


@cache
def decision(counts: tuple[int, ...]) -> str:
    """What the test says to pairs with these numbers of each score."""
    return sprt_state(TEST, [score / 4 for score, count in enumerate(counts) for _ in range(count)]).decision


def simulate(elo: float, draws: float, dice: random.Random) -> str:
    """One test of an engine that is `elo` stronger, `draws` of whose games are drawn."""
    win = expected_score(elo) - draws / 2
    counts = [0] * 5
    while True:
        results = [dice.random() for _ in range(2)]
        counts[sum(2 * (result < win) + (win <= result < win + draws) for result in results)] += 1
        if decision(tuple(counts)) != CONTINUE:
            return decision(tuple(counts))


@pytest.mark.parametrize("draws", [0.0, 0.1])
def test_error_rates_of_the_sequential_test(draws: float) -> None:
    """1,000 simulated tests under each hypothesis."""
    dice = random.Random(4)
    false_alarms = sum(simulate(TEST.elo0, draws, dice) == ACCEPT_H1 for _ in range(RUNS))
    misses = sum(simulate(TEST.elo1, draws, dice) == ACCEPT_H0 for _ in range(RUNS))
    assert 0 < false_alarms <= TEST.alpha * RUNS
    assert 0 < misses <= TEST.beta * RUNS


def test_a_rating_that_says_nothing_is_not_shown_as_a_number() -> None:
    """Each won everything against the next: the ends of such a field can be anywhere."""
    names = [f"player {number}" for number in range(8)]
    ratings = rate(names, {pair: Tally(40, 0, 0) for pair in pairwise(names)}, {names[-1]: 0.0}, prior_games=0.01)
    far = ratings.of(names[0])
    assert far.interval[1] - far.interval[0] > 2 * WIDEST
    assert rating_words(far) == ("-", "too few games")
    assert rating_words(ratings.of(names[-1])) == ("+0", "anchor")


def test_numbers_agree_with_their_nouns() -> None:
    assert (counted(0, "game"), counted(1, "game"), counted(2, "move")) == ("0 games", "1 game", "2 moves")
