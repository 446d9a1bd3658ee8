"""Options of `gtp-engine problems`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.jobs import add_job_options
from gtp_engine.cli.options.shared import argument, number_argument, whole_number
from gtp_engine.engine.config.values import suggestion

SUITE = "problems.tst"
GRADES = ("very easy", "easy", "medium", "hard", "very hard")
MOST = 9999  # problems: the numbers in the names have four digits

HELP = "generate problems with proved answers"
DESCRIPTION = """Generate reading problems: life and death, ko, seki, races, captures. Each is a whole board on which the problem decides
the game, with a proved result and all correct first moves. The same seed gives the same files."""
EXAMPLES = f"""examples:
  gtp-engine problems --seed 1 --count 100 --output work              100 problems and the suite work/{SUITE}
  gtp-engine problems --seed 2 --count 20 --size 9 --output small     on 9x9 only
  gtp-engine problems --kind ko --kind seki --output kos              two kinds only
  gtp-engine regress work/{SUITE} --seconds 1                   solve them with this engine
  gtp-engine problems --count 500 --jobs 4 --output many        four processes
  gtp-engine problems --sheet work.pdf --count 24 --grade easy  two pages to print, for which the extra `plots` is needed
  gtp-engine problems --seed 9 --count 5000 --records --output lessons   with record files for `gtp-engine train imitation`

exit status: 0 all were generated, 1 some could not be, 2 the folder cannot be written, 130 after Ctrl-C; then the same command continues
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("--seed", type=number_argument(int), default=1, metavar="N", help="seed of the random numbers (default: 1)")
    parser.add_argument("--count", type=whole_number(1, MOST), default=100, metavar="N", help=f"how many, up to {MOST} (default: 100)")
    parser.add_argument("--output", type=Path, metavar="DIR", help="the folder for the records and the suite; made if missing")
    parser.add_argument(
        "--sheet",
        type=Path,
        metavar="FILE",
        help="instead of a folder: a printable sheet of small problems with answers, .pdf or .svg, twelve to a page",
    )
    parser.add_argument(
        "--grade", action="append", choices=GRADES, metavar="WORD", help=f"for --sheet: {', '.join(GRADES)}; may be repeated (default: all)"
    )
    parser.add_argument(
        "--size", action="append", type=int, choices=(9, 13, 19), metavar="LINES", help="board: 9, 13 or 19; may be repeated (default: all)"
    )
    parser.add_argument(
        "--kind",
        action="append",
        type=argument(read_kind),
        metavar="KIND",
        help="kill, live, nakade, ko, ...; may be repeated (default: all)",
    )
    parser.add_argument(
        "--records", action="store_true", help="also write record files to learn from, such as problems-9x9.npz, with every right move"
    )
    add_job_options(parser, "number of processes; the files are the same")


def read_kind(text: str) -> str:
    """One of the kinds. Raises ValueError."""
    from gtp_engine.tools.problems.kinds import KINDS

    if text not in KINDS:
        raise ValueError(f"{text!r} is not one of {', '.join(KINDS)}{suggestion(text, list(KINDS))}")
    return text
