"""`gtp-engine train mean`: the mean of networks."""

import argparse

from gtp_engine.cli.train_sources import tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.katago.file_names import BINARY
from gtp_engine.engine.network.katago.writer import write_model
from gtp_engine.learning.training.katago.mean import Member, mean_of_files


def run(args: argparse.Namespace) -> None:
    """`train mean`. Raises ConfigError, TrainingError, OSError."""
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
