"""`gtp-engine train rank-network`, `ranks` and `quantize`: the network that knows how people of every rank play on 9x9."""

import argparse
import json
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.options import positive
from gtp_engine.cli.train_network import settings_of
from gtp_engine.cli.train_options import (
    HELD_OUT,
    add_common,
    add_folder,
    add_held_out,
    add_length,
    add_shares,
    add_steps,
)
from gtp_engine.cli.train_sources import all_records_of, owned, records_of, tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training import TrainingError

if TYPE_CHECKING:
    from gtp_engine.learning.training.ranks.run import RankSource

HOLD = 0.35  # of the run, until which the highest rate is held
REPORT_GAMES = 50  # games between two lines of `train ranks`
# shares of the games that are held out at most: of the first source, and of the others, small ones among them
HELD_OUT_OF_FIRST, HELD_OUT_OF_OTHERS = 0.5, 0.1

EXAMPLES = """examples:
  gtp-engine train rank-network ogs-9x9.npz.xz --folder run --time 2h     learn how people of every rank play, from games that tell ranks
  gtp-engine train rank-network ogs-9x9.npz.xz --folder more --from run/network.onnx --rate 0.5   a little longer
  gtp-engine train ranks ogs-9x9.npz.xz --network run/network.onnx        measure it
  gtp-engine train quantize run/network.onnx ogs-9x9.npz.xz fast.onnx     the same in 8 bits: twice as fast
"""


def add_rank_actions(actions: Any) -> None:
    """Add what has to do with the network of ranks to `train`."""
    add_rank_network(actions.add_parser("rank-network", help="learn how people of every rank play", epilog=EXAMPLES))
    add_ranks(actions.add_parser("ranks", help="measure how well a network knows how people of every rank play", epilog=EXAMPLES))
    add_quantize(actions.add_parser("quantize", help="make a network of ranks compute in 8 bits: twice as fast", epilog=EXAMPLES))


def add_rank_network(parser: argparse.ArgumentParser) -> None:
    """The options of `train rank-network`."""
    parser.add_argument(
        "games", type=Path, nargs="+", metavar="GAMES", help="SGF files with ranks, folders of them, or record files with ranks"
    )
    add_folder(parser)
    add_shares(parser, "record files")
    add_held_out(parser)
    add_length(parser)
    parser.add_argument("--blocks", type=positive(int), default=6, metavar="N", help="residual blocks of the network (default: 6)")
    parser.add_argument("--channels", type=positive(int), default=64, metavar="N", help="channels of each block (default: 64)")
    parser.add_argument("--from", type=Path, dest="start", metavar="FILE", help="begin with this network of ranks (ONNX), of the same size")
    add_steps(parser)
    add_common(parser)


def add_ranks(parser: argparse.ArgumentParser) -> None:
    """The options of `train ranks`."""
    parser.add_argument("records", type=Path, metavar="RECORDS", help="a record file with ranks")
    parser.add_argument("--network", type=Path, metavar="FILE", help="ONNX file (default: the included network)")
    parser.add_argument(
        "--games", type=positive(int), default=HELD_OUT, metavar="N", help="measure with the last N games (default: %(default)s)"
    )
    parser.add_argument(
        "--positions", type=positive(int), default=16_384, metavar="N", help="how many random positions of them (default: %(default)s)"
    )
    parser.add_argument(
        "--told", type=positive(int), default=200, metavar="N", help="estimate the players' ranks in this many games (default: %(default)s)"
    )
    add_common(parser)


def add_quantize(parser: argparse.ArgumentParser) -> None:
    """The options of `train quantize`."""
    parser.add_argument("network", type=Path, metavar="NETWORK", help="ONNX file that train rank-network wrote")
    parser.add_argument("records", type=Path, metavar="RECORDS", help="games for the ranges of its activations, and to measure it")
    parser.add_argument("quantized", type=Path, metavar="QUANTIZED", help="ONNX file to write")
    parser.add_argument("--samples", type=positive(int), default=512, metavar="N", help="positions for the ranges (default: 512)")
    parser.add_argument("--positions", type=positive(int), default=4096, metavar="N", help="positions to measure with (default: 4096)")
    add_held_out(parser)
    add_common(parser)


def teach_ranks(args: argparse.Namespace) -> None:
    """`train rank-network`. Raises ConfigError, TrainingError, OSError."""
    from gtp_engine.learning.training.ranks.model import Size
    from gtp_engine.learning.training.ranks.run import RankRun

    settings = settings_of(args, HOLD)  # a wrong option is told before the records are read
    sources = rank_sources(args)
    args.folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill saves like Ctrl-C
    with ProgressLine("train") as progress:
        run = RankRun(args.folder, Size(args.blocks, args.channels), sources, settings, progress.note)
        if args.start:
            run.start_from(args.start)
        run.run(progress.show)


def rank_sources(args: argparse.Namespace) -> "list[RankSource]":
    """The games between persons of known ranks. Raises ConfigError where there are none."""
    from gtp_engine.learning.training.ranks.run import RankSource

    every = all_records_of(args, args.games)
    if args.shares and len(args.shares) != len(every):
        raise ConfigError(f"--shares has {len(args.shares)} numbers, and there are {len(every)} sources; name one for each record file")
    sources = []
    for i, (path, records) in enumerate(zip(args.games, every, strict=False)):
        records = owned(args, path, records).of_persons()
        tell(f"{path.name}: {len(records):,} games are between persons of known ranks")
        if not len(records):
            raise ConfigError(f"{path} has no game between persons of known ranks")
        held_out = min(args.held_out, int(len(records) * (HELD_OUT_OF_FIRST if i == 0 else HELD_OUT_OF_OTHERS)))
        first = len(records) - held_out
        sources.append(RankSource(path.name, records.games(0, first), records.games(first, len(records))))
    return sources


def measure_ranks(args: argparse.Namespace) -> None:
    """`train ranks`. Raises ConfigError, TrainingError."""
    from gtp_engine.engine.network.formats import format_of
    from gtp_engine.engine.network.loading import RANKS
    from gtp_engine.learning.training.ranks.accuracy import open_exported
    from gtp_engine.learning.training.ranks.rank_accuracy import judge_moves, judge_told

    path = args.network or RANKS
    predict, _ = open_exported(path, args.threads)
    records = records_of(args, [args.records])
    if records.ranks is None:
        raise TrainingError(f"{args.records} has no ranks")
    last = records.games(max(len(records) - args.games, 0), len(records)).of_persons()
    for found in judge_moves(predict, last, args.positions):
        print(json.dumps(found.__dict__))
    network = format_of(path).load(path, SearchParams(threads=1))
    told = judge_told(network, last, args.told, lambda done: tell(f"{done} of {args.told} games") if done % REPORT_GAMES == 0 else None)
    print(json.dumps(told.__dict__))


def quantize(args: argparse.Namespace) -> None:
    """`train quantize`. Raises ConfigError, TrainingError, OSError."""
    from gtp_engine.learning.training.ranks.quantize import quantize as write_quantized

    records = records_of(args, [args.records])
    held_out = min(args.held_out, len(records) // 2)
    samples, last = records.games(0, len(records) - held_out), records.games(len(records) - held_out, len(records))
    found = write_quantized(args.network, args.quantized, samples, args.samples, last, args.positions, args.threads)
    before, after = found.before, found.after
    tell(f"top-1 {before.top1:.1%} before, {after.top1:.1%} now; nll {before.nll:.3f} before, {after.nll:.3f} now")
    tell(f"wrote {args.quantized}")
