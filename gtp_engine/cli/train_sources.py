"""Common preparations of the actions of `gtp-engine train`: packages, folders, and records."""

import argparse
import contextlib
import importlib.util
import os
from functools import partial
from pathlib import Path

import platformdirs

from gtp_engine.base import progress
from gtp_engine.cli.train_records import report, told
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.learning.training.games import read_boards, read_sources
from gtp_engine.learning.training.katago.labels import is_labels, read_labels
from gtp_engine.learning.training.katago.record_labels import RecordLabels
from gtp_engine.learning.training.katago.source import LabelSource
from gtp_engine.learning.training.owners import with_owners
from gtp_engine.learning.training.records import Records, cache_folder

tell = partial(progress.tell, "train")


def require(packages: tuple[str, ...]) -> None:
    """Raise ConfigError unless these are installed."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise ConfigError(f"{package} is not installed; try pip install 'gtp-engine[train]'")


def give_torch_a_folder() -> None:
    """Let torch's compiler, which we don't use, create its folder in our cache. By default it looks up the user and creates one in /tmp."""
    folder = user_cache() / "torch"
    with contextlib.suppress(OSError):  # then torch uses its default
        folder.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder))


def user_cache() -> Path:
    """The program's folder in the user's cache."""
    return Path(platformdirs.user_cache_dir("gtp_engine", appauthor=False))


def label_sources(args: argparse.Namespace, by_rank: bool = False) -> list[LabelSource]:
    """The sources in `args.sources`: files of labels, record files, and all SGF files as one source for each board. Raises ConfigError.

    by_rank -- only positions where a person with a known rank is to move, see RecordLabels
    """
    sources: list[LabelSource] = []
    games = [path for path in args.sources if ".npz" not in path.suffixes]
    for path in args.sources:
        if is_labels(path):
            if by_rank:
                raise ConfigError(f"{path} has labels of a network; a human network learns from records of people")
            sources.append(read_labels(path))
        elif ".npz" in path.suffixes:
            sources += record_labels(args, [path], by_rank)
        elif path == games[0]:
            sources += record_labels(args, games, by_rank)
    return sources


def record_labels(args: argparse.Namespace, paths: list[Path], by_rank: bool) -> list[LabelSource]:
    """The games of a record file, or those of SGF files for each board. Raises ConfigError if none is left."""
    sources: list[LabelSource] = []
    for records in told_of(read_boards(paths, args.size, cache_of(args), report)):
        records = owned(args, paths[0], records)
        if args.least_rank is not None:
            records = records.at_least(args.least_rank)
            tell(f"{paths[0].name}: {len(records):,} games have players of the rank asked for")
        if by_rank:
            records = records.with_learned_ranks()
            if not len(records):
                raise ConfigError(f"{paths[0]} has no game in which a person from 20k to 3d moves, of whom --ranks learns")
        if not len(records):
            raise ConfigError(f"{paths[0]} has no game with players of the rank asked for; name a lower one with --least-rank")
        sources.append(RecordLabels(paths[0].name, records, by_rank=by_rank))
    return sources


def told_of(every: list[Records]) -> list[Records]:
    """The same records, with a message about games left out."""
    for records in every:
        for line in told(records):
            tell(line)
    return every


def cache_of(args: argparse.Namespace) -> Path:
    """The folder for unpacked record files."""
    cache: Path = args.cache or user_cache() / "records"
    return cache


def owned(args: argparse.Namespace, path: Path, records: Records) -> Records:
    """The records with the owners of points at the end of counted games."""
    cache = cache_folder(path, cache_of(args)) / "owners_found.npy" if ".npz" in path.suffixes else None
    return with_owners(
        records, cache, args.threads, lambda done: tell(f"{path.name}: the ends of {done:,} of {len(records):,} games judged")
    )


def records_of(args: argparse.Namespace, paths: list[Path]) -> Records:
    """The records of one source, with a message about games left out."""
    return all_records_of(args, paths)[0]


def all_records_of(args: argparse.Namespace, paths: list[Path]) -> list[Records]:
    """The records of each source, with a message about games left out."""
    tell(f"reads {', '.join(map(str, paths))}")
    return told_of(read_sources(paths, args.size, cache_of(args), report))
