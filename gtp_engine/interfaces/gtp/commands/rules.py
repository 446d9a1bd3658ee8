"""Commands that set and show the rules: the names that people and programs use, and KataGo's JSON."""

import json

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.rule_names import rules_from_text, rules_to_json, rules_with
from gtp_engine.interfaces.gtp.arguments import Rest
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.dispatcher import named


class RulesCommands(EngineCommands):
    """The rules stay in force until one of these commands changes them, also on a new board."""

    @named("kgs-rules")
    def cmd_kgs_rules(self, name: Rest) -> None:
        """Play by the rules called NAME."""
        self.set_rules(name)

    @named("kata-set-rules")
    def cmd_kata_set_rules(self, rules: Rest) -> None:
        """Play by RULES: their name, or a JSON object as kata-get-rules prints it."""
        self.set_rules(rules)

    @named("kata-set-rule")
    def cmd_kata_set_rule(self, key: str, value: str) -> None:
        """Set one KEY of kata-get-rules to VALUE, as in `kata-set-rule ko SIMPLE`; an error if the engine can't play by it."""
        try:
            rules = rules_with(self.engine.state.rules, key, value)
        except ValueError as error:
            raise GtpError(str(error)) from error
        self.engine.state.set_rules(rules)

    @named("kata-get-rules")
    def cmd_kata_get_rules(self) -> str:
        """The rules in force as one JSON object."""
        return json.dumps(rules_to_json(self.engine.state.rules))

    def set_rules(self, text: str) -> None:
        """Play by the rules that `text` names or describes, or by the nearest that we play, with a warning. GtpError for what is none."""
        try:
            rules, is_exact = rules_from_text(text)
        except ValueError as error:
            raise GtpError(str(error)) from error
        self.engine.state.set_rules(rules)
        if not is_exact:
            self.engine.warn(f"the rules {text[:100]} are not played here: {rules.name} rules are used")
