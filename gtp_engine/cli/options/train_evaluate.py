"""Options of `gtp-engine train evaluate`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import positive
from gtp_engine.cli.options.train_imitation import EXAMPLES as EXAMPLES
from gtp_engine.cli.options.training import SOURCES, add_least_rank, add_reading

HELP = "measure networks on held-out games or labels; needs no extra"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train evaluate`."""
    parser.add_argument("sources", type=Path, nargs="+", metavar="SOURCE", help=SOURCES)
    parser.add_argument("--network", type=Path, nargs="+", metavar="FILE", help="the networks to measure (default: the included one)")
    add_least_rank(parser)
    parser.add_argument(
        "--positions",
        type=positive(int),
        default=2048,
        metavar="N",
        help="the largest number of held-out positions of each source and board (default: %(default)s)",
    )
    add_reading(parser)
