"""`gtp-engine train label`: labels of positions by a strong network, for the training of another one."""

import argparse
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.job import PlaceError
from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.job_options import add_job_options, place_of
from gtp_engine.cli.options import number_argument, positive, whole_number
from gtp_engine.cli.train_options import add_mix, add_records_options, add_seed, add_shares
from gtp_engine.cli.train_records import report
from gtp_engine.cli.train_sources import cache_of, tell, told_of
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.search.params import SearchParams

if TYPE_CHECKING:
    from gtp_engine.learning.training.katago.label_job import Teacher
    from gtp_engine.learning.training.katago.position_search import Student
    from gtp_engine.learning.training.records import Records


MOST_VISITS = 1_000_000

EXAMPLES = """examples:
  gtp-engine train label games/ --network strong.bin.gz --output labels.npz     a strong network evaluates positions of these games
  gtp-engine train label games/ --network strong.bin.gz --output labels.npz --positions 100000 --jobs 4   add more, on four processors
  gtp-engine train label games/ --network strong.bin.gz --student mine.bin.gz     also of positions in the search trees of mine.bin.gz
  gtp-engine train label suite.jsonl --network strong.bin.gz --family-share 1 --output children.npz    positions of a suite, and children
  gtp-engine train label a.npz.xz b.npz.xz --shares 3,1 --network strong.bin.gz --backend openvino --precision bf16
"""


def add_label(parser: argparse.ArgumentParser) -> None:
    """The options of `train label`."""
    parser.add_argument(
        "records", type=Path, nargs="+", metavar="RECORDS", help="SGF files and folders of them, or record files; and suites (.jsonl)"
    )
    add_teacher(parser)
    parser.add_argument(
        "--teacher-visits",
        type=whole_number(0, MOST_VISITS),
        default=0,
        metavar="N",
        help="search each position with N visits of the teacher: the label has the shares of the visits, and win and lead of the search"
        " (default: 0, the network's own answer)",
    )
    parser.add_argument("--output", type=Path, default=Path("labels.npz"), metavar="FILE", help="file to write (default: %(default)s)")
    parser.add_argument(
        "--positions",
        type=positive(int),
        default=1024,
        metavar="N",
        help="positions to choose; children are added, so the file has more labels; a larger number extends a finished run"
        " (default: %(default)s)",
    )
    add_shares(parser, "record files or suites")
    parser.add_argument(
        "--children",
        type=whole_number(0, 400),
        default=8,
        metavar="N",
        help="children of a position that comes with them; positions of a tree that is searched (default: %(default)s)",
    )
    parser.add_argument(
        "--family-share",
        type=number_argument(float),
        default=0.3,
        metavar="SHARE",
        help="share of the positions that come with their children, 0 to 1 (default: %(default)s)",
    )
    add_mix(parser)
    add_student(parser)
    add_seed(parser)
    add_records_options(parser)
    add_job_options(parser, "processors to use")


def add_student(parser: argparse.ArgumentParser) -> None:
    """The options of the student, whose searches choose positions."""
    parser.add_argument(
        "--student",
        type=Path,
        metavar="FILE",
        help="also label positions inside the search trees of this network, of any form, because it must know what its own searches ask",
    )
    parser.add_argument(
        "--student-visits", type=positive(int), default=50, metavar="N", help="visits of each search of the student (default: %(default)s)"
    )
    parser.add_argument(
        "--tree-share",
        type=number_argument(float),
        default=0.3,
        metavar="SHARE",
        help="share of the positions that the student searches, 0 to 1 (default: %(default)s)",
    )


def add_teacher(parser: argparse.ArgumentParser) -> None:
    """The options of the teacher."""
    parser.add_argument("--network", type=Path, required=True, metavar="FILE", help="the teacher, a KataGo file .bin.gz")
    parser.add_argument(
        "--backend",
        choices=("onnxruntime", "openvino", "cuda"),
        default="onnxruntime",
        help="what computes the network; cuda needs onnxruntime-gpu, openvino needs openvino, both by pip install (default: %(default)s)",
    )
    parser.add_argument(
        "--precision",
        choices=("f32", "f16", "bf16", "int8"),
        default="f32",
        help="numbers to compute with: int8 needs onnxruntime, f16 and bf16 openvino (default: %(default)s)",
    )
    parser.add_argument(
        "--batch",
        type=positive(int),
        default=16,
        metavar="N",
        help="positions evaluated together; more on a graphics card (default: %(default)s)",
    )


