"""`gtp-engine train suite`: positions and their children, judged by a strong network."""

import argparse
from pathlib import Path

from gtp_engine.base.files import write_file
from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.train_label import records_of, teacher_of
from gtp_engine.cli.train_sources import tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training.katago.positions import NetworkJudge
from gtp_engine.learning.training.katago.suite import make_suite as lines_of


def run(args: argparse.Namespace) -> None:
    """`train suite`. Raises ConfigError, TrainingError, OSError."""
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
