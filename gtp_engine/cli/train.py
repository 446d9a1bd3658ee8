"""`gtp-engine train`: teach a network from game records, measure one, export one."""

import argparse
import json
import signal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine.cli import messages
from gtp_engine.cli.options import positive
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.selfplay import selfplay
from gtp_engine.cli.selfplay_options import EXAMPLES as SELFPLAY_EXAMPLES
from gtp_engine.cli.selfplay_options import add_selfplay
from gtp_engine.cli.train_agreement import TEACHING, add_teaching
from gtp_engine.cli.train_options import (
    add_average,
    add_calibration,
    add_common,
    add_evaluate,
    add_imitation,
    add_quantize,
    add_ranks,
    read_size,
    teacher_of,
)
from gtp_engine.cli.train_records import EXAMPLES as RECORDS_EXAMPLES
from gtp_engine.cli.train_records import add_records_action, write_records
from gtp_engine.cli.train_sources import BOTH, give_torch_a_folder, included, owned_alone, records_of, require, sources_of
from gtp_engine.engine.config.sources import ConfigError

if TYPE_CHECKING:
    from gtp_engine.learning.training.records import Records
    from gtp_engine.learning.training.trainer import Settings

DEFAULT_TIME = 7200.0  # seconds
NEEDED = {"imitation": BOTH, "export": BOTH, "average": BOTH, "quantize": ("onnx",), "distill": ("torch",)}  # of the extra, by action
REPORT_POSITIONS = 100  # searched positions between two lines
CALIBRATION_SEED = 2026  # the same positions every time
REPORT_GAMES = 50  # games between two lines of `train ranks`
tell = partial(messages.tell, "train")

