"""`gtp-engine version`: prints the version."""

import argparse

from gtp_engine import __version__


def run(args: argparse.Namespace) -> int:
    """Print the version; always 0."""
    print(f"gtp-engine {__version__}")
    return 0
