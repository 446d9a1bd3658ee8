"""Options of `gtp-engine train suite`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import positive
from gtp_engine.cli.options.train_agreement import EXAMPLES as EXAMPLES
from gtp_engine.cli.options.train_label import add_teacher
from gtp_engine.cli.options.training import add_records_options, add_seed

HELP = "make a suite for train agreement; needs no extra"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train suite`."""
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORDS", help="SGF files and folders of them, or record files")
    add_teacher(parser)
    parser.add_argument("--output", type=Path, default=Path("suite.jsonl"), metavar="FILE", help="file to write (default: %(default)s)")
    parser.add_argument("--positions", type=positive(int), default=60, metavar="N", help="how many positions (default: %(default)s)")
    add_seed(parser)
    add_records_options(parser)
