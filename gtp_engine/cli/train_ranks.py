"""`gtp-engine train ranks`: how well a network predicts the moves of people by rank."""

import argparse
import json
from pathlib import Path
from typing import Any

from gtp_engine.cli.options import positive
from gtp_engine.cli.train_options import HELD_OUT, add_common
from gtp_engine.cli.train_sources import records_of, tell
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training import TrainingError

REPORT_GAMES = 50  # games between lines

EXAMPLES = """examples:
  gtp-engine train ranks ogs-9x9.npz.xz                                     measure the included network
  gtp-engine train ranks ogs-9x9.npz.xz --network run/network.bin.gz        measure one that `train imitation --ranks` wrote
"""


def add_ranks_action(actions: Any) -> None:
    """Add `train ranks`."""
    add_ranks(actions.add_parser("ranks", help="measure how well a network knows how people of every rank play", epilog=EXAMPLES))


def add_ranks(parser: argparse.ArgumentParser) -> None:
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


def measure_ranks(args: argparse.Namespace) -> None:
    """`train ranks`. Raises ConfigError, TrainingError."""
    from gtp_engine.engine.network.loading import RANKS, load_network
    from gtp_engine.learning.training.rank_accuracy import judge_moves, judge_told

    records = records_of(args, [args.records])
    if records.ranks is None:
        raise TrainingError(f"{args.records} has no ranks")
    last = records.games(max(len(records) - args.games, 0), len(records)).of_persons()
    try:
        network = load_network(args.network or RANKS, SearchParams(threads=1))
        for accuracy in judge_moves(network, last, args.positions):
            print(json.dumps(accuracy.__dict__))
    except NetworkError as error:
        raise TrainingError(str(error)) from error
    estimates = judge_told(
        network, last, args.told, lambda done: tell(f"{done} of {args.told} games") if done % REPORT_GAMES == 0 else None
    )
    print(json.dumps(estimates.__dict__))
