"""`gtp-engine train selfplay`: games of a network against itself, and networks that learn from them."""

import argparse
import signal

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.job import PlaceError
from gtp_engine.cli.train_selfplay_games import play_only
from gtp_engine.cli.train_sources import give_torch_a_folder, require, tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.selfplay.start import new_network
from gtp_engine.learning.training.katago.new_model import read_shape
from gtp_engine.tools.match.tournament import TournamentError

START = "start.bin.gz"  # in a run's folder: the network that --new makes


def run(args: argparse.Namespace) -> None:
    """`train selfplay`. Raises ConfigError for invalid files and options, TrainingError, OSError."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends like Ctrl-C
    try:
        if args.new:
            begin_anew(args)
        if args.games_only:
            play_only(args)
        else:
            require(("torch",))
            give_torch_a_folder()
            from gtp_engine.cli.train_selfplay_loop import iterate  # not above: --games-only needs no torch

            iterate(args)
    except KeyboardInterrupt:
        tell("interrupted; the same command continues from here")
        raise
    except (SelfplayError, StoreError, PlaceError, TournamentError) as error:
        raise ConfigError(str(error)) from error


def begin_anew(args: argparse.Namespace) -> None:
    """`--new`: begin with an untrained network."""
    if args.network or args.start:
        raise ConfigError("--new makes the network that plays first; leave --network and --from out")
    try:
        shape = read_shape(args.new)
    except ValueError as error:
        raise ConfigError(f"--new: {error}") from error
    args.network = args.start = args.folder / START
    new_network(shape, args.seed, args.network)
