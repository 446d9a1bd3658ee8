"""`gtp-engine train`: teach a network from game records, measure one, export one."""

import argparse
import importlib.util
import json
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine.cli.options import argument, number_argument
from gtp_engine.config.sources import ConfigError

if TYPE_CHECKING:
    from gtp_engine.training.records import Records
    from gtp_engine.training.trainer import Settings

INTERRUPTED = 130  # exit status after Ctrl-C, as shells have it
HELD_OUT = 4000  # games at the end of the records
DEFAULT_TIME = 7200.0  # seconds
BOTH = ("onnx", "torch")
NEEDED = {"imitation": BOTH, "export": BOTH, "average": BOTH, "quantize": ("onnx",)}  # of the extra, by action
REPORT_FILES = 10_000  # SGF files between two lines
UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}

EXAMPLES = """examples:
  gtp-engine train imitation games/ --folder run --time 2h           from a folder of SGF files
  gtp-engine train imitation tygem-9d.npz.xz --folder run --time 2h  from a compact record file
  gtp-engine train imitation games/ --folder run                     go on after a crash, with the same options
  gtp-engine train imitation games/ --folder more --from run/network.onnx --channels 96 --time 8h
  gtp-engine train imitation games/ --folder more --from run/network.onnx --rate 0.5   the same size, a little longer
  gtp-engine train evaluate tygem-9d.npz.xz --network run/network.onnx
  gtp-engine train export run/checkpoint.pt network.onnx
  gtp-engine train average run/network.onnx more/network.onnx tygem-9d.npz.xz mean.onnx  often better than both
  gtp-engine train quantize run/network.onnx tygem-9d.npz.xz fast.onnx  the same in 8 bits: twice as fast
  gtp-engine train move-model tygem-9d.npz.xz strong_players.npz    fit the move model
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    parser = subparsers.add_parser(
        "train",
        help="teach a network from game records",
        description="Teach a network, or the move model, from game records. For a network, install first: pip install 'gtp-engine[train]'.",
        epilog=EXAMPLES,
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    add_imitation(actions.add_parser("imitation", help="learn from records", epilog=EXAMPLES))
    evaluate = actions.add_parser("evaluate", help="measure a network on records, as one line of JSON", epilog=EXAMPLES)
    evaluate.add_argument("records", type=Path, metavar="RECORDS", help="a folder of SGF files, or a record file (.npz, .npz.xz)")
    evaluate.add_argument("--network", type=Path, metavar="FILE", help="ONNX file (default: the network that is included)")
    evaluate.add_argument(
        "--games", type=positive(int), default=HELD_OUT, metavar="N", help=f"measure with the last N games (default: {HELD_OUT})"
    )
    evaluate.add_argument(
        "--positions", type=positive(int), default=16_384, metavar="N", help="how many random positions of them (default: 16384)"
    )
    add_common(evaluate)
    export = actions.add_parser("export", help="make a network to play with from a checkpoint", epilog=EXAMPLES)
    export.add_argument("checkpoint", type=Path, metavar="CHECKPOINT", help="checkpoint.pt of a training folder")
    export.add_argument("network", type=Path, metavar="NETWORK", help="ONNX file to write")
    export.add_argument("--data", default="unknown", metavar="TEXT", help="what it learned from, for the file's description")
    add_average(actions.add_parser("average", help="average the weights of networks from the same start", epilog=EXAMPLES))
    add_quantize(actions.add_parser("quantize", help="make a network compute in 8 bits: twice as fast", epilog=EXAMPLES))
    model = actions.add_parser("move-model", help="fit the move model to records; needs no extra", epilog=EXAMPLES)
    model.add_argument("records", type=Path, metavar="RECORDS", help="a folder of SGF files, or a record file (.npz, .npz.xz)")
    model.add_argument("model", type=Path, metavar="MODEL", help="file to write; gtp_engine/move_model/strong_players.npz is the engine's")
    model.add_argument("--games", type=positive(int), default=40_000, metavar="N", help="learn from the first N games (default: 40000)")
    model.add_argument("--held-out", type=positive(int), default=1000, metavar="N", help="measure with the last N games (default: 1000)")
    add_common(model)


def add_imitation(parser: argparse.ArgumentParser) -> None:
    """The options of `train imitation`."""
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="SGF files and folders of them, or one record file")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("training"),
        metavar="FOLDER",
        help="the folder for checkpoints, network and log (default: training)",
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--time", type=argument(read_time), default=0.0, metavar="TIME", help="how long to train, as 90s, 30m or 2h (default: 2h)"
    )
    length.add_argument(
        "--positions", type=positive(int), default=0, metavar="N", help="how many positions to learn from, instead of a time"
    )
    parser.add_argument("--blocks", type=positive(int), default=6, metavar="N", help="residual blocks of the network (default: 6)")
    parser.add_argument("--channels", type=positive(int), default=64, metavar="N", help="channels of each block (default: 64)")
    parser.add_argument(
        "--from",
        type=Path,
        dest="start",
        metavar="FILE",
        help="begin with this network (ONNX), made larger if it is smaller than --blocks and --channels",
    )
    parser.add_argument(
        "--rate",
        type=argument(read_share),
        default=1.0,
        metavar="SHARE",
        help="learning rate as a share of the usual one, above 0 and at most 1: 0.5 to go on with a trained network (default: 1)",
    )
    parser.add_argument("--batch", type=positive(int), default=64, metavar="N", help="positions in each step (default: 64)")
    parser.add_argument(
        "--seed",
        type=number_argument(int),
        default=1,
        metavar="N",
        help="seed of the first weights and of the order of the positions (default: 1)",
    )
    parser.add_argument("--device", default="", metavar="NAME", help="cpu or cuda (default: cuda when there is one)")
    parser.add_argument(
        "--precision", choices=("f32", "bf16"), help="numbers for computing the convolutions (default: bf16 where that is faster)"
    )
    parser.add_argument(
        "--held-out",
        type=positive(int),
        default=HELD_OUT,
        metavar="N",
        help=f"the last N games, at most half of all, are not learned from but measured with (default: {HELD_OUT})",
    )
    add_common(parser)


def add_average(parser: argparse.ArgumentParser) -> None:
    """The options of `train average`."""
    parser.add_argument("networks", type=Path, nargs="+", metavar="NETWORK", help="ONNX files that train imitation or train export wrote")
    parser.add_argument("records", type=Path, metavar="RECORDS", help="games to measure them with")
    parser.add_argument("averaged", type=Path, metavar="AVERAGED", help="ONNX file to write")
    parser.add_argument("--positions", type=positive(int), default=4096, metavar="N", help="positions to measure with (default: 4096)")
    parser.add_argument(
        "--held-out",
        type=positive(int),
        default=HELD_OUT,
        metavar="N",
        help="measure with the last N games, at most half of all (default: %(default)s)",
    )
    add_common(parser)


def add_quantize(parser: argparse.ArgumentParser) -> None:
    """The options of `train quantize`."""
    parser.add_argument("network", type=Path, metavar="NETWORK", help="ONNX file that train imitation or train export wrote")
    parser.add_argument("records", type=Path, metavar="RECORDS", help="games to find the ranges of its numbers with, and to measure it")
    parser.add_argument("quantized", type=Path, metavar="QUANTIZED", help="ONNX file to write")
    parser.add_argument("--samples", type=positive(int), default=512, metavar="N", help="positions to find the ranges with (default: 512)")
    parser.add_argument("--positions", type=positive(int), default=4096, metavar="N", help="positions to measure with (default: 4096)")
    parser.add_argument(
        "--held-out",
        type=positive(int),
        default=HELD_OUT,
        metavar="N",
        help="measure with the last N games, at most half of all (default: %(default)s)",
    )
    add_common(parser)


def add_common(parser: argparse.ArgumentParser) -> None:
    """Options of every action that reads records."""
    parser.add_argument("--size", type=int, choices=range(2, 20), default=19, metavar="LINES", help="size of the board (default: 19)")
    parser.add_argument("--threads", type=positive(int), default=os.cpu_count() or 1, metavar="N", help="processors to use (default: all)")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where record files are unpacked (default: the user's cache)")


def positive(number: type[int]) -> Callable[[str], int]:
    """An option's type: a whole number of at least 1."""

    def read(text: str) -> int:
        """The number, or ArgumentTypeError."""
        value: int = number_argument(number)(text)
        if value < 1:
            raise argparse.ArgumentTypeError(f"{text!r} is not at least 1")
        return value

    return read


