"""docs/figures/people_shares.py: how often the stronger of two people wins."""

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs" / "figures"))

import people_shares  # noqa: E402

from gtp_engine.learning.training.records import Records  # noqa: E402

WEAK, STRONG = 18, 20


def records_of(games: list[tuple[int, int, int, int]], komi: float = people_shares.KOMI) -> Records:
    """Games without a move: (Black's rank, White's rank, winner, how many)."""
    rows = np.repeat(np.array([game[:3] for game in games]), [game[3] for game in games], axis=0)
    count = len(rows)
    ranks, programs = rows[:, :2].astype(np.int8), np.zeros(count, np.uint8)
    lengths, margin = np.zeros(count, np.uint16), np.zeros(count, np.float32)
    all_komi = np.full(count, komi, np.float32)
    return Records(9, np.zeros(0, np.uint16), lengths, rows[:, 2].astype(np.int8), margin, all_komi, ranks, programs)


def test_both_colors_count_alike_whoever_has_which_more_often() -> None:
    """With Black the stronger wins 60 of 100, with White 320 of 400: 70 %."""
    games = [(STRONG, WEAK, 1, 60), (STRONG, WEAK, -1, 40), (WEAK, STRONG, -1, 320), (WEAK, STRONG, 1, 80)]
    (share,) = people_shares.shares_of(records_of(games), 10, 32)
    assert (share.apart, share.games) == (2, 500)
    assert share.won == pytest.approx(0.7)
    assert share.half == pytest.approx(1.96 * (0.24 / 100 + 0.16 / 400) ** 0.5 / 2)


def test_other_games_do_not_count() -> None:
    games = [(STRONG, WEAK, 1, 100), (WEAK, STRONG, -1, 100)]
    assert not list(people_shares.shares_of(records_of(games, komi=0.5), 10, 32))
    assert not list(people_shares.shares_of(records_of(games), STRONG, 32))  # one of them is weaker than asked for
    assert not list(people_shares.shares_of(records_of([(*game[:3], 99) for game in games]), 10, 32))  # too few
    assert not list(people_shares.shares_of(records_of([(STRONG, WEAK, 0, 500), (WEAK, STRONG, 0, 500)]), 10, 32))  # nobody won
