"""Commands that set and show the rules: KGS's names, KataGo's names and JSON."""

import json

from gtp_engine.go.rule_names import rules_from_json, rules_named, rules_to_json
from gtp_engine.go.rules import Rules
from gtp_engine.gtp.commands.base import EngineCommands
from gtp_engine.gtp.dispatcher import named
from gtp_engine.gtp.protocol import GtpError


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
        self.engine.state.set_rules(rules_in(text) if text.startswith("{") else rules_called(text))

    @named("kata-get-rules")
    def cmd_kata_get_rules(self) -> str:
        """The rules in force as one JSON object."""
        return json.dumps(rules_to_json(self.engine.state.rules))


def rules_called(name: str) -> Rules:
    """The rule set of that name; GtpError names the ones there are."""
    try:
        rules, is_exact = rules_named(name)
    except ValueError as error:
        raise GtpError(str(error)) from error
    if not is_exact:
        raise GtpError("unsupported rules")
    return rules


def rules_in(text: str) -> Rules:
    """The rules that a JSON text describes; GtpError for anything that we don't play."""
    try:
        return rules_from_json(json.loads(text))
    except RecursionError as error:
        raise GtpError("syntax error") from error
    except ValueError as error:
        raise GtpError("syntax error" if isinstance(error, json.JSONDecodeError) else str(error)) from error
