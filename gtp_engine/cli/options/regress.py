"""Options of `gtp-engine regress`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.jobs import add_job_options
from gtp_engine.cli.options.shared import CLIENTS, add_options, argument, read_seconds

PATIENCE = 120.0  # seconds: a first start compiles

HELP = "run test suites of positions on an engine"
DESCRIPTION = "Run test suites, in the format of gogui-regress, on this engine or another one."
EXAMPLES = """examples:
  gtp-engine regress tests/gtp/*.tst --seconds 1           this engine, a second a move
  gtp-engine regress tests/gtp/*.tst --output results      keep results; the next run names what changed
  gtp-engine regress tests/gtp/*.tst --junit results.xml   for a build server
  gtp-engine regress ko.tst --engine "gnugo --mode gtp"    any GTP engine
  gtp-engine regress @all.txt --visits 500 --jobs 2        the suites that all.txt lists, two at a time

A suite is a file of GTP commands. A numbered command is a test; the line after it gives the expected answer.

  loadsgf ladder.sgf 4
  10 reg_genmove b
  #? [C3|D4]              a regular expression; [!C3] for any other answer; a * after the bracket marks a known failure

Exit status: 0 if nothing failed unexpectedly, 1 otherwise, 2 if a suite cannot be run, 130 after Ctrl-C.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a suite (a .tst file); @FILE: a file that lists suites, one a line")
    parser.add_argument("--engine", metavar="CMD", help="the engine's command line (default: this engine, with the options below)")
    add_job_options(parser, "how many suites to run at the same time; they share the processors")
    parser.add_argument(
        "--timeout", type=argument(read_seconds), default=PATIENCE, metavar="S", help=f"how long an answer may take (default: {PATIENCE:g})"
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="write results.json and the page index.html there, and print what changed since the last run",
    )
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write the results as JUnit's XML, for build servers and editors")
    add_options(parser, leave_out=CLIENTS)
