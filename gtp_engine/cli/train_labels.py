"""`gtp-engine train label` and `distill`: a network of KataGo's form learns what a stronger one says."""

import argparse
import signal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.base.processors import processors
from gtp_engine.cli import messages
from gtp_engine.cli.job_options import add_job_options
from gtp_engine.cli.messages import ProgressLine
from gtp_engine.cli.options import argument, number_argument, positive, whole_number
from gtp_engine.cli.train_options import add_folder, add_length, add_shares, add_steps
from gtp_engine.engine.config.sources import ConfigError

if TYPE_CHECKING:
    from gtp_engine.base.jobs.run import JobProgress
    from gtp_engine.engine.network.katago.model import Model
    from gtp_engine.learning.training.katago.label_job import Teacher
    from gtp_engine.learning.training.records import Records

DEFAULT_TIME = 7200.0  # seconds of learning
LINE_EVERY = 30.0  # seconds between two lines where stderr is no terminal
MOST_SEED = 2**63 - 1
USUAL_SIZES = (9, 13, 19)  # of boards
tell = partial(messages.tell, "train")

EXAMPLES = """examples:
  gtp-engine train label games/ --network strong.bin.gz --output labels.npz     what a strong network says of positions of these games
  gtp-engine train label games/ --network strong.bin.gz --output labels.npz --positions 100000 --jobs 4   go on, on four processors
  gtp-engine train label a.npz.xz b.npz.xz --shares 3,1 --network strong.bin.gz --backend openvino --precision bf16
  gtp-engine train distill labels.npz --new 7x96t --folder run --time 2h        a new network learns that: 7 layers of a transformer
  gtp-engine train distill labels.npz --from run/network.bin.gz --folder more   a network goes on learning
  gtp-engine train distill labels.npz --from run/network.bin.gz --layers 9 --folder deep   the same, with layers added that begin as nothing
"""


def add_label(parser: argparse.ArgumentParser) -> None:
    """The options of `train label`."""
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORDS", help="SGF files and folders of them, or record files")
    add_teacher(parser)
    parser.add_argument("--output", type=Path, default=Path("labels.npz"), metavar="FILE", help="file to write (default: %(default)s)")
    parser.add_argument(
        "--positions",
        type=positive(int),
        default=1024,
        metavar="N",
        help="positions to choose; the file has more labels, for children come in addition; with more than before the run goes on"
        " (default: %(default)s)",
    )
    add_shares(parser, "record files")
    parser.add_argument(
        "--children", type=whole_number(0, 400), default=8, metavar="N", help="of a position that brings them along (default: %(default)s)"
    )
    parser.add_argument(
        "--family-share",
        type=number_argument(float),
        default=0.3,
        metavar="SHARE",
        help="of the positions that bring their children along, 0 to 1 (default: %(default)s)",
    )
    add_seed(parser)
    add_records_options(parser)
    add_job_options(parser, "processors to use")


def add_distill(parser: argparse.ArgumentParser) -> None:
    """The options of `train distill`."""
    parser.add_argument("labels", type=Path, nargs="+", metavar="LABELS", help="files that train label wrote, or record files of self-play")
    add_folder(parser)
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--from", type=Path, dest="start", metavar="FILE", help="begin with this network, .bin.gz of KataGo's form")
    start.add_argument(
        "--new",
        metavar="SHAPE",
        help="begin with one that has learned nothing: 6x96 are 6 residual blocks of 96 channels, 7x96t 7 layers of a transformer",
    )
    parser.add_argument(
        "--layers",
        type=positive(int),
        metavar="N",
        help="make the network of --from so deep first: new layers add nothing before they have learned",
    )
    add_shares(parser, "files")
    add_length(parser)
    add_steps(parser)
    parser.add_argument("--threads", type=positive(int), default=processors(), metavar="N", help="processors to use (default: all)")


