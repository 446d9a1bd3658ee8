"""Names of rules as people, servers and programs write them, and KataGo's two forms of rules piece by piece."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.go.rule_names import rules_from_json, rules_from_text, rules_named, rules_to_json, rules_with
from gtp_engine.go.rules import (
    AGA,
    CGOS,
    CHINESE,
    ING,
    JAPANESE,
    NEW_ZEALAND,
    RULE_SETS,
    TROMP_TAYLOR,
    HandicapBonus,
    Ko,
    Rules,
    Scoring,
)

NAMES = {
    CHINESE: ["chinese", "Chinese Rules", "CN", "chinese-ogs", "chinese_kgs", "中国", "中国规则", "中國圍棋規則", "Area"],
    JAPANESE: ["Japanese", "Japanese Rules", " japanese rule ", "jp", "korean", "Korean Rules", "日本", "日本ルール", "日本规则", "한국룰"],
    AGA: ["AGA", "aga rules", "bga", "French", "British"],
    NEW_ZEALAND: ["nz", "NZ Rules", "new zealand", "New-Zealand", "new_zealand", "NewZealand"],
    TROMP_TAYLOR: ["tromp-taylor", "Tromp_Taylor", "tromptaylor", "Tromp/Taylor", "tromp taylor rules"],
    CGOS: ["cgos", "CGOS rules"],
    ING: ["ing", "goe", "GOE", "Ing Goe", "应氏规则"],
}


@pytest.mark.parametrize(("name", "rules"), [(name, rules) for rules, names in NAMES.items() for name in names])
def test_names(name: str, rules: Rules) -> None:
    assert rules_named(name) == (rules, True)


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("ancient-area", CHINESE),
        ("Stone Scoring", CHINESE),
        ("ancient territory", JAPANESE),
        ("aga_button", AGA),
        ("Japanese 1989", JAPANESE),
        ("Nihon Ki-in (Japanese rules)", JAPANESE),
        ("koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1fpok1", AGA),
        ("koSPIGHTscoreAREAtaxNONEsui0button0whbN-1fpok1", AGA),
        ("koPOSITIONALscoreAREAtaxALLsui0button0whbNfpok1", CHINESE),
    ],
)
def test_the_nearest_rules_are_said_to_be_no_more_than_that(name: str, rules: Rules) -> None:
    assert rules_named(name) == (rules, False)


@pytest.mark.parametrize(
    "name", ["", "rules", "martian", "Japanese or Chinese", "koTRIPLE", "koSIMPLEscoreAREAx", "koSIMPLE scoreAREA", "x" * 10_000]
)
def test_unknown_names_are_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match="unknown rules") as refusal:
        rules_named(name)
    assert len(str(refusal.value)) < 200


def test_the_refusal_names_all_rule_sets() -> None:
    with pytest.raises(ValueError, match="choose one of chinese, japanese, aga, new_zealand, tromp-taylor, cgos, ing"):
        rules_named("martian")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0button0whb0", JAPANESE),
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0komi6.5", JAPANESE),
        ("koPOSITIONALscoreAREAtaxNONEsui1", TROMP_TAYLOR),
        ("koPOSITIONALscoringAREAsui0", CGOS),
        ("koPOSITIONALscoreAREAtaxNONEsui0whbNfpok1komi-7", CHINESE),
        ("koSITUATIONALscoreAREAtaxNONEsui1button0fpok1", NEW_ZEALAND),
    ],
)
def test_compact_form(text: str, rules: Rules) -> None:
    assert rules_named(text) == (rules, True)


@given(
    st.builds(
        Rules,
        name=st.just(""),
        ko=st.sampled_from(Ko),
        suicide=st.booleans(),
        scoring=st.just(Scoring.AREA),
        handicap_bonus=st.sampled_from(HandicapBonus),
        all_alive=st.booleans(),
    )
)
def test_rules_without_a_name_come_back_from_json_and_from_the_name_that_they_get(rules: Rules) -> None:
    read, is_exact = rules_from_json(rules_to_json(rules))
    assert is_exact and rules_to_json(read) == rules_to_json(rules)
    assert rules_named(read.name) == (read, True)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_a_rule_set_comes_back_from_json(rules: Rules) -> None:
    assert rules_from_text(json.dumps(rules_to_json(rules))) == (rules, True)


def test_json_as_kata_go_takes_it() -> None:
    """`score` for `scoring`; komi, which isn't ours to set, and a missing tax."""
    rules, is_exact = rules_from_json({"ko": "SIMPLE", "score": "AREA", "tax": "NONE", "suicide": False, "komi": 6.5})
    assert is_exact and (rules.ko, rules.scoring, rules.suicide, rules.all_alive) == (Ko.SIMPLE, Scoring.AREA, False, False)
    assert rules_from_json({"ko": "SIMPLE", "score": "TERRITORY"})[0].scoring is Scoring.TERRITORY
    assert rules_from_json({"hasButton": True}) == (CHINESE, False)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ([], "rules are a name or an object"),
        ({"sun": 1}, "unknown rule sun"),
        ({"ko": 1}, "ko must be a text"),
        ({"ko": "TRIPLE"}, "ko must be one of SIMPLE, "),
        ({"suicide": "yes"}, "suicide must be true or false"),
        ({"tax": "HALF"}, "tax must be one of NONE, SEKI, ALL, not 'HALF'"),
        ({"tax": 1}, "tax must be a text"),
    ],
)
def test_what_is_no_description_of_rules(given: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        rules_from_json(given)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_a_rule_set_comes_from_another_key_by_key(rules: Rules) -> None:
    """The scoring first, since others follow it."""
    for start in RULE_SETS.values():
        wanted = rules_to_json(rules)
        found = start
        for key in ("scoring", *wanted):
            found = rules_with(found, key, str(wanted[key]).lower())
        assert found == rules


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("sun", "1", "unknown rule sun: choose one of ko, scoring, tax, "),
        ("komi", "6.5", "unknown rule komi"),
        ("ko", "TRIPLE", "ko must be one of SIMPLE, .*, not 'TRIPLE'"),
        ("ko", "spight", "ko spight is not played here"),
        ("suicide", "1", "suicide must be true or false, not '1'"),
        ("hasButton", "true", "hasButton true is not played here"),
        ("tax", "SEKI", "tax SEKI is not played here with scoring AREA"),
        ("tax", "ALL", "tax ALL is not played here with scoring AREA"),
        ("whiteHandicapBonus", "2", "whiteHandicapBonus must be one of 0, N-1, N, not '2'"),
    ],
)
def test_a_key_that_we_cannot_set(key: str, value: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}"):
        rules_with(CHINESE, key, value)


def test_what_the_scoring_decides_follows_it() -> None:
    territory = rules_to_json(rules_with(TROMP_TAYLOR, "score", "TERRITORY"))
    assert (territory["tax"], territory["friendlyPassOk"]) == ("SEKI", True)
    with pytest.raises(ValueError, match=r"^friendlyPassOk false is not played here with scoring TERRITORY$"):
        rules_with(JAPANESE, "friendlyPassOk", "false")
