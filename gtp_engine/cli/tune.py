"""`gtp-engine tune`: a search parameter over a few values, by games."""

import argparse
import sys
from pathlib import Path
from typing import Any

from gtp_engine.cli.job_options import add_ray_option
from gtp_engine.cli.match import FIELDS, UNUSABLE, add_group, play
from gtp_engine.cli.options import number_argument

OPTIONS = ("size", "games", "komi", "rules", "openings", "seed", "jobs")  # of a match that make sense here

EXAMPLES = """examples:
  gtp-engine tune nakade 0.3 0.6 0.9 --playouts 400 --games 100 --output tune/nakade
  gtp-engine tune ladders true false --seconds 0.5 --size 13 --output tune/ladders
  gtp-engine tune pattern 0.6 0.95 --playouts 400 --set nakade=0 --output D    all players with another value of nakade

Every value plays every other, in pairs of games with the same opening, on one thread. After Ctrl-C the same command goes on.
`gtp-engine gtp --help` lists the parameters, from `search` on. DIR gets results.jsonl, games/*.sgf, report.html.
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    parser = subparsers.add_parser(
        "tune",
        help="find out which value of a search parameter plays best",
        description="Let the engine play itself with different values of a search parameter.",
        epilog=EXAMPLES,
    )
    parser.add_argument("parameter", metavar="PARAMETER", help="a parameter of the search; `gtp-engine gtp --help` lists them")
    parser.add_argument("values", nargs="+", metavar="VALUE", help="two or more values of it")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="the folder for the games and results; made if it does not exist"
    )
    parser.add_argument("--playouts", type=number_argument(int), metavar="N", help="playouts for each move")
    parser.add_argument("--seconds", type=number_argument(float), metavar="T", help="or: seconds for each move")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="set another parameter for all players; may be repeated"
    )
    add_ray_option(parser)
    add_group(parser.add_argument_group("games"), tuple(option for option in FIELDS if option[0] in OPTIONS))


def run(args: argparse.Namespace) -> int:
    """Play and print the standings; 130 after Ctrl-C, 2 for what cannot be played, else 0."""
    from gtp_engine.match.results import ResultsError
    from gtp_engine.match.tournament import TournamentError
    from gtp_engine.tools.tuning import result_table, tuning_tournament

    parameter = args.parameter.replace("-", "_")
    limit = {name: getattr(args, name) for name in ("playouts", "seconds") if getattr(args, name) is not None}
    settings = {name: getattr(args, name) for name in OPTIONS if hasattr(args, name)}
    try:
        tournament = tuning_tournament(parameter, args.values, limit, read_assignments(args.set), settings)
        return play(tournament, args.output, "tune", lambda standings: result_table(standings, parameter), args.ray)
    except (TournamentError, ResultsError) as error:
        print(f"gtp-engine tune: {error}", file=sys.stderr)
        return UNUSABLE


def read_assignments(texts: list[str]) -> dict[str, str]:
    """KEY=VALUE texts as a table. Raises TournamentError."""
    from gtp_engine.match.tournament import TournamentError

    for text in texts:
        if "=" not in text:
            raise TournamentError(f"--set takes KEY=VALUE, not {text!r}")
    pairs = [text.split("=", 1) for text in texts]
    return {name.strip().replace("-", "_"): value.strip() for name, value in pairs}