def add_teacher(parser: argparse.ArgumentParser) -> None:
    """The network that is asked."""
    parser.add_argument("--network", type=Path, required=True, metavar="FILE", help="the network to ask, as .bin.gz of KataGo's form")
    parser.add_argument(
        "--backend",
        choices=("onnxruntime", "openvino", "cuda"),
        default="onnxruntime",
        help="what computes it: cuda needs onnxruntime-gpu, openvino pip install openvino (default: %(default)s)",
    )
    parser.add_argument("--precision", choices=("f32", "f16", "bf16"), default="f32", help="numbers to compute with (default: %(default)s)")
    parser.add_argument(
        "--batch",
        type=positive(int),
        default=16,
        metavar="N",
        help="positions asked together; more on a graphics card (default: %(default)s)",
    )


def add_records_options(parser: argparse.ArgumentParser) -> None:
    """How records are read."""
    parser.add_argument(
        "--size",
        type=argument(board_sizes),
        default=USUAL_SIZES,
        metavar="N,N",
        help="sizes of the boards to take from SGF files (default: 9,13,19; record files tell theirs)",
    )
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where record files are unpacked (default: the user's cache)")


def board_sizes(text: str) -> tuple[int, ...]:
    """`5,9,13` as sizes of boards. Raises ValueError."""
    sizes = tuple(int(part) if part.isdecimal() else 0 for part in text.split(","))
    if not all(2 <= size <= 19 for size in sizes):
        raise ValueError(f"{text!r} is not a list of sizes from 2 to 19, like 9,13,19")
    return sizes


def add_seed(parser: argparse.ArgumentParser) -> None:
    """The seed of what is drawn."""
    parser.add_argument("--seed", type=whole_number(0, MOST_SEED), default=1, metavar="N", help="of what is drawn (default: %(default)s)")


def label(args: argparse.Namespace) -> None:
    """`train label`. Raises ConfigError, TrainingError, OSError."""
    from gtp_engine.base.jobs.append_only import StoreError
    from gtp_engine.base.jobs.job import PlaceError
    from gtp_engine.cli.job_options import place_of
    from gtp_engine.learning.training.katago.choice import ChoiceParams
    from gtp_engine.learning.training.katago.label_job import LabelOrder
    from gtp_engine.learning.training.katago.labelling import LabelPlan, make_labels

    if not 0.0 <= args.family_share <= 1.0:
        raise ConfigError(f"--family-share is a number from 0 to 1, not {args.family_share}")
    if not args.output.parent.is_dir():
        raise ConfigError(f"{args.output.parent} is not a folder: the labels could not be written there")
    teacher = teacher_of(args)
    records = records_of(args)  # wrong names are told before any process starts
    if args.shares and len(args.shares) != len(records):
        raise ConfigError(
            f"--shares has {len(args.shares)} numbers, and there are {len(records)} sources: a record file, or a board of SGF files, each"
        )
    paths = tuple(str(path.resolve()) for path in args.records)
    choice = ChoiceParams(args.children, args.family_share)
    order = LabelOrder(teacher, paths, args.size, str(cache_of(args)), tuple(args.shares), choice, 0)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill ends like Ctrl-C
    try:
        arrays = make_labels(LabelPlan(order, args.seed, args.positions), args.output, place_of(args), JobLine("labels"))
    except KeyboardInterrupt:
        tell("interrupted; the same command goes on from here")
        raise
    except (StoreError, PlaceError) as error:
        raise ConfigError(str(error)) from error
    tell(f"wrote {args.output}: {len(arrays['sizes']):,} labels")


def distill(args: argparse.Namespace) -> None:
    """`train distill`. Raises ConfigError, TrainingError, OSError."""
    from gtp_engine.learning.training.display import Display
    from gtp_engine.learning.training.katago.distillation import Distillation, DistillationSettings
    from gtp_engine.learning.training.katago.record_labels import read_labels_or_records
    from gtp_engine.learning.training.trainer import Schedule, best_device, best_precision

    start = start_of(args)
    sources = [read_labels_or_records(path) for path in args.labels]
    if args.shares and len(args.shares) != len(sources):
        raise ConfigError(f"--shares has {len(args.shares)} numbers, and there are {len(sources)} files of labels")
    seconds = 0.0 if args.positions else args.time or DEFAULT_TIME
    schedule = Schedule(seconds, args.positions, hold=0.0, highest=args.rate)
    device = best_device(args.device)
    precision = args.precision or best_precision(device)
    settings = DistillationSettings(schedule, args.batch, args.seed, args.threads, device, precision, tuple(args.shares))
    args.folder.mkdir(parents=True, exist_ok=True)
    run = Distillation(args.folder, start, sources, settings, tell)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill saves like Ctrl-C
    with Display(run) as display:
        run.tell = display.tell
        run.run(display.show)


def start_of(args: argparse.Namespace) -> "Model | None":
    """The network that `train distill` begins with; None when the folder has a checkpoint to go on from."""
    from gtp_engine.learning.training.katago.distillation import CHECKPOINT, trainable
    from gtp_engine.learning.training.katago.layers import deeper
    from gtp_engine.learning.training.katago.new_model import new_model, read_shape

    if (args.folder / CHECKPOINT).exists():
        return None
    if args.start:
        model = trainable(args.start)
        return deeper(model, args.layers) if args.layers else model
    if args.layers:
        raise ConfigError("--layers makes the network of --from deeper; --new says how many layers there are")
    if not args.new:
        raise ConfigError("say what to begin with: --from FILE, or --new SHAPE, as 6x96 or 7x96t")
    try:
        return new_model(read_shape(args.new), args.new, args.seed)
    except ValueError as error:
        raise ConfigError(f"--new: {error}") from error


class JobLine:
    """Tells how far a run is."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._line = ProgressLine("train", LINE_EVERY)

    def __call__(self, progress: "JobProgress") -> None:
        """After each job."""
        from gtp_engine.learning.training.katago.label_job import POSITIONS_OF_JOB

        done, total = progress.done * POSITIONS_OF_JOB, progress.total * POSITIONS_OF_JOB
        text = f"{self._title}: {done:,} of {total:,} positions, {progress.rate * POSITIONS_OF_JOB:.1f} a second, "
        self._line.show(text + f"{progress.seconds_left / 60:,.0f} min left", progress.done == progress.total)


def teacher_of(args: argparse.Namespace) -> "Teacher":
    """The network that is asked. Raises ConfigError when it can't be opened."""
    from gtp_engine.engine.network.folder import named_network
    from gtp_engine.engine.network.formats import format_of
    from gtp_engine.engine.network.session import NetworkError
    from gtp_engine.engine.search.params import SearchParams
    from gtp_engine.learning.training.katago.label_job import Teacher

    try:
        path = named_network(str(args.network))
        form = format_of(path)
        if form.name != "KataGo":
            raise ConfigError(f"{path}: expected a network of KataGo's form, .bin.gz or .txt.gz")
        form.load(path, SearchParams(threads=1, backend=args.backend, precision=args.precision)).backend.new_batch(9)
    except (NetworkError, OSError) as error:
        raise ConfigError(str(error)) from error
    return Teacher(str(path.resolve()), args.backend, args.precision, args.batch)


def cache_of(args: argparse.Namespace) -> Path:
    """Where record files are unpacked."""
    from gtp_engine.cli.train_sources import user_cache

    cache: Path = args.cache or user_cache() / "records"
    return cache


def records_of(args: argparse.Namespace) -> "list[Records]":
    """The records, with a word on what was left out."""
    from gtp_engine.cli.train_records import report, told
    from gtp_engine.learning.training.games import read_boards

    every = read_boards(args.records, args.size, cache_of(args), report)
    for records in every:
        for line in told(records):
            tell(line)
    return every
