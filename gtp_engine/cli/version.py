"""`gtp-engine version`: prints the version."""

import argparse
from typing import Any

from gtp_engine import __version__


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    subparsers.add_parser("version", help="print the version", description="Print the version.")


def run(args: argparse.Namespace) -> int:
    """Print the version; always 0."""
    print(f"gtp-engine {__version__}")
    return 0
