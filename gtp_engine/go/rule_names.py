"""Rules as KataGo's clients name them: JSON objects, and the names of rule sets. Plain Python."""

from typing import Any

from gtp_engine.go.rules import RULE_SETS, HandicapBonus, Ko, Rules, Scoring, find_rules

TAX = {Scoring.AREA: "NONE", Scoring.TERRITORY: "SEKI"}  # KataGo's word for points in seki; it follows from our scoring
ALIASES = {"chinese-ogs": "chinese", "chinese-kgs": "chinese", "korean": "japanese", "bga": "aga"}
NEAREST = {"stone-scoring": "chinese", "aga-button": "aga"}  # rules that we don't play, and what comes nearest


def rules_named(name: str) -> tuple[Rules, bool]:
    """The rules that one of KataGo's names means, and whether they are these, not only the nearest that we play.

    Raises ValueError, which names the ones there are.
    """
    key = name.strip().lower().replace("_", "-").replace(" ", "-")
    if key in NEAREST:
        return find_rules(NEAREST[key]), False
    return find_rules(ALIASES.get(key, key)), True


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


def rules_from_json(given: Any) -> Rules:
    """The rules that an object with KataGo's keys describes; a missing key has its value in `chinese`.

    They get the name of our rule set that is the same, if there is one. Raises ValueError for anything that we don't play.
    """
    values = rules_to_json(RULE_SETS["chinese"])
    if not isinstance(given, dict):
        raise ValueError("syntax error")
    for key, value in given.items():
        if key not in values:
            raise ValueError(f"unknown rule {key[:30]}")
        if type(value) is not type(values[key]):
            raise ValueError("syntax error")
    if given.get("scoring") == Scoring.TERRITORY.name:
        values["tax"] = TAX[Scoring.TERRITORY]
    values |= given
    for rules in RULE_SETS.values():
        if rules_to_json(rules) == values:
            return rules
    return rules_of_values(values)


def rules_of_values(values: dict[str, Any]) -> Rules:
    """A rule set without a name of its own. Raises ValueError."""
    try:
        rules = Rules(
            name="custom",
            ko=Ko[values["ko"]],
            scoring=Scoring[values["scoring"]],
            suicide=values["suicide"],
            handicap_bonus=HandicapBonus(values["whiteHandicapBonus"]),
            all_alive=not values["friendlyPassOk"],
        )
    except (KeyError, ValueError) as error:
        raise ValueError("syntax error") from error
    if rules_to_json(rules) != values:
        raise ValueError("unsupported rules")
    return rules
