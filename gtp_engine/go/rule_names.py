"""Names of rules in records, over GTP and in JSON: the table of names, and KataGo's objects. Plain Python."""

import json
import re
from dataclasses import replace
from typing import Any

from gtp_engine.go.rules import AGA, CGOS, CHINESE, ING, JAPANESE, NEW_ZEALAND, RULE_SETS, TROMP_TAYLOR, HandicapBonus, Ko, Rules, Scoring

# Names of each rule set, without case, spaces, punctuation and the word "rules"; its own name is added below.
NAMES = {
    CHINESE: ("cn", "china", "chineseogs", "chinesekgs", "area", "areascoring", "中国", "中國", "중국"),
    JAPANESE: (
        *("jp", "japan", "nihonkiin", "korean", "kr", "korea", "territory", "territoryscoring"),
        *("日本", "日", "韩国", "韓国", "韓國", "日韩", "日韓", "일본", "한국"),
    ),
    AGA: ("american", "usgo", "bga", "british", "french", "ffg"),
    NEW_ZEALAND: ("nz",),
    TROMP_TAYLOR: ("tt",),
    ING: ("goe", "inggoe", "swiss", "应氏", "應氏"),
}
NEAREST = {"stonescoring": CHINESE, "ancientarea": CHINESE, "ancientterritory": JAPANESE, "agabutton": AGA}  # of unsupported rules
TITLES = {
    AGA: "AGA",
    NEW_ZEALAND: "New Zealand",
    TROMP_TAYLOR: "Tromp-Taylor",
    CGOS: "CGOS",
}  # in a sentence, if not capitalized
WORD = re.compile(r"[^\W_]+")
RULES_WORD = re.compile(r"(rules?|ruleset|ルール|规则|規則|圍棋規則|围棋规则|棋规|棋規|规|規|규칙|룰)$")

SPIGHT = "SPIGHT"  # a ko rule of KataGo's that we don't support
CHOICES: dict[str, tuple[str | None, ...]] = {
    "ko": (*(ko.name for ko in Ko), SPIGHT),
    "scoring": tuple(scoring.name for scoring in Scoring),
    "tax": (None, "NONE", "SEKI", "ALL"),  # None: that of the scoring
    "whiteHandicapBonus": tuple(bonus.value for bonus in HandicapBonus),
}
TAX = {Scoring.AREA: "NONE", Scoring.TERRITORY: "SEKI"}  # KataGo's word for points in seki; it follows from our scoring
COMPACT = re.compile(
    r"ko(?P<ko>SIMPLE|POSITIONAL|SITUATIONAL|SPIGHT)|scor(?:e|ing)(?P<scoring>AREA|TERRITORY)|tax(?P<tax>NONE|SEKI|ALL)"
    r"|sui(?P<suicide>[01])|button(?P<hasButton>[01])|whb(?P<whiteHandicapBonus>0|N-1|N)|fpok(?P<friendlyPassOk>[01])"
    r"|komi-?[0-9.]{1,20}"  # komi isn't part of our rules: records have KM
)
SWITCHES = ("suicide", "hasButton", "friendlyPassOk")
DECIDED = ("tax", "friendlyPassOk")  # keys of which some values need another scoring


def key_of(name: str) -> str:
    """The key of a rules' name in NAMES."""
    return RULES_WORD.sub("", "".join(WORD.findall(name.lower())))


KNOWN = {key_of(name): rules for rules in RULE_SETS.values() for name in (rules.name, *NAMES.get(rules, ()))}


def rules_named(name: str) -> tuple[Rules, bool]:
    """(rules, are_exact): the rules that a name means, and whether they are exactly these, or only the nearest ones that we support.

    A name is one of NAMES, in any spelling, also followed by "rules"; KataGo's form as in `koSIMPLEscoreAREAtaxNONEsui0`; or a longer text
    with a name as one of its words, as in "Japanese 1989". Raises ValueError, which lists our rule sets.
    """
    if COMPACT.match(name.strip()):
        return rules_in_compact_form(name)
    key = key_of(name)
    if key in KNOWN:
        return KNOWN[key], True
    if key in NEAREST:
        return NEAREST[key], False
    named = {KNOWN[word] for word in map(key_of, WORD.findall(name[:100])) if word in KNOWN}
    if len(named) == 1:
        return named.pop(), False
    raise ValueError(f"unknown rules {name[:30]!r}: choose one of {', '.join(RULE_SETS)}")


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """`rules` under KataGo's keys."""
    return {
        "ko": rules.ko.name,
        "scoring": rules.scoring.name,
        "tax": TAX[rules.scoring],
        "suicide": rules.suicide,
        "hasButton": False,
        "whiteHandicapBonus": rules.handicap_bonus.value,
        "friendlyPassOk": not rules.all_alive,
    }


