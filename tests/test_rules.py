"""Rule sets: found by any spelling, and what each of them says."""

import dataclasses

import pytest

from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, RULE_SETS, TROMP_TAYLOR, Ko, Rules, Scoring, find_rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("chinese", CHINESE),
        ("Japanese", JAPANESE),
        ("AGA", AGA),
        (" aga ", AGA),
        ("new_zealand", NEW_ZEALAND),
        ("new-zealand", NEW_ZEALAND),
        ("tromp-taylor", TROMP_TAYLOR),
        ("Tromp_Taylor", TROMP_TAYLOR),
    ],
)
def test_found_by_name(text: str, rules: Rules) -> None:
    assert find_rules(text) is rules


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown rules 'ing': choose one of chinese, japanese, aga, new_zealand, tromp-taylor"):
        find_rules("ing")
    with pytest.raises(ValueError, match="unknown rules"):
        find_rules("")
    with pytest.raises(ValueError, match="unknown rules") as refusal:
        find_rules("x" * 10_000)
    assert len(str(refusal.value)) < 200


def test_names_are_keys() -> None:
    assert all(rules.name == name and find_rules(name) is rules for name, rules in RULE_SETS.items())


@pytest.mark.parametrize(
    ("rules", "ko", "suicide", "scoring", "all_alive"),
    [
        (CHINESE, Ko.POSITIONAL, False, Scoring.AREA, False),
        (JAPANESE, Ko.SIMPLE, False, Scoring.TERRITORY, False),
        (AGA, Ko.SITUATIONAL, False, Scoring.AREA, False),
        (NEW_ZEALAND, Ko.SITUATIONAL, True, Scoring.AREA, False),
        (TROMP_TAYLOR, Ko.POSITIONAL, True, Scoring.AREA, True),
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
