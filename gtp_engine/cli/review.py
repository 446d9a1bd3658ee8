"""`gtp-engine review`: judges games move by move."""

import argparse
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine.base.files import visible
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.cli.job_options import add_job_options, place_of
from gtp_engine.cli.options import CLIENTS, PLAYING, WHO_PLAYS, add_options, argument, configuration_of
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.engine.config.sources import COMMAND_LINE, Configuration
from gtp_engine.go.rules import RULE_SETS
from gtp_engine.tools.practice.mistakes import keep_review
from gtp_engine.tools.practice.notebook import Notebook, default_path

if TYPE_CHECKING:
    from gtp_engine.tools.review.batch import ReviewOutcome, Task

WHOLE_GAME = 4.0  # long searches for each move, more than a game needs
FOLDER = Path("review")
FAILED = "failed"  # a ReviewOutcome's status

TEXTS = {
    "rules": "the rules, where a record names none (default: chinese)",
    "komi": "points for White, where a record names none (default: 7.5)",
    "playouts": "visits for each position where the lead swings (default: 150, with a large network 100)",
    "seconds": "time for each such position, instead of --visits (default: none)",
}

HELP = "judge the moves of game records"
DESCRIPTION = "Judge every move of game records, and write web pages, annotated records, tables and plots."
EXAMPLES = """examples:
  gtp-engine review game.sgf                     a page, a record, tables and plots in review/game/
  gtp-engine review game.sgf --quick             a first look only, in seconds
  gtp-engine review game.sgf --moves 10-50       search only these moves
  gtp-engine review game.sgf --minutes 10        as thoroughly as ten minutes allow
  gtp-engine review games/ --visits 1000       every *.sgf in a folder and its folders, more thoroughly
  gtp-engine review games/ --mine Judit          Judit's mistakes become exercises of `gtp-engine play --browser`
  gtp-engine review *.sgf --seconds 2 --output ~/reviews

First every position gets a quick look, and a page shows the result. Then the moves where the lead swings are searched with 150 visits,
or by --visits or --seconds. After Ctrl-C, the same command continues. Open the .html file in a browser; the .sgf file is for
Sabaki and KaTrain.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("games", nargs="+", type=Path, metavar="GAME.sgf", help="records, or folders of them")
    parser.add_argument("--output", type=Path, default=FOLDER, metavar="DIR", help="a folder is made here for each game (default: review)")
    parser.add_argument(
        "--moves",
        type=read_moves,
        default=None,
        metavar="10-50",
        help="search these moves only; the others get a first look (default: all)",
    )
    parser.add_argument(
        "--mine",
        default="",
        metavar="WHO",
        help="keep this player's mistakes for practice in `play --browser`: black, white, or a name in the records",
    )
    add_job_options(parser, "how many games to review at the same time; they share the processors")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--quick", action="store_true", help="only the first look at every position")
    length.add_argument(
        "--minutes", type=argument(read_minutes), default=0.0, metavar="N", help="for each game; ends sooner when nothing is in doubt"
    )
    add_options(parser, leave_out=(*WHO_PLAYS, "size", *CLIENTS, *PLAYING), texts=TEXTS)


def read_move_number(text: str) -> int:
    """A number of a move, 1 or more."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) < 100_000):
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a move")
    return int(text)


def read_moves(text: str) -> tuple[int, int]:
    """Two move numbers separated by a dash, or a single one."""
    first, dash, last = text.partition("-")
    start = read_move_number(first)
    end = read_move_number(last) if dash else start
    if end < start:
        raise argparse.ArgumentTypeError(f"{text!r}: the second number must not be below the first")
    return start, end


def read_minutes(text: str) -> float:
    """A number of minutes above 0."""
    minutes = float(text)
    if not 0.0 < minutes < math.inf:
        raise ValueError("it must be above 0")
    return minutes


def run(args: argparse.Namespace) -> int:
    """Review; 0, 1 if a game could not be reviewed, 2 if the output folder can't be written, 130 after Ctrl-C."""
    task = make_task(args, configuration_of(args))
    from gtp_engine.tools.review.output import OutputError, check_folder

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


def make_task(args: argparse.Namespace, configuration: Configuration) -> "Task":
    """The task of the options. Only the command line sets the effort, because a file's seconds for a move are meant for playing."""
    from gtp_engine.tools.review.batch import Task
    from gtp_engine.tools.review.judged_by import usual_settings

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


def review(task: "Task", place: JobPlace, mine: str) -> int:
    """Review the games and print the outcomes; 1 if one failed, otherwise 0. `mine`: see --mine."""
    from gtp_engine.tools.review.batch import find_jobs, review_all
    from gtp_engine.tools.review.index import ReviewIndex
    from gtp_engine.tools.review.progress import ReviewProgress
    from gtp_engine.tools.review.tables import advice_text

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


def print_own(documents: "list[dict[str, Any]]", mine: str) -> None:
    """Keep the mistakes of a player for practice, and print the player's progress."""
    from gtp_engine.tools.review.development import GameTally, developments, own_colors, tallies_of

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


def print_outcome(outcome: "ReviewOutcome") -> None:
    """Print a game's figures and its page on stdout, or its error on stderr."""
    from gtp_engine.tools.review.batch import cut
    from gtp_engine.tools.review.tables import outcome_text

    if outcome.status == FAILED:
        tell("review", f"{outcome.title}: {outcome.reason}")
    elif outcome.folder is not None:
        if cut(outcome):
            tell("review", f"{outcome.title}: {cut(outcome)}")
        print(visible(f"{outcome_text(outcome.document)}\n  {outcome.folder / outcome.folder.name}.html"), flush=True)
