"""`gtp-engine train mean`: the mean of networks."""

import argparse
from pathlib import Path
from typing import Any

from gtp_engine.cli.options import argument
from gtp_engine.cli.train_options import read_shares
from gtp_engine.cli.train_sources import tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.katago.file_names import BINARY

DESCRIPTION = """Write the network whose weights are the means of the weights of several networks of the same shape. The mean of a network
before and after a run of `train imitation --from` often knows more than either about positions unlike those of the run.
The mean of networks that didn't begin as the same one is of no use. Measure the result with `train evaluate`.
"""
EXAMPLES = """examples:
  gtp-engine train mean run/start.bin.gz run/network.bin.gz --output mean.bin.gz          the network before and after a run
  gtp-engine train mean a.bin.gz b.bin.gz --weights 85,15 --output mean.bin.gz            85 % of the first and 15 % of the second
  gtp-engine train evaluate labels.npz --network a.bin.gz b.bin.gz mean.bin.gz            which is best?
"""


def add_mean_action(actions: Any) -> None:
    """Add `train mean`."""
    parser = actions.add_parser(
        "mean", help="write the mean of networks of the same shape; needs no extra", description=DESCRIPTION, epilog=EXAMPLES
    )
    parser.add_argument("networks", type=Path, nargs="+", metavar="FILE", help="networks of KataGo's form, .bin.gz, two or more")
    parser.add_argument(
        "--weights", type=argument(read_shares), metavar="N,N", help="how much each network counts, such as 85,15 (default: all the same)"
    )
    parser.add_argument(
        "--output", type=Path, default=Path(f"mean{BINARY}"), metavar="FILE", help="the file to write (default: %(default)s)"
    )


def write_mean(args: argparse.Namespace) -> None:
    """`train mean`. Raises ConfigError, TrainingError, OSError."""
    from gtp_engine.engine.network.katago.writer import write_model
    from gtp_engine.learning.training.katago.mean import Member, mean_of_files

    weights = args.weights or (1.0,) * len(args.networks)
    if len(args.networks) < 2:
        raise ConfigError("train mean needs two or more networks")
    if len(weights) != len(args.networks):
        raise ConfigError(f"--weights has {len(weights)} numbers, and there are {len(args.networks)} networks")
    if not args.output.name.lower().endswith(BINARY):
        raise ConfigError(f"--output: expected a name that ends in {BINARY}, found {args.output.name}")
    if not args.output.parent.is_dir():
        raise ConfigError(f"{args.output.parent} is not a folder: the mean could not be written there")
    mean = mean_of_files([Member(path, weight) for path, weight in zip(args.networks, weights, strict=True)])
    write_model(args.output, mean)
    tell(f"wrote {args.output}: the mean of {len(weights)} networks")
