"""Rule sets: what each of them says."""

import dataclasses

import pytest

from gtp_engine.go.rules import AGA, CGOS, CHINESE, ING, JAPANESE, NEW_ZEALAND, RULE_SETS, TROMP_TAYLOR, Ko, Rules, Scoring


def test_names_are_keys() -> None:
    assert all(rules.name == name for name, rules in RULE_SETS.items())


@pytest.mark.parametrize(
    ("rules", "ko", "suicide", "scoring", "all_alive"),
    [
        (CHINESE, Ko.POSITIONAL, False, Scoring.AREA, False),
        (JAPANESE, Ko.SIMPLE, False, Scoring.TERRITORY, False),
        (AGA, Ko.SITUATIONAL, False, Scoring.AREA, False),
        (NEW_ZEALAND, Ko.SITUATIONAL, True, Scoring.AREA, False),
        (TROMP_TAYLOR, Ko.POSITIONAL, True, Scoring.AREA, True),
        (CGOS, Ko.POSITIONAL, False, Scoring.AREA, True),
        (ING, Ko.POSITIONAL, True, Scoring.AREA, False),
    ],
)
def test_what_each_rule_set_says(rules: Rules, ko: Ko, suicide: bool, scoring: Scoring, all_alive: bool) -> None:
    assert (rules.ko, rules.suicide, rules.scoring, rules.all_alive) == (ko, suicide, scoring, all_alive)


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        (CHINESE, {0: 0, 1: 0, 2: 2, 9: 9}),
        (AGA, {0: 0, 1: 0, 2: 1, 9: 8}),
        (JAPANESE, {0: 0, 2: 0, 9: 0}),
        (NEW_ZEALAND, {2: 0, 9: 0}),
        (TROMP_TAYLOR, {2: 0, 9: 0}),
    ],
)
def test_what_white_receives_for_handicap_stones(rules: Rules, points: dict[int, int]) -> None:
    assert {stones: rules.white_handicap_points(stones) for stones in points} == points


def test_no_bonus_under_territory_rules_even_when_one_is_named() -> None:
    assert dataclasses.replace(CHINESE, scoring=Scoring.TERRITORY).white_handicap_points(5) == 0


def test_rules_cannot_be_changed_in_place() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        CHINESE.suicide = True  # type: ignore[misc]
