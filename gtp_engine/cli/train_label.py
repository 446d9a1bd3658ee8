"""`gtp-engine train label`: labels of positions by a strong network, for the training of another one."""

import argparse
import signal
from dataclasses import replace
from functools import partial

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.job import PlaceError
from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.options.jobs import place_of
from gtp_engine.cli.train_records import report
from gtp_engine.cli.train_sources import cache_of, tell, told_of
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.folder import named_network
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training.games import read_boards
from gtp_engine.learning.training.katago.choice import ChoiceParams
from gtp_engine.learning.training.katago.label_job import POSITIONS_OF_JOB, LabelSpec, Teacher
from gtp_engine.learning.training.katago.labelling import LabelPlan, make_labels
from gtp_engine.learning.training.katago.position_search import Student
from gtp_engine.learning.training.katago.position_sources import GamePositions, read_positions
from gtp_engine.learning.training.records import Records


def run(args: argparse.Namespace) -> None:
    """`train label`. Raises ConfigError, TrainingError, OSError."""
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
    progress.count(done * POSITIONS_OF_JOB, total * POSITIONS_OF_JOB, "positions", "labels")


def teacher_of(args: argparse.Namespace) -> Teacher:
    """The network that makes the labels. Raises ConfigError if it can't be opened."""
    try:
        path = named_network(str(args.network))
        form = format_of(path)
        if form.name != "KataGo":
            raise ConfigError(f"{path}: expected a network of KataGo's form, .bin.gz or .txt.gz")
        form.load(path, SearchParams(threads=1, backend=args.backend, precision=args.precision)).backend.new_batch(9)
    except (NetworkError, OSError) as error:
        raise ConfigError(str(error)) from error
    return Teacher(str(path.resolve()), args.backend, args.precision, args.batch)


def student_of(args: argparse.Namespace) -> Student | None:
    """The network whose searches choose positions, if there is one. Raises ConfigError if it can't be opened."""
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
    sources = read_positions(args.records, args.size, cache_of(args), report)
    told_of([source.records for source in sources if isinstance(source, GamePositions)])
    return [source.name for source in sources]


def records_of(args: argparse.Namespace) -> list[Records]:
    """The records, with a message about games left out."""
    return told_of(read_boards(args.records, args.size, cache_of(args), report))
