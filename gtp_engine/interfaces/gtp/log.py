"""The log of a conversation: all lines with times, and the settings. Never on stdout or in the working directory.

A file that can't be written is a warning on stderr, and the engine plays on.
"""

import logging
import logging.handlers
import platform
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from gtp_engine import __version__
from gtp_engine.engine.config.front_end import log_path

LARGEST, KEPT = 5_000_000, 5  # bytes of a file, and the number of older files kept
LONGEST_LINE = 2_000  # characters: a longer one is cut


class LogHandler(logging.handlers.RotatingFileHandler):
    """Writes the log; an error in writing is reported once."""

    has_failed = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's name
        """Warn, the first time only."""
        if not self.has_failed:
            self.has_failed = True
            print(f"gtp_engine: cannot write the log {self.baseFilename}: {sys.exc_info()[1]}; playing on", file=sys.stderr, flush=True)


def open_log(setting: str, first_lines: Iterable[str]) -> Callable[[str, str], None] | None:
    """A function that writes a direction and a text to the log file of `setting`; None, after a warning, if it can't be opened.

    `first_lines` describe the process; version, Python and platform are written before them.
    """
    path = Path(setting)
    try:
        path = log_path(setting)
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = LogHandler(path, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", errors="replace")
    except OSError as error:
        print(f"gtp_engine: cannot write the log {path}: {error.strerror}; playing on without", file=sys.stderr, flush=True)
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s.%(msecs)03d %(process)d %(message)s", "%Y-%m-%d %H:%M:%S"))
    logger = logging.Logger("gtp_engine.conversation")  # our own, so that no library's configuration touches it
    logger.addHandler(handler)
    for line in [f"gtp_engine {__version__}, Python {platform.python_version()}, {platform.platform()}", *first_lines]:
        logger.info("# %s", line)
    return lambda direction, text: logger.info("%s %s", direction, text.strip("\n").replace("\n", "\n    ")[:LONGEST_LINE])
