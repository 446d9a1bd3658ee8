"""Options of `gtp-engine train records`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import whole_number

MOST_SEED = 2**63 - 1

HELP = "write SGF files as one compact record file; needs no extra"
EXAMPLES = """examples:
  gtp-engine train records club/ games.npz.xz                 all games on 19x19 in the folder club, with ranks and komi
  gtp-engine train records ogs/ server.sgf small.npz.xz --size 9   games on 9x9 of a folder and a file
  gtp-engine train evaluate small.npz.xz                      how often the included network predicts their moves

Damaged records, other board sizes, games with handicap or set-up stones and games without a winner are left out and counted by reason.
Ranks come from BR and WR; one with a question mark counts as unknown. --seed shuffles the games, because the last ones are held out
when a network learns.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train records`."""
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="SGF files and folders of them")
    parser.add_argument("records", type=Path, metavar="RECORDS", help="the file to write: NAME.npz, or NAME.npz.xz, which is smaller")
    parser.add_argument("--size", type=int, choices=range(2, 20), default=19, metavar="LINES", help="size of the board (default: 19)")
    parser.add_argument("--seed", type=whole_number(0, MOST_SEED), default=1, metavar="N", help="seed of the games' order (default: 1)")
