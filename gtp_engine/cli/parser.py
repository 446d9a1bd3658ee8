"""An argument parser whose errors suggest the nearest valid word."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from gtp_engine.base.files import visible
from gtp_engine.engine.config.sources import SETTINGS
from gtp_engine.engine.config.values import suggestion

INTERRUPTED = 130  # exit status after Ctrl-C, as shells have it


class HelpAll(argparse.Action):
    """`--help-all`: the help with the options that `hide` hides in `--help`."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> NoReturn:
        """Print it and leave."""
        for action in parser._actions:
            action.help = getattr(action, "full_help", action.help)
        parser.usage = f"{parser.prog} [OPTIONS]"
        parser.print_help()
        sys.exit(0)


def hide(action: argparse.Action) -> None:
    """Hide an option in `--help`; `--help-all` shows it."""
    action.full_help = action.help  # type: ignore[attr-defined]  # ours; HelpAll reads it
    action.help = argparse.SUPPRESS


class Parser(argparse.ArgumentParser):
    """Refuses abbreviations, whose meaning would change with every new option, and suggests the nearest valid word.

    Exits with 2 for an unknown option or a bad value.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("allow_abbrev", False)
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(*args, **kwargs)

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]  # of an overloaded method
        """Like argparse, but an unknown word is an error here, because only this parser knows similar options."""
        result, unknown = super().parse_known_args(args, namespace)
        if unknown:
            word = unknown[0].partition("=")[0]
            self.error(f"unknown argument {word}{self._hint(word)}")
        return result, unknown

    def _hint(self, word: str) -> str:
        """A suggestion for an unknown word."""
        name = word.removeprefix("--").replace("-", "_")
        if "--help-parameters" in self._option_string_actions and name in SETTINGS:
            return f"; it is set by --set {name}=VALUE"
        return suggestion(word, self._option_string_actions)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value outside the action's choices. argparse has no public hook for this message."""
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            text = f"{value!r} is not one of {', '.join(names)}{suggestion(str(value), names)}"
            raise argparse.ArgumentError(action, text)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help. A closed stream raises an OSError, which argparse would ignore."""
        if message:
            (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Print one line, and how to learn more, on stderr; exit with 2."""
        print(f"{self.prog}: {visible(message)}\n{self.prog}: see {self.prog} --help", file=sys.stderr)
        sys.exit(2)
