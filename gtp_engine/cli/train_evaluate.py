"""`gtp-engine train evaluate`: measures networks on held-out games and labels."""

import argparse
import json

from gtp_engine.cli.train_agreement import judge_of
from gtp_engine.cli.train_sources import label_sources
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.loading import shipped_network
from gtp_engine.learning.training.katago.figures import held_out_labels, label_figures


def run(args: argparse.Namespace) -> None:
    """`train evaluate`: a line of JSON for each network. Raises ConfigError, TrainingError."""
    judges = [(path, judge_of(path)) for path in args.network or []]  # reports wrong names before the records are read
    labels = held_out_labels(label_sources(args), args.positions)
    if not labels:
        raise ConfigError("no game is held out: every tenth of a source is, and here are fewer than ten")
    if not judges:
        size = next(iter(labels.values()))[0].position.size
        path = shipped_network(size)
        if path is None:
            raise ConfigError("no network comes with this version: name one with --network FILE")
        judges = [(path, judge_of(path))]
    for path, judge in judges:
        held_out = {title: label_figures(chosen, judge([label.position for label in chosen])).as_dict() for title, chosen in labels.items()}
        print(json.dumps({"network": str(path), "held_out": held_out}), flush=True)
