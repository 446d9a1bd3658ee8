"""`gtp-engine train selfplay`: games of a network against itself, and networks that learn from them."""

import argparse
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.config.sources import ConfigError

if TYPE_CHECKING:
    from gtp_engine.jobs.run import JobProgress
    from gtp_engine.selfplay.generation import GenerationPlan
    from gtp_engine.training.records import Records

LINE_EVERY = 30.0  # seconds between two lines where stderr is no terminal


def tell(text: str) -> None:
    """One line for people."""
    print(f"gtp-engine train: {text}", file=sys.stderr, flush=True)


def selfplay(args: argparse.Namespace) -> None:
    """`train selfplay`. Raises ConfigError for what is wrong with files and options, OSError."""
    from gtp_engine.jobs.job import PlaceError
    from gtp_engine.jobs.store import StoreError
    from gtp_engine.selfplay import SelfplayError

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill ends like Ctrl-C
    try:
        play_only(args)
    except (SelfplayError, StoreError, PlaceError) as error:
        raise ConfigError(str(error)) from error


def play_only(args: argparse.Namespace) -> None:
    """`--games-only`."""
    from gtp_engine.cli.job_options import place_of
    from gtp_engine.selfplay.generation import GAMES, play_generation

    plan = first_plan(args)
    folder = args.folder / "generation-001"
    figures = play_generation(plan, folder, place_of(args), GameLine("generation 1"))
    speed = f", {figures['games_per_hour']:,} games an hour" if figures["games_per_hour"] else ""
    tell(f"{figures['games']:,} games, {figures['positions']:,} positions, {figures['searched']:,} searched in full{speed}")
    tell(f"wrote {folder / GAMES}")


def first_plan(args: argparse.Namespace) -> "GenerationPlan":
    """The games of the first generation."""
    from gtp_engine.cli.train import shipped
    from gtp_engine.selfplay.generation import GenerationPlan
    from gtp_engine.selfplay.params import SelfplayParams, fair_komi

    komi = fair_komi(args.size) if args.komi is None else args.komi
    try:
        params = SelfplayParams(**dict(args.set), size=args.size, komi=komi)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    network = args.network or shipped(args.size)
    check_network(network)
    return GenerationPlan(1, network.resolve(), params, args.games, args.seed, tuple(opening_records(args)))


def check_network(path: Path) -> None:
    """Raise ConfigError unless it is a network that can play."""
    from gtp_engine.network.formats import format_of
    from gtp_engine.network.session import NetworkError
    from gtp_engine.search.params import SearchParams

    try:
        format_of(path).load(path, SearchParams(threads=1))
    except NetworkError as error:
        raise ConfigError(str(error)) from error


def opening_records(args: argparse.Namespace) -> "list[Records]":
    """The records on this board, to begin games with."""
    from gtp_engine.cli.train import user_cache
    from gtp_engine.training.games import read_sources

    if not args.records:
        return []
    every = read_sources(args.records, None, args.cache or user_cache() / "records", lambda _count: None)
    return [records for records in every if records.size == args.size]


class GameLine:
    """Tells how far a generation is: a line that is written over again in a terminal, else one now and then."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.last = time.monotonic()

    def __call__(self, progress: "JobProgress") -> None:
        """After each game."""
        is_last = progress.done == progress.total
        text = f"{self.title}: {progress.done:,} of {progress.total:,} games, {progress.rate * 3600:,.0f} an hour, "
        text += f"{progress.seconds_left / 60:,.0f} min left"
        if sys.stderr.isatty():
            print(f"\r\x1b[Kgtp-engine train: {text}", end="\n" if is_last else "", file=sys.stderr, flush=True)
        elif is_last or time.monotonic() - self.last > LINE_EVERY:
            self.last = time.monotonic()
            tell(text)
