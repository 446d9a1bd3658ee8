"""`gtp-engine review`: judges games move by move."""

import argparse
import sys
from dataclasses import replace
from typing import Any

from gtp_engine.base.files import visible
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.cli.options.jobs import place_of
from gtp_engine.cli.options.shared import configuration_of
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.engine.config.sources import COMMAND_LINE, Configuration
from gtp_engine.go.rules import RULE_SETS
from gtp_engine.tools.practice.mistakes import keep_review
from gtp_engine.tools.practice.notebook import Notebook, default_path
from gtp_engine.tools.review.batch import ReviewOutcome, Task, cut, find_jobs, review_all
from gtp_engine.tools.review.development import GameTally, developments, own_colors, tallies_of
from gtp_engine.tools.review.index import ReviewIndex
from gtp_engine.tools.review.judged_by import usual_settings
from gtp_engine.tools.review.output import OutputError, check_folder
from gtp_engine.tools.review.progress import ReviewProgress
from gtp_engine.tools.review.tables import advice_text, outcome_text

WHOLE_GAME = 4.0  # long searches for each move, more than a game needs
FAILED = "failed"  # a ReviewOutcome's status


def run(args: argparse.Namespace) -> int:
    """Review; 0, 1 if a game could not be reviewed, 2 if the output folder can't be written, 130 after Ctrl-C."""
    task = make_task(args, configuration_of(args))

    try:
        check_folder(task.output)
    except OutputError as error:
        tell("review", str(error))
        return 2
    try:
        return review(task, place_of(args), args.mine)
    except OutputError as error:
        tell("review", str(error))
        return 1
    except KeyboardInterrupt:
        print("gtp-engine review: stopped; the same command continues from here", file=sys.stderr)
        return INTERRUPTED


def make_task(args: argparse.Namespace, configuration: Configuration) -> Task:
    """The task of the options. Only the command line sets the effort, because a file's seconds for a move are meant for playing."""
    settings = configuration.settings
    effort = usual_settings(configuration.search_params())
    limits = {name: settings[name].value for name in ("playouts", "seconds") if settings[name].source == COMMAND_LINE}
    if limits.get("seconds") and not limits.get("playouts"):
        effort = replace(effort, playouts=0, seconds=limits["seconds"])
    elif limits.get("playouts"):
        effort = replace(effort, playouts=limits["playouts"])
    if args.quick:
        effort = replace(effort, share=0.0)
    elif args.minutes:
        effort = replace(effort, minutes=args.minutes, share=WHOLE_GAME)
    if args.moves:
        effort = replace(effort, first_move=args.moves[0], last_move=args.moves[1])
    front_end = configuration.front_end()
    return Task(args.games, args.output, effort, configuration.search_params(), RULE_SETS[front_end.rules], front_end.komi)


def review(task: Task, place: JobPlace, mine: str) -> int:
    """Review the games and print the outcomes; 1 if one failed, otherwise 0. `mine`: see --mine."""
    jobs, failures = find_jobs(task)
    index = ReviewIndex(task.output, failures)
    outcomes: list[ReviewOutcome] = []
    try:
        with ProgressLine("review") as progress:
            for outcome in review_all(task, jobs, ReviewProgress(progress), place):
                outcomes.append(outcome)
                index.add(outcome)
    finally:
        page = index.write()
    for outcome in [*failures, *outcomes]:
        print_outcome(outcome)
    if page is not None and jobs:
        print(f"all games: {visible(page)}", flush=True)
    if mine:
        print_own([outcome.document for outcome in outcomes if outcome.status != FAILED], mine)
    advice = advice_text(outcome.document for outcome in outcomes)
    if advice:
        print(advice, flush=True)
    if not jobs and not failures:
        print("gtp-engine review: there are no .sgf files in these folders", file=sys.stderr)
        return 1
    return int(any(outcome.status == FAILED for outcome in [*failures, *outcomes]))


def print_own(documents: list[dict[str, Any]], mine: str) -> None:
    """Keep the mistakes of a player for practice, and print the player's progress."""
    notebook, added = Notebook(default_path()), 0
    games: dict[str, GameTally] = {}
    for document in documents:
        colors = own_colors(document, mine)
        tallies = tallies_of(document, colors)
        games |= tallies
        try:
            added += keep_review(notebook, document.get("lessons", []), {name: tally.as_dict() for name, tally in tallies.items()}, colors)
        except OSError as error:
            tell("review", f"mistakes cannot be kept in {notebook.path}: {error.strerror}")
            return
    print(f"{added} new mistake{'' if added == 1 else 's'} to practise in `gtp-engine play --browser`", flush=True)
    for trend in developments(list(games.values())):
        print(f"  {trend.text()}", flush=True)


def print_outcome(outcome: ReviewOutcome) -> None:
    """Print a game's figures and its page on stdout, or its error on stderr."""
    if outcome.status == FAILED:
        tell("review", f"{outcome.title}: {outcome.reason}")
    elif outcome.folder is not None:
        if cut(outcome):
            tell("review", f"{outcome.title}: {cut(outcome)}")
        print(visible(f"{outcome_text(outcome.document)}\n  {outcome.folder / outcome.folder.name}.html"), flush=True)
