"""`gtp-engine version`: prints the version."""

import argparse

from gtp_engine import __version__

HELP = "print the version"
DESCRIPTION = "Print the version."
EXAMPLES = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""


def run(args: argparse.Namespace) -> int:
    """Print the version; always 0."""
    print(f"gtp-engine {__version__}")
    return 0