EXAMPLES = """examples:
  gtp-engine train imitation games/ --folder run --time 2h           from a folder of SGF files
  gtp-engine train imitation tygem-9d.npz.xz --folder run --time 2h  from a compact record file
  gtp-engine train imitation ogs-9x9.npz.xz tygem-9d.npz.xz --shares 3,1 --least-rank 5k --folder small   boards of two sizes
  gtp-engine train imitation games/ --folder run                     go on after a crash, with the same options
  gtp-engine train imitation games/ --folder more --from run/network.onnx --channels 96 --time 8h
  gtp-engine train imitation games/ --folder more --from run/network.onnx --rate 0.5   the same size, a little longer
  gtp-engine train imitation games/ --folder taught --from run/network.onnx --teacher 10x128   a larger one learns beside it and teaches it
  gtp-engine train evaluate tygem-9d.npz.xz --network run/network.onnx
  gtp-engine train ranks ogs-9x9.npz.xz --network run/network.onnx
  gtp-engine train export run/checkpoint.pt network.onnx
  gtp-engine train average run/network.onnx more/network.onnx tygem-9d.npz.xz mean.onnx  often better than both
  gtp-engine train quantize run/network.onnx tygem-9d.npz.xz fast.onnx  the same in 8 bits: twice as fast
  gtp-engine train calibration ogs-9x9.npz.xz --diagram 9x9.svg     how often a win rate of 70 % is won
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
    add_evaluate(actions.add_parser("evaluate", help="measure a network on records, as one line of JSON", epilog=EXAMPLES))
    export = actions.add_parser("export", help="make a network to play with from a checkpoint", epilog=EXAMPLES)
    export.add_argument("checkpoint", type=Path, metavar="CHECKPOINT", help="checkpoint.pt of a training folder")
    export.add_argument("network", type=Path, metavar="NETWORK", help="ONNX file to write")
    export.add_argument("--data", default="unknown", metavar="TEXT", help="what it learned from, for the file's description")
    add_ranks(actions.add_parser("ranks", help="measure how well a network knows how people of every rank play", epilog=EXAMPLES))
    add_average(actions.add_parser("average", help="average the weights of networks from the same start", epilog=EXAMPLES))
    add_quantize(actions.add_parser("quantize", help="make a network compute in 8 bits: twice as fast", epilog=EXAMPLES))
    add_calibration(
        actions.add_parser("calibration", help="compare the engine's win rates and leads with results; needs no extra", epilog=EXAMPLES)
    )
    add_records_action(
        actions.add_parser("records", help="write SGF files as one compact record file; needs no extra", epilog=RECORDS_EXAMPLES)
    )
    add_teaching(actions)
    add_selfplay(actions.add_parser("selfplay", help="let a network play itself, and learn from that", epilog=SELFPLAY_EXAMPLES))
    model = actions.add_parser("move-model", help="fit the move model to records; needs no extra", epilog=EXAMPLES)
    model.add_argument("records", type=Path, metavar="RECORDS", help="a folder of SGF files, or a record file (.npz, .npz.xz)")
    model.add_argument(
        "model", type=Path, metavar="MODEL", help="file to write; gtp_engine/engine/move_model/strong_players.npz is the engine's"
    )
    model.add_argument("--games", type=positive(int), default=40_000, metavar="N", help="learn from the first N games (default: 40000)")
    model.add_argument("--held-out", type=positive(int), default=1000, metavar="N", help="measure with the last N games (default: 1000)")
    add_common(model)


def run(args: argparse.Namespace) -> int:
    """Do it; 130 after Ctrl-C, 1 when the disk fails. Raises ConfigError for what is wrong with files and options."""
    from gtp_engine.learning.training import TrainingError

    require(NEEDED.get(args.action, ()))
    if "torch" in NEEDED.get(args.action, ()):
        give_torch_a_folder()
    try:
        ACTIONS[args.action](args)
    except TrainingError as error:
        raise ConfigError(str(error)) from error
    except OSError as error:
        tell(str(error))
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def imitate(args: argparse.Namespace) -> None:
    """`train imitation`."""
    from gtp_engine.learning.training.display import Display
    from gtp_engine.learning.training.imitation import Imitation

    settings = settings_of(args)  # a wrong option is told before the records are read
    sources = sources_of(args)
    args.folder.mkdir(parents=True, exist_ok=True)
    data = f"{sum(len(source.learned) for source in sources):,} games of {', '.join(path.name for path in args.games)}"
    run = Imitation(args.folder, sources, settings, data, tell)
    if args.start:
        run.start_from(args.start)
    teacher_start = args.start if args.teacher is None or read_size(args.teacher) else Path(args.teacher)
    if teacher_start:
        run.start_teacher_from(teacher_start)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill saves like Ctrl-C
    with Display(run.trainer) as display:
        run.tell = display.tell
        run.run(display.show)


def settings_of(args: argparse.Namespace) -> "Settings":
    """The options of `train imitation` as settings."""
    from gtp_engine.learning.training.model import Size
    from gtp_engine.learning.training.trainer import Schedule, Settings, best_device, best_precision

    seconds = 0.0 if args.positions else args.time or DEFAULT_TIME
    schedule = Schedule(seconds, args.positions, highest=args.rate)
    size, device = Size(args.blocks, args.channels, args.ranks), best_device(args.device)
    precision = args.precision or best_precision(device)
    return Settings(size, schedule, args.batch, args.seed, args.threads, device, precision, tuple(args.shares), teacher_of(args))


def evaluate(args: argparse.Namespace) -> None:
    """`train evaluate`."""
    from gtp_engine.learning.training.accuracy import judge, open_exported

    named = open_exported(args.network, args.threads) if args.network else None  # a wrong name is told before the records are read
    records = records_of(args, [args.records])
    path = args.network or included()
    predict, description = named or open_exported(path, args.threads)
    last = owned_alone(chosen_games(records.games(max(len(records) - args.games, 0), len(records)), args), args.threads)
    found = judge(predict, last, args.positions)
    phases = {str(phase): accuracy.as_dict() for phase, accuracy in found.by_phase().items()}
    size = f"{description.blocks}x{description.channels}"
    line = {"network": str(path), "size": size, "learned_from": description.positions, "games": len(last)}
    parts = {"at_move_30": found.at_move(30), "at_the_end": found.at_the_end()}
    some = {name: accuracy.as_dict() for name, accuracy in parts.items() if accuracy}
    print(json.dumps({**line, **found.overall().as_dict(), "left_out": records.left_out, "by_move_number": phases, **some}))


def chosen_games(records: "Records", args: argparse.Namespace) -> "Records":
    """Those that `train evaluate` was asked for. Raises ConfigError when there are none."""
    from gtp_engine.learning.training.records import RESIGNED

    if args.least_rank is not None:
        records = records.at_least(args.least_rank)
    if args.counted:
        records = records.only(records.margin != RESIGNED)
    if not len(records):
        raise ConfigError(f"none of the last {args.games:,} games is one of those asked for; take more with --games")
    return records


def measure_ranks(args: argparse.Namespace) -> None:
    """`train ranks`."""
    from gtp_engine.engine.network.formats import format_of
    from gtp_engine.engine.network.loading import RANKS
    from gtp_engine.engine.search.params import SearchParams
    from gtp_engine.learning.training import TrainingError
    from gtp_engine.learning.training.accuracy import open_exported
    from gtp_engine.learning.training.rank_accuracy import judge_moves, judge_told

    path = args.network or RANKS
    predict, description = open_exported(path, args.threads)
    if not description.ranks:
        raise ConfigError(f"{path}: this network is not told ranks; make one with train imitation --ranks")
    records = records_of(args, [args.records])
    if records.ranks is None:
        raise TrainingError(f"{args.records} tells no ranks")
    last = records.games(max(len(records) - args.games, 0), len(records)).of_persons()
    for found in judge_moves(predict, last, args.positions):
        print(json.dumps(found.__dict__))
    network = format_of(path).load(path, SearchParams(threads=1))
    told = judge_told(network, last, args.told, lambda done: tell(f"{done} of {args.told} games") if done % REPORT_GAMES == 0 else None)
    print(json.dumps(told.__dict__))


def export(args: argparse.Namespace) -> None:
    """`train export`."""
    from gtp_engine.learning.training.imitation import export_checkpoint

    difference = export_checkpoint(args.checkpoint, args.network, args.data)
    tell(f"wrote {args.network}; onnxruntime and torch agree to {difference:.1e} of the largest output")


def average(args: argparse.Namespace) -> None:
    """`train average`."""
    import torch

    from gtp_engine.learning.training.average import average as write_average

    torch.set_num_threads(args.threads)
    records = records_of(args, [args.records])
    last = records.games(len(records) - min(args.held_out, len(records) // 2), len(records))
    judged = write_average(args.networks, args.averaged, last, args.positions)
    for path, accuracy in zip([*args.networks, args.averaged], judged, strict=True):
        tell(f"{path}: top-1 {accuracy.top1:.1%}, nll {accuracy.nll:.3f}")
    tell(f"wrote {args.averaged}")


def quantize(args: argparse.Namespace) -> None:
    """`train quantize`."""
    from gtp_engine.learning.training.quantize import quantize as write_quantized

    records = records_of(args, [args.records])
    held_out = min(args.held_out, len(records) // 2)
    samples, last = records.games(0, len(records) - held_out), records.games(len(records) - held_out, len(records))
    found = write_quantized(args.network, args.quantized, samples, args.samples, last, args.positions, args.threads)
    before, after = found.before, found.after
    tell(f"top-1 {before.top1:.1%} before, {after.top1:.1%} now; nll {before.nll:.3f} before, {after.nll:.3f} now")
    tell(f"wrote {args.quantized}")


def calibrate(args: argparse.Namespace) -> None:
    """`train calibration`."""
    from gtp_engine.learning.training.calibration import CalibrationPlan, as_table, collect, draw_reliability, fit

    records = records_of(args, [args.records])
    held_out = min(args.held_out, len(records) // 2)
    first = len(records) - held_out

    def step(done: int) -> None:
        if done % REPORT_POSITIONS == 0:
            tell(f"{done:,} positions")

    learned = collect(records.games(0, first), CalibrationPlan(args.learned, args.visits, CALIBRATION_SEED), step)
    samples = collect(records.games(first, len(records)), CalibrationPlan(args.positions, args.visits, CALIBRATION_SEED), step)
    if not len(learned) or not len(samples):
        raise ConfigError(f"{args.records} has too few games with a winner to fit and to measure with")
    multiplier = fit(learned)
    print(f"multiplier {multiplier:.3f}, fitted with {len(learned)} positions; the rest is of {len(samples)} held-out ones\n")
    print(as_table(samples, multiplier))
    if args.diagram:
        args.diagram.write_bytes(draw_reliability(samples, multiplier, f"{records.size}x{records.size}, {args.visits} visits"))
        tell(f"wrote {args.diagram}")


def fit_move_model(args: argparse.Namespace) -> None:
    """`train move-model`."""
    from gtp_engine.engine.move_model.model_file import save_model
    from gtp_engine.learning.training.move_model import Fit, Learner, as_sentence

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


ACTIONS = {
    "ranks": measure_ranks,
    "imitation": imitate,
    "evaluate": evaluate,
    "export": export,
    "average": average,
    "quantize": quantize,
    "calibration": calibrate,
    "move-model": fit_move_model,
    "records": write_records,
    "selfplay": selfplay,
    **TEACHING,
}
