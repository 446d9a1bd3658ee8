"""Options of `gtp-engine bench`."""

import argparse
from pathlib import Path

from gtp_engine.base.processors import processors
from gtp_engine.cli.options.shared import argument, read_seconds

HELP = "measure how fast this machine plays"
DESCRIPTION = "Measure playouts, simulations, start-up and memory."
EXAMPLES = """examples:
  gtp-engine bench                     prints a table after about half a minute
  gtp-engine bench --seconds 60        more exact figures
  gtp-engine bench --json              one JSON object, for scripts
  gtp-engine bench --network my.onnx   with a network of your own
  gtp-engine bench --cold              with the first start, which compiles everything: about a minute more

The signature changes when the search behaves differently: a change that should only be faster must keep it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("--seconds", type=argument(read_seconds), default=15.0, metavar="S", help="time for the speeds (default: 15)")
    parser.add_argument(
        "--threads", type=int, choices=range(1, 65), default=processors(), metavar="N", help="most threads to try (default: all)"
    )
    parser.add_argument("--network", type=Path, metavar="FILE", help="the network to measure (default: the included one)")
    parser.add_argument("--cold", action="store_true", help="measure a first start, too, which compiles everything")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
