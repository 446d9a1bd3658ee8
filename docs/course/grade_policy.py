"""Grades task 6."""

import random

import pytest
from course import load

from gtp_engine.textbook.game import FIRST, SECOND, Move
from gtp_engine.textbook.go_game import GoPosition

policy = load("policy").policy
SIZE, GAMES, MOST_MOVES = 5, 20, 60


def drawn(position: GoPosition, rng: random.Random) -> Move:
    """A move of the policy, by lot."""
    found = policy(position)
    return rng.choices(list(found), list(found.values()))[0]


def test_it_is_a_distribution_over_the_legal_moves() -> None:
    position = GoPosition.start(SIZE)
    rng = random.Random(1)
    while not position.is_over() and len(position.game().moves) < MOST_MOVES:
        found = policy(position)
        assert set(found) == set(position.legal_moves())
        assert min(found.values()) >= 0 and sum(found.values()) == pytest.approx(1.0)
        position = position.apply_move(rng.choice(position.legal_moves()))


CAPTURE = """
    .....
    ..X..
    .XO..
    ..X..
    ..... b"""


def test_a_capture_is_likeliest() -> None:
    found = policy(GoPosition.from_text(CAPTURE))
    assert max(found, key=lambda move: found[move]) == "D3"


EYES = """
    .X.XO
    XXXXO
    OOOOO
    .....
    ..... b"""


def test_eyes_are_not_filled_and_nobody_passes_early() -> None:
    """Black's two eyes are A5 and C5."""
    found = policy(GoPosition.from_text(EYES))
    assert found["A5"] == found["C5"] == found["pass"] == 0


def test_it_wins_against_moves_at_random() -> None:
    """15 of 20 games on 5x5, both colors."""
    rng, won = random.Random(1), 0
    for number in range(GAMES):
        position, side = GoPosition.start(SIZE), (FIRST, SECOND)[number % 2]
        for _ in range(MOST_MOVES):
            if position.is_over():
                break
            position = position.apply_move(drawn(position, rng) if position.next_player == side else rng.choice(position.legal_moves()))
        won += (position.score() > 0) == (side == FIRST)
    assert won >= 15
