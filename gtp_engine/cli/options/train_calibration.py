"""Options of `gtp-engine train calibration`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import positive
from gtp_engine.cli.options.training import add_common, add_held_out

HELP = "compare the engine's win rates and leads with results; needs no extra"
EXAMPLES = """examples:
  gtp-engine train calibration ogs-9x9.npz.xz --diagram 9x9.svg            how often players with a win rate of 70 % win
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train calibration`."""
    parser.add_argument("records", type=Path, metavar="RECORDS", help="a folder of SGF files, or a record file (.npz, .npz.xz)")
    parser.add_argument(
        "--positions", type=positive(int), default=1000, metavar="N", help="positions to measure with, one a game (default: 1000)"
    )
    parser.add_argument(
        "--learned", type=positive(int), default=500, metavar="N", help="positions to fit the multiplier with (default: 500)"
    )
    parser.add_argument("--visits", type=positive(int), default=50, metavar="N", help="simulations for each position (default: 50)")
    add_held_out(parser)
    parser.add_argument("--diagram", type=Path, metavar="FILE", help="write the reliability diagram (SVG)")
    add_common(parser)
