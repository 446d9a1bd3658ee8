"""Options of `gtp-engine train ranks`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import positive
from gtp_engine.cli.options.training import HELD_OUT, add_common

HELP = "measure how well a network knows how people of every rank play"
EXAMPLES = """examples:
  gtp-engine train ranks ogs-9x9.npz.xz                                     measure the included network
  gtp-engine train ranks ogs-9x9.npz.xz --network run/network.bin.gz        measure one that `train imitation --ranks` wrote
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train ranks`."""
    parser.add_argument("records", type=Path, metavar="RECORDS", help="a record file with ranks")
    parser.add_argument("--network", type=Path, metavar="FILE", help="a human network (default: the included one)")
    parser.add_argument(
        "--games", type=positive(int), default=HELD_OUT, metavar="N", help="measure with the last N games (default: %(default)s)"
    )
    parser.add_argument(
        "--positions",
        type=positive(int),
        default=16_384,
        metavar="N",
        help="how many positions of them, evenly spread (default: %(default)s)",
    )
    parser.add_argument(
        "--told", type=positive(int), default=200, metavar="N", help="estimate the players' ranks in this many games (default: %(default)s)"
    )
    add_common(parser)
