"""The options of subcommands that run jobs: the number at once, and the place."""

import argparse
from typing import Any

from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.cli.options.shared import whole_number

MOST_JOBS = 1000
RAY_HELP = "run on a Ray cluster: the one that RAY_ADDRESS names (auto), one made on this machine (local), or the one at ADDRESS"


def add_job_options(parser: Any, work: str) -> None:
    """Add --jobs and --ray to a subcommand; `work` describes the N things at the same time."""
    parser.add_argument("--jobs", type=whole_number(1, MOST_JOBS), default=1, metavar="N", help=f"{work} (default: 1)")
    add_ray_option(parser)


def add_ray_option(parser: Any) -> None:
    """Add --ray to a subcommand."""
    parser.add_argument("--ray", default="", metavar="auto|local|ADDRESS", help=RAY_HELP)


def place_of(args: argparse.Namespace) -> JobPlace:
    """The place where the jobs of this command run."""
    return JobPlace(args.jobs, args.ray)
