"""Options of `gtp-engine picture`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import number_argument

GAMES = ("tictactoe", "hexapawn", "go", "dice", "coins", "tree")
SEARCHES = ("minimax", "alphabeta", "expectiminimax", "maxn", "mcts")
ROUNDS = 1_000

HELP = "draw the search tree of a simple player as a picture"
DESCRIPTION = "Draw the tree of a textbook search as SVG."
EXAMPLES = """examples:
  gtp-engine picture --search alphabeta --game tictactoe --depth 2 --output tree.svg
  gtp-engine picture --search alphabeta --game tree --position '[[4, 2, 7], [3, 1], [5, 8]]' --output tree.svg
  gtp-engine picture --search mcts --game go --position '.X./XO./... b' --rounds 500 --output tree.svg
  gtp-engine picture --search expectiminimax --game dice --position '3 2' > tree.svg
  gtp-engine picture --search maxn --game coins --position '5 1 2 7' --output tree.svg

A position is one line: the rows with / between them, then the player to move if that isn't clear. The position of the dice game is its
limit and the faces of the die, that of the coin game the row of coins, and that of a tree a JSON text.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("--search", choices=SEARCHES, default="alphabeta", help="the search to draw (default: alphabeta)")
    parser.add_argument("--game", choices=GAMES, default="tictactoe", help="the game (default: tictactoe)")
    parser.add_argument("--position", metavar="TEXT", help="the position that the search starts from (default: the start of the game)")
    whole = number_argument(int)
    parser.add_argument(
        "--depth", type=whole, metavar="MOVES", help="how many moves to look ahead; for mcts, to draw (default: depends on the game)"
    )
    parser.add_argument("--rounds", type=whole, default=ROUNDS, help=f"how many rounds mcts plays (default: {ROUNDS})")
    parser.add_argument("--seed", type=whole, default=1, help="seed of the random numbers of mcts (default: 1)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file to write (default: standard output)")
