"""`gtp-engine train records`: writes game records as one compact file."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from gtp_engine.base.progress import tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.go.rank_names import UNKNOWN_RANK
from gtp_engine.learning.training.games import read_records
from gtp_engine.learning.training.record_writer import shuffled, write_records
from gtp_engine.learning.training.records import Records

SUFFIXES = (".npz", ".npz.xz")
REPORT_FILES = 10_000  # SGF files between lines


def run(args: argparse.Namespace) -> None:
    """`train records`. Raises ConfigError, TrainingError, OSError."""
    check_names(args.games, args.records)
    tell("train", f"reads {', '.join(map(str, args.games))}")
    records = read_records(args.games, args.size, None, report)
    for line in told(records):
        tell("train", line)
    write_records(args.records, shuffled(records, args.seed))
    ranked = 0 if records.ranks is None else int((records.ranks != UNKNOWN_RANK).all(1).sum())
    tell("train", f"wrote {args.records}: {len(records):,} games, {ranked:,} of them with both ranks")


def check_names(games: list[Path], records: Path) -> None:
    """Raise ConfigError unless the games are SGF, and the record file has a valid extension and an existing folder."""
    for path in games:
        if ".npz" in path.suffixes:
            raise ConfigError(f"{path} is a record file already: name SGF files and folders of them")
    if not records.name.endswith(SUFFIXES):
        raise ConfigError(f"{records}: the name of a record file ends with {' or '.join(SUFFIXES)}")
    if not records.parent.is_dir():
        raise ConfigError(f"{records.parent} is not a folder: the records could not be written there")


def report(count: int) -> None:
    """Print a line after every REPORT_FILES files."""
    if count % REPORT_FILES == 0:
        tell("train", f"{count:,} files read")


def told(records: Records) -> Iterator[str]:
    """Print the games read and left out, in a line each."""
    yield f"{len(records):,} games on {records.size}x{records.size}, {len(records.moves):,} moves"
    for reason, count in records.left_out.items():
        yield f"left out {count:,}: {reason}"