def read_time(text: str) -> float:
    """`90s`, `30m`, `2h`, `1.5d` or plain seconds, as seconds."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", text)
    seconds = float(match[1]) * UNITS[match[2] or "s"] if match else 0.0
    if not seconds:
        raise ValueError(f"{text!r} is not a time like 90s, 30m or 2h")
    return seconds


def read_share(text: str) -> float:
    """A number above 0 and at most 1."""
    share: float = number_argument(float)(text)
    if not 0.0 < share <= 1.0:
        raise ValueError(f"{text!r} is not above 0 and at most 1")
    return share


def run(args: argparse.Namespace) -> int:
    """Do it; 130 after Ctrl-C, 1 when the disk fails. Raises ConfigError for what is wrong with files and options."""
    from gtp_engine.training import TrainingError

    require(NEEDED.get(args.action, ()))
    try:
        ACTIONS[args.action](args)
    except TrainingError as error:
        raise ConfigError(str(error)) from error
    except OSError as error:
        print(f"gtp-engine train: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def require(packages: tuple[str, ...]) -> None:
    """Raise ConfigError unless these are installed."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise ConfigError(f"{package} is not installed; try pip install 'gtp-engine[train]'")


def tell(text: str) -> None:
    """One line for people."""
    print(f"gtp-engine train: {text}", file=sys.stderr, flush=True)


