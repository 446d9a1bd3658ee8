"""`gtp-engine train records`: game records as one compact file."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.cli.options import number_argument
from gtp_engine.cli.train_options import add_common
from gtp_engine.config.sources import ConfigError

if TYPE_CHECKING:
    from gtp_engine.training.records import Records

SUFFIXES = (".npz", ".npz.xz")

EXAMPLES = """examples:
  gtp-engine train records club/ games.npz.xz                 all games on 19x19 in the folder club, with ranks and komi
  gtp-engine train records ogs/ server.sgf small.npz.xz --size 9   games on 9x9 of a folder and a file
  gtp-engine train evaluate small.npz.xz                      how often the included network guesses their moves

Left out, and counted by reason: damaged records, other board sizes, handicap and set-up stones, games without a winner. Ranks come
from BR and WR; one with a question mark counts as unknown. The order of the games is drawn by --seed: the last ones are held out when
a network learns.
"""


def add_records_action(parser: argparse.ArgumentParser) -> None:
    """The options of `train records`."""
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="SGF files and folders of them")
    parser.add_argument("records", type=Path, metavar="RECORDS", help="the file to write: NAME.npz, or NAME.npz.xz, which is smaller")
    parser.add_argument("--seed", type=number_argument(int), default=1, metavar="N", help="seed of the games' order (default: 1)")
    add_common(parser)


def make_records(args: argparse.Namespace, records: "Records") -> str:
    """Write the `records` that were read from `args.games`; what to say of it. Raises ConfigError, OSError."""
    from gtp_engine.rank_names import UNKNOWN_RANK
    from gtp_engine.training.record_writer import shuffled, write_records

    write_records(args.records, shuffled(records, args.seed))
    known = 0 if records.ranks is None else int((records.ranks != UNKNOWN_RANK).all(1).sum())
    return f"wrote {args.records}: {len(records):,} games, {known:,} of them with both ranks"


def check_name(path: Path) -> None:
    """Raise ConfigError unless this is a name that record files have, in a folder that is there."""
    if not path.name.endswith(SUFFIXES):
        raise ConfigError(f"{path}: the name of a record file ends with {' or '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise ConfigError(f"{path.parent} is not a folder: the records could not be written there")
