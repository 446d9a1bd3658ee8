"""`gtp-engine tune`: tunes several search parameters at once, or compares values of one, by games."""

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.cli.job_options import add_ray_option
from gtp_engine.cli.match import FIELDS, UNUSABLE, add_group, play
from gtp_engine.cli.options import number_argument, whole_number
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.tools.match.tournament import TournamentError

if TYPE_CHECKING:
    from gtp_engine.tools.tuning.run import Settings, TuningPlan

OPTIONS = ("size", "komi", "rules", "openings", "opening_moves", "seed", "jobs")  # of a match that apply here
GAMES = (
    "games",
    int,
    "N",
    "games of the tuning (default: 400), or of each pair of values (default: 20); more make a finished run longer",
)
TUNING_GAMES = 400
CONFIRMATION_SHARE = 4  # games of the tuning for each game of the confirmation
MOST_PAIRS = 1000  # of a batch

HELP = "find the best values of search parameters by games"
DESCRIPTION = (
    "Let the engine play itself with different values of the search's parameters: either of several parameters at once, "
    "each within a range (--parameter), or all of the given values of one parameter against each other."
)
EXAMPLES = """examples:
  gtp-engine tune --parameter exploration=0:1 --parameter rave_visits=300:10000 --set evaluator=playouts --visits 400 --output tune/two
  gtp-engine tune --parameter nakade=0.2:1:0.5 --seconds 0.5 --size 13 --output D       start at 0.5, not at the default
  gtp-engine tune nakade 0.3 0.6 0.9 --visits 400 --games 100 --output tune/nakade    three values against each other
  gtp-engine tune ladders true false --seconds 0.5 --set nakade=0 --output D            all players with another value of nakade

Each player searches on one thread. After Ctrl-C the same command continues. `gtp-engine gtp --help-parameters` lists the parameters;
some have an effect only without a network, which is --set evaluator=playouts, or only with one. DIR gets pairs.jobs and report.md; with
values it gets results.jsonl, games/*.sgf and report.html. See docs/tuning.md.
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


def run(args: argparse.Namespace) -> int:
    """Play and print the result; 130 after Ctrl-C, 2 for an invalid run, otherwise 0."""
    try:
        return tune(args) if args.ranges else compare(args)
    except (TournamentError, StoreError) as error:
        tell("tune", str(error))
        return UNUSABLE


def compare(args: argparse.Namespace) -> int:
    """Compare values of one parameter. Raises TournamentError, StoreError."""
    from gtp_engine.tools.tuning.values import result_table, tuning_tournament

    if args.name is None:
        raise TournamentError("say what to tune: --parameter NAME=LOW:HIGH, or NAME VALUE VALUE ...")
    if args.confirm is not None:
        raise TournamentError("--confirm goes with --parameter: values that play each other need no confirmation")
    parameter = args.name.replace("-", "_")
    tournament = tuning_tournament(parameter, args.values, limit_of(args), read_assignments(args.set), settings_of(args))
    return play(tournament, args.output, "tune", lambda standings: result_table(standings, parameter), args.ray)


def tune(args: argparse.Namespace) -> int:
    """Tune several parameters; prints and writes the report. Raises TournamentError, StoreError."""
    from gtp_engine.tools.match.results import write_text
    from gtp_engine.tools.tuning.report import REPORT, report_text
    from gtp_engine.tools.tuning.run import run_tuning

    plan = read_plan(args)
    try:
        with ProgressLine("tune") as progress:
            result = run_tuning(plan, args.output, JobPlace(plan.tournament.jobs, args.ray), partial(show, progress))
    except KeyboardInterrupt:
        tell("tune", "interrupted; the same command continues from here")
        return INTERRUPTED
    text = report_text(result)
    write_text(args.output / REPORT, text + "\n")
    print(f"{text}\n\nreport: {args.output / REPORT}")
    return 0


def show(progress: ProgressLine, done: int, total: int, center: "Settings") -> None:
    """Show the progress and the current center."""
    progress.count(done, total, "games", "at " + ", ".join(f"{name} {text}" for name, text in center.items()))


def read_plan(args: argparse.Namespace) -> "TuningPlan":
    """The plan of the command line. Raises TournamentError."""
    from gtp_engine.tools.tuning.ranges import read_ranges
    from gtp_engine.tools.tuning.run import PLAYERS, TuningPlan
    from gtp_engine.tools.tuning.values import own_tournament

    if args.name is not None:
        raise TournamentError(f"give either --parameter or values that play each other; {args.name!r} belongs to neither")
    ranges = read_ranges(args.ranges)
    settings = {"games": TUNING_GAMES, **settings_of(args)}
    confirmation = settings["games"] // CONFIRMATION_SHARE if args.confirm is None else args.confirm
    if settings["games"] < 2 or confirmation < 0:
        raise TournamentError("--games must be at least 2, and --confirm at least 0")
    tournament = own_tournament([span.name for span in ranges], PLAYERS, limit_of(args), read_assignments(args.set), settings)
    return TuningPlan(ranges, tournament, confirmation // 2 * 2, args.batch)


def settings_of(args: argparse.Namespace) -> dict[str, Any]:
    """The given fields of a Tournament."""
    return {name: getattr(args, name) for name in ("games", *OPTIONS) if hasattr(args, name)}


def limit_of(args: argparse.Namespace) -> dict[str, float]:
    """The given limit of each search."""
    return {name: getattr(args, name) for name in ("playouts", "seconds") if getattr(args, name) is not None}


def read_assignments(texts: list[str]) -> dict[str, str]:
    """KEY=VALUE texts as a table. Raises TournamentError."""
    for text in texts:
        if "=" not in text:
            raise TournamentError(f"--set takes KEY=VALUE, not {text!r}")
    pairs = [text.split("=", 1) for text in texts]
    return {name.strip().replace("-", "_"): value.strip() for name, value in pairs}
