"""`gtp-engine train move-model`: fits the move model to records."""

import argparse

from gtp_engine.cli.train_sources import records_of, tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.move_model.model_file import save_model
from gtp_engine.learning.training.move_model import Fit, Learner, as_sentence


def run(args: argparse.Namespace) -> None:
    """`train move-model`."""
    if not args.model.parent.is_dir():
        raise ConfigError(f"{args.model.parent} is not a folder: the model could not be written there")
    records = records_of(args, [args.records])
    held_out = min(args.held_out, len(records) // 2)
    games = min(args.games, len(records) - held_out)
    learner = Learner(records.moves, records.lengths, records.size, Fit())
    tell(f"{learner.choose_shapes(games):,} shapes; learns from {games:,} games")
    learner.learn(games, lambda done, sums: tell(f"{done:,} games: {as_sentence(sums)}"))
    tell(f"held out, {held_out:,} games: {as_sentence(learner.run(len(records) - held_out, len(records), 1, 0.0))}")
    save_model(learner.models, args.model)
    tell(f"wrote {args.model}")
