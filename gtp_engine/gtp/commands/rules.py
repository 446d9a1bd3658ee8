"""Commands that set and show the rules: KGS's names, KataGo's names and JSON."""

import json
from typing import Any

from gtp_engine.go.rules import RULE_SETS, HandicapBonus, Ko, Rules, Scoring, find_rules
from gtp_engine.gtp.commands.base import EngineCommands
from gtp_engine.gtp.dispatcher import named
from gtp_engine.gtp.protocol import GtpError

TAX = {Scoring.AREA: "NONE", Scoring.TERRITORY: "SEKI"}  # KataGo's word for points in seki; it follows from our scoring


class RulesCommands(EngineCommands):
    """The rule set stays in force until the next command here, whatever happens to the board."""

    @named("kgs-rules")
    def cmd_kgs_rules(self, name: str) -> None:
        """Play by the rules called NAME."""
        self.engine.state.set_rules(rules_called(name))

    @named("kata-set-rules")
    def cmd_kata_set_rules(self, *words: str) -> None:
        """Play by the rules called NAME, or those of a JSON object as kata-get-rules prints it."""
        text = " ".join(words)
        self.engine.state.set_rules(rules_from_json(text) if text.startswith("{") else rules_called(text))

    @named("kata-get-rules")
    def cmd_kata_get_rules(self) -> str:
        """The rules in force as one JSON object."""
        return json.dumps(rules_to_json(self.engine.state.rules))


def rules_called(name: str) -> Rules:
    """The rule set of that name; GtpError names the ones there are."""
    try:
        return find_rules(name)
    except ValueError as error:
        raise GtpError(str(error)) from error


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


def rules_from_json(text: str) -> Rules:
    """The rules that a JSON object with KataGo's keys describes; a missing key has its value in `chinese`.

    They get the name of our rule set that is the same, if there is one. GtpError for anything that we don't play.
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GtpError("syntax error") from error
    values = rules_to_json(RULE_SETS["chinese"])
    if not isinstance(given, dict):
        raise GtpError("syntax error")
    for key, value in given.items():
        if key not in values:
            raise GtpError(f"unknown rule {key[:30]}")
        if type(value) is not type(values[key]):
            raise GtpError("syntax error")
    if given.get("scoring") == Scoring.TERRITORY.name:
        values["tax"] = TAX[Scoring.TERRITORY]
    values |= given
    for rules in RULE_SETS.values():
        if rules_to_json(rules) == values:
            return rules
    return rules_of_values(values)


def rules_of_values(values: dict[str, Any]) -> Rules:
    """A rule set without a name of its own."""
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
        raise GtpError("syntax error") from error
    if rules_to_json(rules) != values:
        raise GtpError("unsupported rules")
    return rules
