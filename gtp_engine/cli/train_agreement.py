"""`gtp-engine train agreement`: how well a network distinguishes the children of a position, compared with a strong network."""

import argparse
import json
from pathlib import Path

from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training.katago.positions import NetworkJudge
from gtp_engine.learning.training.katago.suite import read_suite, suite_figures

TOGETHER = 16  # positions in a batch


def run(args: argparse.Namespace) -> None:
    """`train agreement`: a line of JSON for each network. Raises ConfigError, TrainingError."""
    suite = read_suite(args.suite)
    judges = [(path, judge_of(path)) for path in args.network]  # reports wrong names before any measurement
    for path, judge in judges:
        print(json.dumps({"network": str(path), **suite_figures(suite, judge).as_dict()}), flush=True)


def judge_of(path: Path) -> NetworkJudge:
    """An open network of any format. Raises ConfigError."""
    try:
        return NetworkJudge(format_of(path).load(path, SearchParams(threads=1)), TOGETHER)
    except NetworkError as error:
        raise ConfigError(str(error)) from error
