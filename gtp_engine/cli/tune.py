"""`gtp-engine tune`: tunes several search parameters at once, or compares values of one, by games."""

import argparse
from functools import partial
from typing import Any

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.cli.match import UNUSABLE, play
from gtp_engine.cli.options.tune import OPTIONS
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.tools.match.results import write_text
from gtp_engine.tools.match.tournament import TournamentError
from gtp_engine.tools.tuning.ranges import read_ranges
from gtp_engine.tools.tuning.report import REPORT, report_text
from gtp_engine.tools.tuning.run import PLAYERS, Settings, TuningPlan, run_tuning
from gtp_engine.tools.tuning.values import own_tournament, result_table, tuning_tournament

TUNING_GAMES = 400
CONFIRMATION_SHARE = 4  # games of the tuning for each game of the confirmation


def run(args: argparse.Namespace) -> int:
    """Play and print the result; 130 after Ctrl-C, 2 for an invalid run, otherwise 0."""
    try:
        return tune(args) if args.ranges else compare(args)
    except (TournamentError, StoreError) as error:
        tell("tune", str(error))
        return UNUSABLE


def compare(args: argparse.Namespace) -> int:
    """Compare values of one parameter. Raises TournamentError, StoreError."""
    if args.name is None:
        raise TournamentError("say what to tune: --parameter NAME=LOW:HIGH, or NAME VALUE VALUE ...")
    if args.confirm is not None:
        raise TournamentError("--confirm goes with --parameter: values that play each other need no confirmation")
    parameter = args.name.replace("-", "_")
    tournament = tuning_tournament(parameter, args.values, limit_of(args), read_assignments(args.set), settings_of(args))
    return play(tournament, args.output, "tune", lambda standings: result_table(standings, parameter), args.ray)


def tune(args: argparse.Namespace) -> int:
    """Tune several parameters; prints and writes the report. Raises TournamentError, StoreError."""
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


def show(progress: ProgressLine, done: int, total: int, center: Settings) -> None:
    """Show the progress and the current center."""
    progress.count(done, total, "games", "at " + ", ".join(f"{name} {text}" for name, text in center.items()))


def read_plan(args: argparse.Namespace) -> TuningPlan:
    """The plan of the command line. Raises TournamentError."""
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
