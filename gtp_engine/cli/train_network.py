"""`gtp-engine train imitation` (or `distill`) and `evaluate`: trains and measures networks of KataGo's form."""

import argparse
import json
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.base.processors import processors
from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.options import positive
from gtp_engine.cli.train_agreement import judge_of
from gtp_engine.cli.train_options import (
    DEFAULT_TIME,
    add_folder,
    add_least_rank,
    add_length,
    add_records_options,
    add_shares,
    add_steps,
)
from gtp_engine.cli.train_sources import label_sources
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.learning.training.schedule import Schedule

if TYPE_CHECKING:
    from gtp_engine.engine.network.katago.model import Model
    from gtp_engine.learning.training.run import RunSettings

SOURCES = "SGF files and folders of them, record files (.npz, .npz.xz), those of self-play among them, or files that train label wrote"

EXAMPLES = """examples:
  gtp-engine train imitation games/ --new 6x96 --folder run --time 2h      a new network of 6 residual blocks learns from SGF files
  gtp-engine train imitation games/ --folder run --time 2h                 continue after Ctrl-C or a crash
  gtp-engine train distill labels.npz --new 7x96t --folder run             a new transformer of 7 layers learns from a strong network
  gtp-engine train distill labels.npz --new 6x128Rt --folder mixed         nested bottlenecks of residual blocks, and attention between them
  gtp-engine train imitation ogs-9x9.npz.xz labels.npz --shares 1,3 --least-rank 5k --from run/network.bin.gz --folder more --rate 0.3
  gtp-engine train distill labels.npz --from run/network.bin.gz --layers 9 --folder deep   add layers, which have no effect at first
  gtp-engine train distill labels.npz --from run/network.bin.gz --channels 128 --folder wide   add channels in the same way
  gtp-engine train evaluate games/ --network run/network.bin.gz            how often it predicts the moves and winners of held-out games
  gtp-engine networks run/network.bin.gz --convert mine-int8.kata.onnx     in 8 bits, to play with
"""


def add_imitation(parser: argparse.ArgumentParser) -> None:
    """The options of `train imitation`."""
    parser.add_argument("sources", type=Path, nargs="+", metavar="SOURCE", help=SOURCES)
    add_folder(parser)
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--from", type=Path, dest="start", metavar="FILE", help="begin with this network, .bin.gz of KataGo's form")
    start.add_argument(
        "--new",
        metavar="SHAPE",
        help="begin with an untrained network: 6x96 are 6 residual blocks of 96 channels, 7x96t 7 layers of a transformer; letters are the"
        " kinds of layers in turn: r residual, t transformer, R and T a nested bottleneck with two of these, as 9x96rrt",
    )
    parser.add_argument(
        "--layers",
        type=positive(int),
        metavar="N",
        help="first make the network of --from this deep: new layers have no effect until they learn",
    )
    parser.add_argument(
        "--channels",
        type=positive(int),
        metavar="N",
        help="first make the network of --from this wide, with more heads in proportion: new channels have no effect until they learn",
    )
    parser.add_argument(
        "--ranks",
        action="store_true",
        help="learn how people of each rank play, from records with ranks; the network takes the form of KataGo's human networks",
    )
    add_shares(parser, "sources")
    add_least_rank(parser)
    add_length(parser)
    add_steps(parser)
    add_reading(parser)


def add_evaluate(parser: argparse.ArgumentParser) -> None:
    """The options of `train evaluate`."""
    parser.add_argument("sources", type=Path, nargs="+", metavar="SOURCE", help=SOURCES)
    parser.add_argument("--network", type=Path, nargs="+", metavar="FILE", help="the networks to measure (default: the included one)")
    add_least_rank(parser)
    parser.add_argument(
        "--positions",
        type=positive(int),
        default=2048,
        metavar="N",
        help="the largest number of held-out positions of each source and board (default: %(default)s)",
    )
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """The options for reading sources."""
    add_records_options(parser)
    parser.add_argument("--threads", type=positive(int), default=processors(), metavar="N", help="processors to use (default: all)")


def imitate(args: argparse.Namespace) -> None:
    """`train imitation`. Raises ConfigError, TrainingError, OSError."""
    from gtp_engine.learning.training.katago.run import KataRun

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


def is_human(start: "Model | None", folder: Path) -> bool:
    """Is the network told of ranks? `start`: it at the start; None: the folder has it. Raises TrainingError."""
    from gtp_engine.learning.training.katago.run import START, trainable

    return (start or trainable(folder / START)).header.has_metadata


def settings_of(args: argparse.Namespace, hold: float = 0.0) -> "RunSettings":
    """The settings of the run; `hold`: see Schedule. Raises TrainingError for a missing device."""
    from gtp_engine.learning.training.devices import best_device, best_precision
    from gtp_engine.learning.training.run import RunSettings

    seconds = 0.0 if args.positions else args.time or DEFAULT_TIME
    device = best_device(args.device)
    precision = args.precision or best_precision(device)
    schedule = Schedule(seconds, args.positions, hold=hold, highest=args.rate)
    shares = tuple(args.shares)
    return RunSettings(schedule, args.batch, args.seed, args.threads, device, precision, shares, measure_every=args.measure_every)


def start_of(args: argparse.Namespace) -> "Model | None":
    """The first network; None if the folder has a checkpoint. Raises ConfigError, TrainingError."""
    from gtp_engine.learning.training.katago.layers import for_ranks
    from gtp_engine.learning.training.run import CHECKPOINT

    if (args.folder / CHECKPOINT).exists():
        return None
    model = shaped(args)
    return for_ranks(model, args.seed) if args.ranks else model


def shaped(args: argparse.Namespace) -> "Model":
    """The network of --from or --new. Raises ConfigError, TrainingError."""
    from gtp_engine.learning.training.katago.channels import wider
    from gtp_engine.learning.training.katago.layers import deeper
    from gtp_engine.learning.training.katago.new_model import new_model, read_shape
    from gtp_engine.learning.training.katago.run import trainable

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


def evaluate(args: argparse.Namespace) -> None:
    """`train evaluate`: a line of JSON for each network. Raises ConfigError, TrainingError."""
    from gtp_engine.engine.network.loading import shipped_network
    from gtp_engine.learning.training.katago.figures import held_out_labels, label_figures

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
