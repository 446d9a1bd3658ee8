"""Options of `gtp-engine rank`."""

import argparse
from pathlib import Path

HELP = "estimate the players' ranks from their moves"
DESCRIPTION = """Estimate the rank of each player from the moves, in games on 9x9.

For each rank from 20k to 3d, a network predicts how likely people of that rank play each move. The estimate is the rank that makes the
moves likeliest, on the scale of the OGS server. It depends on the moves, not on who won. One game says little, so read the interval."""
EXAMPLES = """examples:
  gtp-engine rank game.sgf                    both players of a game
  gtp-engine rank my-games/ --player Judit    all games of one player together
  gtp-engine rank game.sgf --player black
  gtp-engine rank game.sgf --mistakes         review it, too: the mistakes, those within reach first, and who finds the better move
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("games", type=Path, nargs="+", metavar="GAME.sgf", help="records, or folders of them")
    parser.add_argument("--player", default="", metavar="WHO", help="black, white, or a player's name in the records (default: everybody)")
    parser.add_argument(
        "--mistakes", action="store_true", help="review the games, too, and list the mistakes that people five ranks stronger avoid"
    )
