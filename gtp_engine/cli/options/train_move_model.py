"""Options of `gtp-engine train move-model`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import positive
from gtp_engine.cli.options.training import add_common

HELP = "fit the move model to records; needs no extra"
EXAMPLES = """examples:
  gtp-engine train move-model tygem-9d.npz.xz strong_players.npz           fit the move model
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train move-model`."""
    parser.add_argument("records", type=Path, metavar="RECORDS", help="a folder of SGF files, or a record file (.npz, .npz.xz)")
    parser.add_argument(
        "model", type=Path, metavar="MODEL", help="file to write; the engine uses gtp_engine/engine/move_model/strong_players.npz"
    )
    parser.add_argument("--games", type=positive(int), default=40_000, metavar="N", help="learn from the first N games (default: 40000)")
    parser.add_argument("--held-out", type=positive(int), default=1000, metavar="N", help="measure with the last N games (default: 1000)")
    add_common(parser)
