"""`gtp-engine problems`: generates positions with a proved answer from a seed."""

import argparse
import sys
from dataclasses import replace
from functools import partial
from typing import Any

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.job import JobDescription
from gtp_engine.base.jobs.run import run_missing
from gtp_engine.base.jobs.store import JobStore
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.cli.options.jobs import place_of
from gtp_engine.cli.options.problems import GRADES, SUITE
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.tools.problems.collection import SIZES
from gtp_engine.tools.problems.kinds import KINDS
from gtp_engine.tools.problems.learning import write_lessons
from gtp_engine.tools.problems.sheet import SheetError, check_sheet, draw_problems, write_sheet

STORE = "problems.jobs"  # the finished problems of an unfinished run, which the same command continues
PROBLEM = "gtp_engine.tools.problems.collection:problem_texts"
MOST_ON_SHEETS = 600


def run(args: argparse.Namespace) -> int:
    """Make the problems; the exit status, see EXAMPLES."""
    if (args.output is None) == (args.sheet is None):
        raise ConfigError("name a folder with --output, or a file with --sheet")
    if args.sheet is not None:
        return make_sheet(args)
    try:
        made, errors = make_all(args)
    except OSError as error:
        tell("problems", f"{args.output} cannot be written: {error.strerror}; name another folder with --output")
        return 2
    except StoreError as error:
        tell("problems", str(error))
        return 2
    except KeyboardInterrupt:
        tell("problems", f"stopped; the same command continues; the problems so far are in {args.output}")
        return INTERRUPTED
    print(f"{made} problem{'s' * (made != 1)} and the suite {SUITE} are in {args.output}", file=sys.stderr)
    for text in errors:
        tell("problems", text)
    return 1 if errors else 0


def make_sheet(args: argparse.Namespace) -> int:
    """Write a sheet; 0, or 2 if the file can't be written. Raises ConfigError."""
    if args.count > MOST_ON_SHEETS:
        raise ConfigError(f"--count {args.count}: sheets have at most {MOST_ON_SHEETS} problems")
    try:
        check_sheet(args.sheet)
        files = write_sheet(args.sheet, draw_problems(args.seed, args.count, args.grade or GRADES))
    except SheetError as error:
        raise ConfigError(f"--sheet: {error}") from error
    except OSError as error:
        tell("problems", f"{args.sheet} cannot be written: {error.strerror}; name another file with --sheet")
        return 2
    print(f"{args.count} problem{'s' * (args.count != 1)} are in {', '.join(map(str, files))}", file=sys.stderr)
    return 0


def make_all(args: argparse.Namespace) -> tuple[int, list[str]]:
    """Make the missing problems and write all files; returns the number of problems, and a sentence for each failure.

    Raises OSError, StoreError; KeyboardInterrupt after it has written the finished problems. The store is deleted once everything is made;
    the same command tries failures again.
    """
    args.output.mkdir(parents=True, exist_ok=True)
    settings = {"sizes": args.size or list(SIZES), "kinds": args.kind or list(KINDS)}
    jobs = (JobDescription(str(number), PROBLEM, {**settings, "number": number}, args.seed) for number in range(1, args.count + 1))
    store = JobStore(args.output / STORE, {"command": "problems", "lessons": True, "seed": args.seed, **settings})
    errors = []
    try:
        with ProgressLine("problems") as progress, replace(place_of(args), jobs=min(args.jobs, args.count)).runner(1) as runner:
            for result in run_missing(jobs, args.count, runner, store, partial(progress.count, noun="problems")):
                if result.error:
                    errors.append(f"problem {result.key} could not be made: {result.error}")
    finally:
        made = sorted((int(result.key), result.value) for result in store.results() if int(result.key) <= args.count)
        write_files(args, made)
        store.close()
    if not errors:
        (args.output / STORE).unlink()
    return len(made), errors


def write_files(args: argparse.Namespace, problems: list[tuple[int, dict[str, Any]]]) -> None:
    """Write the records and the suite, for (number, texts) of each problem, and record files for training on request. Raises OSError."""
    head = f"# gtp-engine problems --seed {args.seed} --count {args.count}: every answer is proved; see the comments of the records.\n\n"
    for _, texts in problems:
        (args.output / f"{texts['name']}.sgf").write_text(texts["sgf"], encoding="utf-8")
    (args.output / SUITE).write_text(head + "".join(texts["test"] for _, texts in problems), encoding="utf-8")
    if args.records:
        write_lessons([texts["lesson"] for _, texts in problems], args.output)
