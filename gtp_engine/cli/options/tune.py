"""Options of `gtp-engine tune`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.jobs import add_ray_option
from gtp_engine.cli.options.match import FIELDS, add_group
from gtp_engine.cli.options.shared import number_argument, whole_number

OPTIONS = ("size", "komi", "rules", "openings", "opening_moves", "seed", "jobs")  # of a match that apply here
GAMES = (
    "games",
    int,
    "N",
    "games of the tuning (default: 400), or of each pair of values (default: 20); more make a finished run longer",
)
MOST_PAIRS = 1000  # of a batch

HELP = "find the best values of search parameters by games"
DESCRIPTION = """Let the engine play itself with different values of the search's parameters: of several parameters at once,
each within a range (--parameter), or of one parameter, the given values against each other."""
EXAMPLES = """examples:
  gtp-engine tune --parameter exploration=0:1 --parameter rave_visits=300:10000 --set evaluator=playouts --visits 400 --output tune/two
  gtp-engine tune --parameter nakade=0.2:1:0.5 --seconds 0.5 --size 13 --output D       start at 0.5, not at the default
  gtp-engine tune nakade 0.3 0.6 0.9 --visits 400 --games 100 --output tune/nakade    three values against each other
  gtp-engine tune ladders true false --seconds 0.5 --set nakade=0 --output D            all players with another value of nakade

Each player searches on one thread. After Ctrl-C the same command continues. `gtp-engine gtp --help-parameters` lists the parameters.
Some have an effect only with a network, others only without one (--set evaluator=playouts). With --parameter, DIR gets pairs.jobs and
report.md, otherwise results.jsonl, games/*.sgf and report.html. See docs/tuning.md.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a parameter whose values play each other")
    parser.add_argument("values", nargs="*", metavar="VALUE", help="two or more values of it")
    parser.add_argument(
        "--parameter",
        action="append",
        default=[],
        dest="ranges",
        metavar="NAME=LOW:HIGH[:START]",
        help="tune this parameter between LOW and HIGH, beginning at START (default: its default); may be repeated",
    )
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="the folder for the games and results; made if it does not exist"
    )
    parser.add_argument("--visits", "--playouts", dest="playouts", type=number_argument(int), metavar="N", help="visits for each move")
    parser.add_argument("--seconds", type=number_argument(float), metavar="T", help="or: seconds for each move")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="set another parameter for all players; may be repeated"
    )
    parser.add_argument(
        "--confirm",
        type=number_argument(int),
        metavar="N",
        help="with --parameter: games of the best values against the start, at the end (default: a quarter of --games)",
    )
    parser.add_argument(
        "--batch",
        type=whole_number(1, MOST_PAIRS),
        default=8,
        metavar="PAIRS",
        help="with --parameter: pairs of games for each step; several times --jobs keep all processes busy (default: 8)",
    )
    add_ray_option(parser)
    add_group(parser.add_argument_group("games"), (GAMES, *(option for option in FIELDS if option[0] in OPTIONS)))
