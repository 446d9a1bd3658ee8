"""Options of `gtp-engine gtp`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import add_options
from gtp_engine.cli.parser import hide

HELP = "speak GTP on stdin and stdout (the default)"
DESCRIPTION = "Speak GTP on stdin and stdout."
EXAMPLES = """examples:
  gtp-engine gtp --seconds 5                     five seconds a move, if the client sends no clock
  gtp-engine gtp --visits 1000 --seed 1 --threads 1     the same moves every time
  gtp-engine gtp --rules japanese --komi 6.5     for clients that send neither rules nor komi
  gtp-engine gtp --no-resign                     play every game to its end
  gtp-engine gtp --level 5                       an opponent for learners, as strong on every machine
  gtp-engine gtp --rank 12k                      play like a person of 12 kyu (learned on 9x9)
  gtp-engine gtp --rank 12k --human-time         the same, and think about as long as a person
  gtp-engine gtp --player minimax                a simple player from docs/how-it-works.md
  gtp-engine gtp --log auto                      write a log; `gtp-engine doctor` says where
  gtp-engine gtp --shared                        one process for all clients that use this option, to save memory
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    hide(
        parser.add_argument(
            "--shared", action="store_true", help="let one process play for all clients that use this option: docs/servers.md"
        )
    )
    parser.add_argument("--host", type=Path, help=argparse.SUPPRESS)  # run as the host for clients of this socket
    add_options(parser)
