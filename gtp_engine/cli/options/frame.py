"""Options of `gtp-engine frame`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import number_argument, whole_number

SUITE = "framed.tst"
THREATS = {"none": 0, "some": 1, "many": 2}  # ko threats of each side
MOST_MARGIN = 10
PLAYOUTS, MOST_PLAYOUTS = 2_000, 1_000_000  # of a search for the komi: about a fifth of a second

HELP = "turn local problems into whole-board problems"
DESCRIPTION = """Frame local problems: fill the board around them with living stones, and set a komi by which the fight decides the game.

A local problem is a record with a few stones on an empty board. Marks on the stones in question show who is surrounded; without marks,
this is guessed. Komi is halfway between the two that make the game even, one for each side to play first. Searches estimate it, and
nothing is proved. If a record calls first moves right (Correct, Right or TE), a suite asks for them."""
EXAMPLES = f"""examples:
  gtp-engine frame problem.sgf --output framed                  framed/problem.sgf, and the suite framed/{SUITE}
  gtp-engine frame collection/ --threats some --output framed   a folder; each side has a ko threat
  gtp-engine regress framed/{SUITE} --seconds 1                 what this engine plays
  gtp-engine frame problem.sgf --margin 1 --output framed       a tighter frame
  gtp-engine frame collection/ --visits 0 --output framed       without a search: komi from a count of points

exit status: 0 all were framed, 1 some could not be, 2 nothing could be written, 130 after Ctrl-C; the finished ones are kept
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="an SGF file, or a folder of them")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="the folder for the records and the suite; made if missing"
    )
    parser.add_argument(
        "--margin",
        type=whole_number(0, MOST_MARGIN),
        default=2,
        metavar="N",
        help="empty points between the stones and the frame (default: 2)",
    )
    parser.add_argument("--threats", choices=list(THREATS), default="none", help="ko threats of each side in the frame (default: none)")
    parser.add_argument("--seed", type=number_argument(int), default=1, metavar="N", help="seed of the random numbers (default: 1)")
    parser.add_argument(
        "--visits",
        "--playouts",
        dest="playouts",
        type=whole_number(0, MOST_PLAYOUTS),
        default=PLAYOUTS,
        metavar="N",
        help=f"visits of each search for the komi, twelve at most; 0: no search (default: {PLAYOUTS})",
    )
