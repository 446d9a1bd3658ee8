"""Options of `gtp-engine review`."""

import argparse
import math
from pathlib import Path

from gtp_engine.cli.options.jobs import add_job_options
from gtp_engine.cli.options.shared import CLIENTS, PLAYING, WHO_PLAYS, add_options, argument

FOLDER = Path("review")

TEXTS = {
    "rules": "the rules, where a record names none (default: chinese)",
    "komi": "points for White, where a record names none (default: 7.5)",
    "playouts": "visits for each position where the lead swings (default: 150, with a large network 25)",
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