def label(args: argparse.Namespace) -> None:
    """`train label`. Raises ConfigError, TrainingError, OSError."""
    from gtp_engine.learning.training.katago.choice import ChoiceParams
    from gtp_engine.learning.training.katago.label_job import LabelSpec
    from gtp_engine.learning.training.katago.labelling import LabelPlan, make_labels

    check_family_shares(args)
    if not args.output.parent.is_dir():
        raise ConfigError(f"{args.output.parent} is not a folder: the labels could not be written there")
    teacher, student = teacher_of(args), student_of(args)
    sources = sources_of(args)  # reports wrong names before any process starts
    if args.shares and len(args.shares) != len(sources):
        raise ConfigError(f"--shares has {len(args.shares)} numbers, and there are {len(sources)} sources: {', '.join(sources)}")
    paths = tuple(str(path.resolve()) for path in args.records)
    choice = ChoiceParams(args.children, args.family_share, args.tree_share if student else 0.0, **dict(args.mix))
    spec = LabelSpec(
        replace(teacher, visits=args.teacher_visits), paths, args.size, str(cache_of(args)), tuple(args.shares), choice, 0, student
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends like Ctrl-C
    try:
        with ProgressLine("train") as progress:
            plan = LabelPlan(spec, args.seed, args.positions)
            arrays = make_labels(plan, args.output, place_of(args), partial(count_positions, progress))
    except KeyboardInterrupt:
        tell("interrupted; the same command continues from here")
        raise
    except (StoreError, PlaceError) as error:
        raise ConfigError(str(error)) from error
    tell(f"wrote {args.output}: {len(arrays['sizes']):,} labels")


def check_family_shares(args: argparse.Namespace) -> None:
    """Raise ConfigError for wrong shares of the positions that bring others."""
    for option, share in (("--family-share", args.family_share), ("--tree-share", args.tree_share)):
        if not 0.0 <= share <= 1.0:
            raise ConfigError(f"{option} is a number from 0 to 1, not {share}")
    if args.student and args.family_share + args.tree_share > 1.0:
        raise ConfigError(f"--family-share {args.family_share} and --tree-share {args.tree_share} are more than 1 together")


def count_positions(progress: ProgressLine, done: int, total: int) -> None:
    """Show the number of labelled positions after so many jobs."""
    from gtp_engine.learning.training.katago.label_job import POSITIONS_OF_JOB

    progress.count(done * POSITIONS_OF_JOB, total * POSITIONS_OF_JOB, "positions", "labels")


def teacher_of(args: argparse.Namespace) -> "Teacher":
    """The network that makes the labels. Raises ConfigError if it can't be opened."""
    from gtp_engine.engine.network.folder import named_network
    from gtp_engine.engine.network.formats import format_of
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


def student_of(args: argparse.Namespace) -> "Student | None":
    """The network whose searches choose positions, if there is one. Raises ConfigError if it can't be opened."""
    from gtp_engine.engine.network.folder import named_network
    from gtp_engine.engine.network.formats import format_of
    from gtp_engine.learning.training.katago.position_search import Student

    if args.student is None:
        return None
    try:
        path = named_network(str(args.student))
        format_of(path).load(path, SearchParams(threads=1)).backend.new_batch(9)
    except (NetworkError, OSError) as error:
        raise ConfigError(str(error)) from error
    return Student(str(path.resolve()), args.student_visits)


def sources_of(args: argparse.Namespace) -> list[str]:
    """The names of all sources of positions, with a message about games left out. Raises TrainingError if one can't be read."""
    from gtp_engine.learning.training.katago.position_sources import GamePositions, read_positions

    sources = read_positions(args.records, args.size, cache_of(args), report)
    told_of([source.records for source in sources if isinstance(source, GamePositions)])
    return [source.name for source in sources]


def records_of(args: argparse.Namespace) -> "list[Records]":
    """The records, with a message about games left out."""
    from gtp_engine.learning.training.games import read_boards

    return told_of(read_boards(args.records, args.size, cache_of(args), report))