def rules_from_json(description: Any) -> tuple[Rules, bool]:
    """The rules that an object with KataGo's keys describes, and whether they are exactly these.

    A missing key has its value in `chinese`. The rules get the name of our rule set that is the same, if there is one. Raises ValueError
    for other values.
    """
    values = rules_to_json(CHINESE)
    if not isinstance(description, dict):
        raise ValueError("rules are a name or an object")
    description = {"scoring" if key == "score" else key: value for key, value in description.items() if key != "komi"}
    for key, value in description.items():
        if key not in values:
            raise ValueError(f"unknown rule {key[:30]}")
        if type(value) is not type(values[key]):
            raise ValueError(f"{key} must be {'a text' if isinstance(values[key], str) else 'true or false'}")
    return rules_of_values(values | {"tax": None} | description)


def rules_from_text(text: str) -> tuple[Rules, bool]:
    """The rules that a client sends: a name, or a JSON object as in rules_from_json. Raises ValueError."""
    if not text.startswith("{"):
        return rules_named(text)
    try:
        return rules_from_json(json.loads(text))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError("syntax error") from error


def rules_with(rules: Rules, key: str, text: str) -> Rules:
    """`rules` after one of KataGo's keys is set to the value that `text` says.

    The scoring decides the tax and `friendlyPassOk`, so both follow a changed scoring. Raises ValueError for an unknown key or value, and
    for rules that we don't support.
    """
    key = "scoring" if key == "score" else key
    current = rules_to_json(rules)
    if key not in current:
        raise ValueError(f"unknown rule {key[:30]}: choose one of {', '.join(current)}")
    value = read_switch(key, text) if key in SWITCHES else text.upper()
    changed, is_exact = rules_of_values(current | {"tax": None, key: value})
    if not is_exact or rules_to_json(changed)[key] != value:
        where = f" with scoring {changed.scoring.name}" if key in DECIDED else ""
        raise ValueError(f"{key} {text[:30]} is not played here{where}")
    return changed


def read_switch(key: str, text: str) -> bool:
    """True or false. Raises ValueError."""
    if text.lower() not in ("true", "false"):
        raise ValueError(f"{key} must be true or false, not {text[:30]!r}")
    return text.lower() == "true"


def rules_in_compact_form(text: str) -> tuple[Rules, bool]:
    """Like rules_named, for KataGo's form without JSON. Missing parts are those of Tromp-Taylor rules. Raises ValueError."""
    values = rules_to_json(TROMP_TAYLOR) | {"tax": None}
    place = 0
    text = text.strip()
    while place < len(text):
        part = COMPACT.match(text, place)
        if part is None:
            raise ValueError(f"unknown rules {text[:30]!r}: {text[place : place + 20]!r} means nothing")
        values |= {name: value == "1" if name in SWITCHES else value for name, value in part.groupdict().items() if value is not None}
        place = part.end()
    return rules_of_values(values)


def rules_of_values(values: dict[str, Any]) -> tuple[Rules, bool]:
    """The rules with these values, and whether we support exactly these. Without a tax it follows from the scoring. Raises ValueError."""
    for key, choices in CHOICES.items():
        if values[key] not in choices:
            raise ValueError(f"{key} must be one of {', '.join(filter(None, choices))}, not {values[key][:30]!r}")
    ko, scoring = "SITUATIONAL" if values["ko"] == SPIGHT else values["ko"], Scoring[values["scoring"]]
    rules = Rules(
        name="",
        ko=Ko[ko],
        scoring=scoring,
        suicide=values["suicide"],
        handicap_bonus=HandicapBonus(values["whiteHandicapBonus"]),
        all_alive=not values["friendlyPassOk"] and scoring is Scoring.AREA,  # territory is never scored with dead stones on the board
    )
    is_exact = values["tax"] in (None, TAX[scoring]) and not values["hasButton"] and ko == values["ko"]
    described = rules_to_json(rules)
    named = next((named for named in RULE_SETS.values() if rules_to_json(named) == described), None)
    return named or replace(rules, name=compact_name(rules)), is_exact


def compact_name(rules: Rules) -> str:
    """`rules` in KataGo's form without JSON, which rules_named reads: a name for rules without one."""
    parts = f"ko{rules.ko.name}score{rules.scoring.name}tax{TAX[rules.scoring]}sui{rules.suicide:d}"
    return f"{parts}whb{rules.handicap_bonus.value}fpok{not rules.all_alive:d}"


def rules_title(name: str) -> str:
    """The usual spelling of a rule set's name: `Chinese`, `Tromp-Taylor`."""
    return TITLES.get(RULE_SETS[name], name.capitalize()) if name in RULE_SETS else name
