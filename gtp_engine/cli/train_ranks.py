"""`gtp-engine train ranks`: how well a network predicts the moves of people by rank."""

import argparse
import json

from gtp_engine.cli.train_sources import records_of, tell
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.loading import RANKS, load_network
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.rank_accuracy import judge_moves, judge_told

REPORT_GAMES = 50  # games between lines


def run(args: argparse.Namespace) -> None:
    """`train ranks`. Raises ConfigError, TrainingError."""
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
