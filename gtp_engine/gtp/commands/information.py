"""Commands that answer without a board: who we are and what we can do. None of them waits for the engine."""

import inspect
import time
from collections.abc import Callable, Mapping
from typing import Any

from gtp_engine.gtp.protocol import PROTOCOL_VERSION, GtpError


class InformationCommands:
    """`methods` is the table of all commands by name; it may be filled further after this group is made."""

    def __init__(self, methods: Mapping[str, Callable[..., Any]], name: str, version: str) -> None:
        self.methods = methods
        self.name, self.version = name, version

    def cmd_protocol_version(self) -> str:
        """The version of GTP that we speak."""
        return str(PROTOCOL_VERSION)

    def cmd_name(self) -> str:
        """The engine's name."""
        return self.name

    def cmd_version(self) -> str:
        """The engine's version."""
        return self.version

    def cmd_known_command(self, name: str = "") -> str:
        """Is NAME a command? `true` or `false`."""
        return "true" if name in self.methods else "false"

    def cmd_list_commands(self) -> str:
        """Every command, one a line."""
        return "\n".join(sorted(self.methods))

    def cmd_quit(self) -> None:
        """End. The session ends when this is answered."""

    def cmd_help(self, name: str = "") -> str:
        """What every command does, or NAME alone."""
        if name and name not in self.methods:
            raise GtpError("unknown command")
        names = [name] if name else sorted(self.methods)
        return "\n".join(f"{each}: {summary(self.methods[each])}" for each in names)

    def cmd_echo(self, *words: str) -> str:
        """WORDS as they came."""
        return " ".join(words)

    def cmd_cputime(self) -> str:
        """Seconds of processor time used so far, by all threads."""
        return f"{time.process_time():.3f}"


def summary(method: Callable[..., Any]) -> str:
    """The first line of the method's docstring."""
    return (inspect.getdoc(method) or "").partition("\n")[0]
