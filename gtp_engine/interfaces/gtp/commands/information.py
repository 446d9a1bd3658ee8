"""Commands that answer without a board: who we are and what we can do. None of them waits for the engine."""

import inspect
import time
from collections.abc import Callable, Mapping
from typing import Any

from gtp_engine.base.gtp_protocol import PROTOCOL_VERSION, GtpError


class InformationCommands:
    """What the engine is and what it can do. None of these waits for the engine to load.

    `methods` is the table of all commands by name; it may be filled further after this group is made.
    """

    def __init__(self, methods: Mapping[str, Callable[..., Any]], name: str, version: str) -> None:
        self.methods = methods
        self.name, self.version = name, version

    def cmd_protocol_version(self) -> str:
        """The version of GTP that the engine speaks."""
        return str(PROTOCOL_VERSION)

    def cmd_name(self) -> str:
        """The engine's name."""
        return self.name

    def cmd_version(self) -> str:
        """The engine's version."""
        return self.version

    def cmd_known_command(self, name: str = "") -> str:
        """`true` if NAME is a command, else `false`."""
        return "true" if name in self.methods else "false"

    def cmd_list_commands(self) -> str:
        """The names of all commands, one a line."""
        return "\n".join(sorted(self.methods))

    def cmd_quit(self) -> None:
        """End the session, after an empty answer."""

    def cmd_help(self, name: str = "") -> str:
        """What NAME does; without NAME, what every command does."""
        if name and name not in self.methods:
            raise GtpError("unknown command")
        names = [name] if name else sorted(self.methods)
        return "\n".join(f"{name}: {summary(self.methods[name])}" for name in names)

    def cmd_echo(self, *words: str) -> str:
        """Answer with WORDS unchanged."""
        return " ".join(words)

    def cmd_cputime(self) -> str:
        """Seconds of processor time used so far, by all threads."""
        return f"{time.process_time():.3f}"


def summary(method: Callable[..., Any]) -> str:
    """The first line of the method's docstring."""
    return (inspect.getdoc(method) or "").partition("\n")[0]
