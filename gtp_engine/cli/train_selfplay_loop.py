"""`gtp-engine train selfplay` without `--games-only`: generations of games and of networks that learn from them."""

import argparse

from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.options.jobs import place_of
from gtp_engine.cli.train_selfplay_games import board_plans
from gtp_engine.cli.train_sources import label_sources, tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.learning.selfplay.gate import GatePlan
from gtp_engine.learning.selfplay.learn import LearningPlan
from gtp_engine.learning.selfplay.loop import Loop, LoopPlan
from gtp_engine.learning.selfplay.start import network_to_train
from gtp_engine.learning.training.devices import best_device, best_precision
from gtp_engine.learning.training.katago.run import trainable

USUAL_RATE = 1.0  # of learning, for an untrained network


def iterate(args: argparse.Namespace) -> None:
    """All generations."""
    args.folder.mkdir(parents=True, exist_ok=True)
    with ProgressLine("train") as progress:
        Loop(loop_plan(args), args.folder, place_of(args), progress).run()
    tell(f"finished; {args.folder / 'selfplay.md'} has the figures")


def loop_plan(args: argparse.Namespace) -> LoopPlan:
    """The plan of the run. Raises ConfigError, SelfplayError, TrainingError."""
    boards = board_plans(args)
    network = boards[0].network
    start = args.start or network_to_train(network)
    trainable(start)  # reports a wrong one before any game
    if args.shares and len(args.shares) != 1 + len(args.records):
        raise ConfigError(f"--shares has {len(args.shares)} numbers; name one for self-play, and one for each of --records")
    device = best_device(args.device)
    precision = args.precision or best_precision(device)
    rate = args.rate or (USUAL_RATE if args.new else LearningPlan.rate)
    learning = LearningPlan(args.positions, rate, args.batch, args.shares, args.threads, device, precision, args.seed)
    records = argparse.Namespace(**{**vars(args), "sources": args.records})
    sources = tuple(label_sources(records)) if args.records else ()
    gate = GatePlan(args.gate_visits, args.gate_games, *args.sprt)
    return LoopPlan(boards, start, args.generations, sources, learning, gate, args.reanalyze)
