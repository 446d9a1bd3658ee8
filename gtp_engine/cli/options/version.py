"""Options of `gtp-engine version`."""

import argparse

HELP = "print the version"
DESCRIPTION = "Print the version."
EXAMPLES = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
