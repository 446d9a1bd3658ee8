"""Options of `gtp-engine train mean`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import argument
from gtp_engine.cli.options.training import read_shares
from gtp_engine.engine.network.katago.file_names import BINARY

HELP = "write the mean of networks of the same shape; needs no extra"
DESCRIPTION = """Write the network whose weights are the means of the weights of several networks of the same shape. The mean of a network
before and after a run of `train imitation --from` often knows more than either about positions unlike those of the run.
The mean of networks that didn't begin as the same one is of no use. Measure the result with `train evaluate`.
"""
EXAMPLES = """examples:
  gtp-engine train mean run/start.bin.gz run/network.bin.gz --output mean.bin.gz          the network before and after a run
  gtp-engine train mean a.bin.gz b.bin.gz --weights 85,15 --output mean.bin.gz            85 % of the first and 15 % of the second
  gtp-engine train evaluate labels.npz --network a.bin.gz b.bin.gz mean.bin.gz            which is best?
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train mean`."""
    parser.add_argument("networks", type=Path, nargs="+", metavar="FILE", help="networks of KataGo's form, .bin.gz, two or more")
    parser.add_argument(
        "--weights", type=argument(read_shares), metavar="N,N", help="how much each network counts, such as 85,15 (default: all the same)"
    )
    parser.add_argument(
        "--output", type=Path, default=Path(f"mean{BINARY}"), metavar="FILE", help="the file to write (default: %(default)s)"
    )
