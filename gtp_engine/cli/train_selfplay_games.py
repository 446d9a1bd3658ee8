"""`gtp-engine train selfplay --games-only`, and the games of the first generation."""

import argparse
from functools import partial

from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.options.jobs import place_of
from gtp_engine.cli.train_sources import cache_of, tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.search.params import MIXED, NETWORK
from gtp_engine.learning.selfplay.generation import GAMES, GenerationPlan, board_folder, board_name, play_generation
from gtp_engine.learning.selfplay.params import SelfplayParams, fair_komi
from gtp_engine.learning.selfplay.start import check_network, included_network
from gtp_engine.learning.training.games import read_sources
from gtp_engine.learning.training.records import Records


def play_only(args: argparse.Namespace) -> None:
    """`--games-only`."""
    plans = board_plans(args)
    for plan in plans:
        folder, name = board_folder(args.folder / "generation-001", plans, plan), board_name(plan.params)
        with ProgressLine("train") as progress:
            figures = play_generation(plan, folder, place_of(args), partial(progress.count, noun="games", title=f"{name}: generation 1"))
        speed = f", {figures['games_per_hour']:,} games an hour" if figures["games_per_hour"] else ""
        tell(f"{name}: {figures['games']:,} games, {figures['positions']:,} positions, {figures['searched']:,} searched in full{speed}")
        tell(f"wrote {folder / GAMES}")


def board_plans(args: argparse.Namespace) -> tuple[GenerationPlan, ...]:
    """The games of the first generation on each board. Raises ConfigError, SelfplayError."""
    sizes, komi = args.size, args.komi or tuple(fair_komi(size) for size in args.size)
    for option, value in (("--games", args.games), ("--komi", komi)):
        if len(value) != len(sizes):
            raise ConfigError(f"--size names {len(sizes)} boards, {option} has {len(value)}: name as many, separated by commas")
    try:
        settings = {"evaluator": MIXED if args.new else NETWORK, **dict(args.set)}
        params = [SelfplayParams(**settings, size=size, komi=board_komi) for size, board_komi in zip(sizes, komi, strict=True)]
    except ValueError as error:
        raise ConfigError(str(error)) from error
    network = args.network or included_network(sizes[0])
    check_network(network)
    records = opening_records(args)
    return tuple(
        GenerationPlan(1, network.resolve(), board, games, args.seed, tuple(record for record in records if record.size == board.size))
        for board, games in zip(params, args.games, strict=True)
    )


def opening_records(args: argparse.Namespace) -> list[Records]:
    """The records for the beginnings of games."""
    if not args.records:
        return []
    return read_sources(args.records, None, cache_of(args), lambda _count: None)
