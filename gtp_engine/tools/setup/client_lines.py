"""The line for each client's settings: our command, with the options that the client needs.

docs/clients.md and docs/servers.md have the rest.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from gtp_engine.base.own_command import OWN_COMMAND
from gtp_engine.base.systems import IS_WINDOWS, join_command


@dataclass(frozen=True)
class ClientLine:
    """One client's setting."""

    client: str
    place: str  # where the line goes
    arguments: tuple[str, ...] = ()  # of the subcommand
    form: str = "shell"  # the client's form of the command: shell, exec, split, json, properties or cgos
    subcommand: str = "gtp"

    def text(self, command: list[str], is_windows: bool = IS_WINDOWS) -> str:
        """The line for an engine started by `command`, quoted for the system's clients."""
        words = [*command, self.subcommand, *self.arguments]
        match self.form:
            case "exec":
                return f"exec {join_command(words, is_windows)}"
            case "split":
                return f"{words[0]}   arguments: {join_command(words[1:], is_windows)}"
            case "json":
                return json.dumps(words)
            case "properties":
                return f"engine={' '.join(words)}".replace("\\", "\\\\")  # Java's properties have escapes
            case "cgos":
                return f"CommandLine = {' '.join(words)}"
        return join_command(words, is_windows)


CLIENT_LINES = (
    ClientLine("Sabaki", "Engines > Manage Engines > Add: Path", form="split"),
    ClientLine("GoGui", "Program > New Program: Command"),
    ClientLine("Lizzie", "Settings > Engine: Command", ("--gtp-version", "0.17")),
    ClientLine("LizGoban", 'config.json: "engine_command" and "engine_args"', form="json"),
    ClientLine("KaTrain", "General & Engine Settings (F8): custom command", form="exec", subcommand="analysis"),
    ClientLine("q5Go", "Preferences > Computer Go: Executable", form="split"),
    ClientLine("Kigo", "Settings > Configure Kigo > Backend: Executable, Parameters", form="split"),
    ClientLine("gtp2ogs", "config.json5: bot.command", ("--shared", "--rules", "chinese", "--chat-variation"), "json"),
    ClientLine("kgsGtp", "properties file", (), "properties"),
    ClientLine("CGOS", "configuration of the Python client", ("--rules", "cgos", "--no-resign"), "cgos"),
)


def own_command() -> list[str]:
    """The words of a command that starts this installation from any folder: the checkout's or installed script, or Python with our module.

    For a checkout on Windows it is Python, because the script is a batch file and many clients only start programs.
    """
    checkout = Path(__file__).resolve().parents[3]
    python = Path(sys.executable)
    script = checkout / "scripts" / "gtp-engine"
    if not IS_WINDOWS and script.is_file() and python.is_relative_to(checkout):
        return [str(script)]
    installed = python.with_name("gtp-engine.exe" if IS_WINDOWS else "gtp-engine")
    return [str(installed)] if installed.is_file() else list(OWN_COMMAND)
