"""`gtp-engine train imitation`, or `distill`: trains networks of KataGo's form."""

import argparse
import signal
from pathlib import Path

from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.options.training import DEFAULT_TIME
from gtp_engine.cli.train_sources import label_sources
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.katago.model import Model
from gtp_engine.learning.training.devices import best_device, best_precision
from gtp_engine.learning.training.katago.channels import wider
from gtp_engine.learning.training.katago.layers import deeper, for_ranks
from gtp_engine.learning.training.katago.new_model import new_model, read_shape
from gtp_engine.learning.training.katago.run import START, KataRun, trainable
from gtp_engine.learning.training.run import CHECKPOINT, RunSettings
from gtp_engine.learning.training.schedule import Schedule


def run(args: argparse.Namespace) -> None:
    """`train imitation`. Raises ConfigError, TrainingError, OSError."""
    start, settings = start_of(args), settings_of(args)  # reports a wrong option before the records are read
    sources = label_sources(args, by_rank=is_human(start, args.folder))
    if args.shares and len(args.shares) != len(sources):
        raise ConfigError(
            f"--shares has {len(args.shares)} numbers, and there are {len(sources)} sources: a file, or a board of SGF files, each"
        )
    args.folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM saves like Ctrl-C
    with ProgressLine("train") as progress:
        KataRun(args.folder, start, sources, settings, progress.note).run(progress.show)


def is_human(start: Model | None, folder: Path) -> bool:
    """Is the network told of ranks? `start`: it at the start; None: the folder has it. Raises TrainingError."""
    return (start or trainable(folder / START)).header.has_metadata


def settings_of(args: argparse.Namespace, hold: float = 0.0) -> RunSettings:
    """The settings of the run; `hold`: see Schedule. Raises TrainingError for a missing device."""
    seconds = 0.0 if args.positions else args.time or DEFAULT_TIME
    device = best_device(args.device)
    precision = args.precision or best_precision(device)
    schedule = Schedule(seconds, args.positions, hold=hold, highest=args.rate)
    shares = tuple(args.shares)
    return RunSettings(schedule, args.batch, args.seed, args.threads, device, precision, shares, measure_every=args.measure_every)


def start_of(args: argparse.Namespace) -> Model | None:
    """The first network; None if the folder has a checkpoint. Raises ConfigError, TrainingError."""
    if (args.folder / CHECKPOINT).exists():
        return None
    model = shaped(args)
    return for_ranks(model, args.seed) if args.ranks else model


def shaped(args: argparse.Namespace) -> Model:
    """The network of --from or --new. Raises ConfigError, TrainingError."""
    if args.start:
        model = trainable(args.start)
        model = wider(model, args.channels, args.seed) if args.channels else model
        return deeper(model, args.layers) if args.layers else model
    if args.layers or args.channels:
        raise ConfigError("--layers and --channels make the network of --from larger; --new says how large a new one is")
    if not args.new:
        raise ConfigError("say what to begin with: --from FILE, or --new SHAPE, as 6x96 or 7x96t")
    try:
        return new_model(read_shape(args.new), args.new, args.seed)
    except ValueError as error:
        raise ConfigError(f"--new: {error}") from error
