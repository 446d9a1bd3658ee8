"""What tests of matches share: players that run tests/engines/rows.py, and a look at what they leave behind."""

import sys
import time
from pathlib import Path

from gtp_engine.tools.match.tournament import Player

ROWS = Path(__file__).parent / "engines" / "rows.py"
PATIENCE = 10.0  # seconds until a process must have gone


def rows(name: str, *arguments: object) -> Player:
    """A player that runs tests/engines/rows.py."""
    return Player(name, (sys.executable, "-I", "-S", str(ROWS), *map(str, arguments)))


def processes_with(mark: str) -> list[str]:
    """Command lines of living processes that contain `mark`; for at most PATIENCE seconds waits for them to go."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = path.read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if mark in line:
                found.append(line)
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def quoted(player: Player) -> str:
    """A player's command as one word of a command line."""
    return " ".join(player.command)
