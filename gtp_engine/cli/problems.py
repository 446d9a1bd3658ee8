"""`gtp-engine problems`: positions with a proved answer, made from a seed."""

import argparse
import sys
from pathlib import Path
from typing import Any

from gtp_engine.cli.options import argument, number_argument
from gtp_engine.config.values import suggestion

INTERRUPTED = 130  # exit status after Ctrl-C, as shells have it
SUITE = "problems.tst"
MOST = 9999  # problems: the numbers in the names have four digits

DESCRIPTION = """Make problems of reading: life and death, ko, seki, races, stones to catch. Each is a whole board on which it
decides the game, with the result proved and every first move that reaches it. The same seed gives the same files."""
EXAMPLES = f"""examples:
  gtp-engine problems --seed 1 --count 100 --output work              100 problems and the suite work/{SUITE}
  gtp-engine problems --seed 2 --count 20 --size 9 --output small     on 9x9 only
  gtp-engine problems --kind ko --kind seki --output kos              two kinds only
  gtp-engine regress work/{SUITE} --seconds 1                   what this engine makes of them

exit status: 0 all were made, 2 the folder cannot be written, 130 after Ctrl-C; what was made until then is kept
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    parser = subparsers.add_parser("problems", help="make problems with proved answers", description=DESCRIPTION, epilog=EXAMPLES)
    parser.add_argument("--seed", type=number_argument(int), default=1, metavar="N", help="what the problems are drawn from (default: 1)")
    parser.add_argument("--count", type=argument(read_count), default=100, metavar="N", help=f"how many, up to {MOST} (default: 100)")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="the folder for the records and the suite; made if missing"
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


def read_count(text: str) -> int:
    """How many problems. Raises ValueError."""
    value: int = number_argument(int)(text)
    if not 1 <= value <= MOST:
        raise ValueError(f"{text!r} is not a number from 1 to {MOST}")
    return value


def read_kind(text: str) -> str:
    """One of the kinds. Raises ValueError."""
    from gtp_engine.problems.kinds import KINDS

    if text not in KINDS:
        raise ValueError(f"{text!r} is not one of {', '.join(KINDS)}{suggestion(text, list(KINDS))}")
    return text


def run(args: argparse.Namespace) -> int:
    """Make the problems, one after the other; the exit status, see EXAMPLES."""
    made = 0
    try:
        args.output.mkdir(parents=True, exist_ok=True)
        with (args.output / SUITE).open("w", encoding="utf-8") as suite:
            for made, text in enumerate(write_all(args, suite), 1):
                print(f"\rgtp-engine problems: {made} of {args.count}, {text:<40}", end="", file=sys.stderr, flush=True)
    except OSError as error:
        print(f"gtp-engine problems: {args.output} cannot be written: {error.strerror}; name another folder with --output", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\ngtp-engine problems: stopped; {made} of {args.count} are in {args.output}", file=sys.stderr)
        return INTERRUPTED
    print(f"\n{made} problems and the suite {SUITE} are in {args.output}", file=sys.stderr)
    return 0


def write_all(args: argparse.Namespace, suite: Any) -> Any:
    """Write each problem and its test; gives back the name of each."""
    from gtp_engine.problems.collection import SIZES, make_problems
    from gtp_engine.problems.kinds import KINDS

    suite.write(
        f"# gtp-engine problems --seed {args.seed} --count {args.count}: every answer is proved; see the comments of the records.\n\n"
    )
    kinds, sizes = tuple(args.kind or KINDS), tuple(args.size or SIZES)
    for number, problem in enumerate(make_problems(args.seed, args.count, sizes, kinds), 1):
        (args.output / f"{problem.name}.sgf").write_text(problem.sgf(), encoding="utf-8")
        suite.write(problem.test(10 * number))
        suite.flush()
        yield problem.name
