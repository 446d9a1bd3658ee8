"""What the actions of `gtp-engine train` begin with: packages, folders, and the records that they learn from."""

import argparse
import contextlib
import importlib.util
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.cli import messages
from gtp_engine.cli.train_records import report, told
from gtp_engine.engine.config.sources import ConfigError

if TYPE_CHECKING:
    from gtp_engine.learning.training.imitation import Source
    from gtp_engine.learning.training.records import Records

BOTH = ("onnx", "torch")
# shares of the games that are held out at most: of the first source, and of the others, small ones among them
HELD_OUT_OF_FIRST, HELD_OUT_OF_OTHERS = 0.5, 0.1
tell = partial(messages.tell, "train")


def require(packages: tuple[str, ...]) -> None:
    """Raise ConfigError unless these are installed."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise ConfigError(f"{package} is not installed; try pip install 'gtp-engine[train]'")


def give_torch_a_folder() -> None:
    """Let torch's compiler, which we don't use, make its folder in our cache. By itself it asks who the user is, and makes one in /tmp."""
    folder = user_cache() / "torch"
    with contextlib.suppress(OSError):  # then torch has to find a place
        folder.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder))


def user_cache() -> Path:
    """The program's folder in the user's cache."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("gtp_engine", appauthor=False))


def sources_of(args: argparse.Namespace) -> "list[Source]":
    """The games that `train imitation` learns from and measures with."""
    from gtp_engine.learning.training.imitation import Source

    every = all_records_of(args, args.games)
    if args.shares and len(args.shares) != len(every):
        raise ConfigError(f"--shares has {len(args.shares)} numbers, and there are {len(every)} sources; name one for each record file")
    sources = []
    for i, (path, records) in enumerate(zip(args.games, every, strict=False)):
        records = owned(args, path, records)
        if ".npz" not in path.suffixes and args.least_rank is None and not args.ranks:
            records = replace(records, ranks=None)  # with ranks, rare ones are drawn more often
        if args.least_rank is not None:
            records = records.at_least(args.least_rank)
            tell(f"{path.name}: {len(records):,} games have players of the rank asked for")
        if args.ranks:
            records = records.of_persons()
            tell(f"{path.name}: {len(records):,} games are between persons of known ranks")
        if not len(records):
            raise ConfigError(f"{path} has no game with players of the rank asked for; name a lower one with --least-rank")
        held_out = min(args.held_out, int(len(records) * (HELD_OUT_OF_FIRST if i == 0 else HELD_OUT_OF_OTHERS)))
        first = len(records) - held_out
        sources.append(Source(path.name, records.games(0, first), records.games(first, len(records))))
    return sources


def owned_alone(records: "Records", threads: int) -> "Records":
    """The same of records whose owners are not worth keeping."""
    from gtp_engine.learning.training.owners import with_owners

    return with_owners(records, None, threads, lambda done: None)


def owned(args: argparse.Namespace, path: Path, records: "Records") -> "Records":
    """The records with whose each point was at the end of the counted games."""
    from gtp_engine.learning.training.owners import with_owners
    from gtp_engine.learning.training.records import cache_folder

    cache = cache_folder(path, args.cache or user_cache() / "records") / "owners_found.npy" if ".npz" in path.suffixes else None
    return with_owners(
        records, cache, args.threads, lambda done: tell(f"{path.name}: the ends of {done:,} of {len(records):,} games judged")
    )


def records_of(args: argparse.Namespace, paths: list[Path]) -> "Records":
    """The records of one source, with a word on what was left out."""
    return all_records_of(args, paths)[0]


def all_records_of(args: argparse.Namespace, paths: list[Path]) -> "list[Records]":
    """The records of each source named, with a word on what was left out."""
    from gtp_engine.learning.training.games import read_sources

    cache = args.cache or user_cache() / "records"
    tell(f"reads {', '.join(map(str, paths))}")
    every = read_sources(paths, args.size, cache, report)
    for records in every:
        for line in told(records):
            tell(line)
    return every


def included() -> Path:
    """The network of our own form that is included."""
    from gtp_engine.engine.network.loading import RANKS

    return RANKS
