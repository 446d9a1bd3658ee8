"""A process that times a network while the engine already plays with it, so that the first move doesn't wait."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from gtp_engine.base.systems import end_with_standard_input
from gtp_engine.engine.network.choice import known_speeds
from gtp_engine.engine.search.params import SearchParams

HELPER = "import sys; sys.path.insert(0, sys.argv[1]); from gtp_engine.engine.network.background_timing import run; run(sys.argv[2])"
NICENESS = 10  # where the system supports it: playing goes first


class BackgroundTiming:
    """The timing process, which starts when this is created. It ends when this process ends, for any reason."""

    def __init__(self, network: Path) -> None:
        """`network`: the file to time."""
        command = [sys.executable, "-P", "-c", HELPER, str(Path(__file__).parents[3]), str(network)]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)

    def wait(self) -> None:
        """Wait until it is done."""
        self._process.wait()
        self._process.communicate()


def run(network: str) -> None:
    """The program of the process."""
    end_with_standard_input()
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    known_speeds(Path(network), SearchParams())