def imitate(args: argparse.Namespace) -> None:
    """`train imitation`."""
    from gtp_engine.training.display import Display
    from gtp_engine.training.imitation import Imitation

    records = records_of(args, args.games)
    args.folder.mkdir(parents=True, exist_ok=True)
    held_out = min(args.held_out, len(records) // 2)
    data = f"{len(records) - held_out:,} games of {', '.join(path.name for path in args.games)}"
    run = Imitation(args.folder, records, held_out, settings_of(args), data, tell)
    if args.start:
        run.start_from(args.start)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill saves like Ctrl-C
    with Display(run.trainer) as display:
        run.tell = display.tell
        run.run(display.show)


def settings_of(args: argparse.Namespace) -> "Settings":
    """The options of `train imitation` as settings."""
    from gtp_engine.training.model import Size
    from gtp_engine.training.trainer import Schedule, Settings, best_device, best_precision

    seconds = 0.0 if args.positions else args.time or DEFAULT_TIME
    schedule = Schedule(seconds, args.positions, highest=args.rate)
    size, device = Size(args.blocks, args.channels), best_device(args.device)
    return Settings(size, schedule, args.batch, args.seed, args.threads, device, args.precision or best_precision(device))


def evaluate(args: argparse.Namespace) -> None:
    """`train evaluate`."""
    from gtp_engine.training.accuracy import judge, open_exported

    path = args.network or shipped()
    predict, description = open_exported(path, args.threads)
    records = records_of(args, [args.records])
    last = records.games(max(len(records) - args.games, 0), len(records))
    found = judge(predict, last, args.positions)
    phases = {str(phase): accuracy.as_dict() for phase, accuracy in found.by_phase().items()}
    size = f"{description.blocks}x{description.channels}"
    line = {"network": str(path), "size": size, "learned_from": description.positions, "games": len(last)}
    print(json.dumps({**line, **found.overall().as_dict(), "left_out": records.left_out, "by_move_number": phases}))


def export(args: argparse.Namespace) -> None:
    """`train export`."""
    from gtp_engine.training.imitation import export_checkpoint

    difference = export_checkpoint(args.checkpoint, args.network, args.data)
    tell(f"wrote {args.network}; onnxruntime and torch agree to {difference:.1e} of the largest output")


def average(args: argparse.Namespace) -> None:
    """`train average`."""
    import torch

    from gtp_engine.training.average import average as write_average

    torch.set_num_threads(args.threads)
    records = records_of(args, [args.records])
    last = records.games(len(records) - min(args.held_out, len(records) // 2), len(records))
    judged = write_average(args.networks, args.averaged, last, args.positions)
    for path, accuracy in zip([*args.networks, args.averaged], judged, strict=True):
        tell(f"{path}: top-1 {accuracy.top1:.1%}, nll {accuracy.nll:.3f}")
    tell(f"wrote {args.averaged}")


def quantize(args: argparse.Namespace) -> None:
    """`train quantize`."""
    from gtp_engine.training.quantize import quantize as write_quantized

    records = records_of(args, [args.records])
    held_out = min(args.held_out, len(records) // 2)
    samples, last = records.games(0, len(records) - held_out), records.games(len(records) - held_out, len(records))
    found = write_quantized(args.network, args.quantized, samples, args.samples, last, args.positions, args.threads)
    before, after = found.before, found.after
    tell(f"top-1 {before.top1:.1%} before, {after.top1:.1%} now; nll {before.nll:.3f} before, {after.nll:.3f} now")
    tell(f"wrote {args.quantized}")


def fit_move_model(args: argparse.Namespace) -> None:
    """`train move-model`."""
    from gtp_engine.move_model.model_file import save_model
    from gtp_engine.training.move_model import Fit, Learner, as_sentence

    if not args.model.parent.is_dir():
        raise ConfigError(f"{args.model.parent} is not a folder: the model could not be written there")
    records = records_of(args, [args.records])
    held_out = min(args.held_out, len(records) // 2)
    games = min(args.games, len(records) - held_out)
    learner = Learner(records.moves, records.lengths, args.size, Fit())
    tell(f"{learner.choose_shapes(games):,} shapes; learns from {games:,} games")
    learner.learn(games, lambda done, sums: tell(f"{done:,} games: {as_sentence(sums)}"))
    tell(f"held out, {held_out:,} games: {as_sentence(learner.run(len(records) - held_out, len(records), 1, 0.0))}")
    save_model(learner.models, args.model)
    tell(f"wrote {args.model}")


ACTIONS = {
    "imitation": imitate,
    "evaluate": evaluate,
    "export": export,
    "average": average,
    "quantize": quantize,
    "move-model": fit_move_model,
}


def records_of(args: argparse.Namespace, paths: list[Path]) -> "Records":
    """The records named, with a word on what was left out."""
    import platformdirs

    from gtp_engine.training.games import read_records

    cache = args.cache or Path(platformdirs.user_cache_dir("gtp_engine", appauthor=False)) / "records"
    tell(f"reads {', '.join(map(str, paths))}")
    records = read_records(paths, args.size, cache, lambda count: tell(f"{count:,} files read") if count % REPORT_FILES == 0 else None)
    tell(f"{len(records):,} games, {len(records.moves):,} moves")
    for reason, count in records.left_out.items():
        tell(f"left out {count:,}: {reason}")
    return records


def shipped() -> Path:
    """The network that is included. Raises ConfigError when there is none."""
    from gtp_engine.network.loading import shipped_network

    path = shipped_network()
    if path is None:
        raise ConfigError("no network comes with this version; name one with --network FILE")
    return path
