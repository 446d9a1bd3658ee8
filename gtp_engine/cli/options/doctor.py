"""Options of `gtp-engine doctor`."""

import argparse

HELP = "check this installation, and print the settings for each client"
DESCRIPTION = "Check the installation from Python to the GTP handshake, and print a line for each client."
EXAMPLES = """examples:
  gtp-engine doctor            every check and a line for each client
  gtp-engine doctor --lines    the lines only
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("--lines", action="store_true", help="print the lines for clients without checking anything")
