"""`gtp-engine train suite` and `agreement`: how well a network distinguishes the children of a position, compared with a strong network."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine.base.files import write_file
from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.options import positive
from gtp_engine.cli.train_labels import EXAMPLES as LABEL_EXAMPLES
from gtp_engine.cli.train_labels import (
    add_label,
    add_teacher,
    label,
    records_of,
    teacher_of,
)
from gtp_engine.cli.train_options import add_records_options, add_seed
from gtp_engine.cli.train_sources import tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.search.params import SearchParams

if TYPE_CHECKING:
    from gtp_engine.learning.training.katago.positions import NetworkJudge

TOGETHER = 16  # positions in a batch

EXAMPLES = """examples:
  gtp-engine train suite games/ --network strong.bin.gz --output suite.jsonl    positions and their children, judged by a strong network
  gtp-engine train agreement suite.jsonl --network run/network.bin.gz           how well a network tells these children apart
  gtp-engine train evaluate labels.npz --network run/network.bin.gz             how well it agrees with held-out labels
"""


def add_teaching(actions: Any) -> None:
    """Add the actions about labels to `train`."""
    add_label(actions.add_parser("label", help="evaluate positions with a strong network; needs no extra", epilog=LABEL_EXAMPLES))
    add_suite(actions.add_parser("suite", help="make a suite for train agreement; needs no extra", epilog=EXAMPLES))
    add_agreement(actions.add_parser("agreement", help="measure how well networks agree with a strong one", epilog=EXAMPLES))


def add_suite(parser: argparse.ArgumentParser) -> None:
    """The options of `train suite`."""
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORDS", help="SGF files and folders of them, or record files")
    add_teacher(parser)
    parser.add_argument("--output", type=Path, default=Path("suite.jsonl"), metavar="FILE", help="file to write (default: %(default)s)")
    parser.add_argument("--positions", type=positive(int), default=60, metavar="N", help="how many positions (default: %(default)s)")
    add_seed(parser)
    add_records_options(parser)


def add_agreement(parser: argparse.ArgumentParser) -> None:
    """The options of `train agreement`."""
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a file that train suite wrote")
    parser.add_argument("--network", type=Path, nargs="+", required=True, metavar="FILE", help="the networks to measure")


def make_suite(args: argparse.Namespace) -> None:
    """`train suite`. Raises ConfigError, TrainingError, OSError."""
    from gtp_engine.engine.network.formats import format_of
    from gtp_engine.learning.training.katago.positions import NetworkJudge
    from gtp_engine.learning.training.katago.suite import make_suite as lines_of

    if not args.output.parent.is_dir():
        raise ConfigError(f"{args.output.parent} is not a folder: the suite could not be written there")
    teacher = teacher_of(args)
    path = Path(teacher.path)
    network = format_of(path).load(path, SearchParams(threads=1, backend=teacher.backend, precision=teacher.precision))
    with ProgressLine("train") as progress:
        judge, tell_done = NetworkJudge(network, args.batch), lambda done: progress.count(done, args.positions, "positions")
        lines = lines_of(records_of(args), judge, args.positions, args.seed, tell_done)
    write_file(args.output, ("\n".join(lines) + "\n").encode())
    tell(f"wrote {args.output}: {args.positions:,} positions")


def measure_agreement(args: argparse.Namespace) -> None:
    """`train agreement`: a line of JSON for each network. Raises ConfigError, TrainingError."""
    from gtp_engine.learning.training.katago.suite import read_suite, suite_figures

    suite = read_suite(args.suite)
    judges = [(path, judge_of(path)) for path in args.network]  # reports wrong names before any measurement
    for path, judge in judges:
        print(json.dumps({"network": str(path), **suite_figures(suite, judge).as_dict()}), flush=True)


def judge_of(path: Path) -> "NetworkJudge":
    """An open network of any format. Raises ConfigError."""
    from gtp_engine.engine.network.formats import format_of
    from gtp_engine.learning.training.katago.positions import NetworkJudge

    try:
        return NetworkJudge(format_of(path).load(path, SearchParams(threads=1)), TOGETHER)
    except NetworkError as error:
        raise ConfigError(str(error)) from error


TEACHING: dict[str, Callable[[argparse.Namespace], None]] = {
    "label": label,
    "suite": make_suite,
    "agreement": measure_agreement,
}
