"""`gtp-engine picture`: a search of the textbook as an SVG picture."""

import argparse
from pathlib import Path

from gtp_engine.base.files import write_file
from gtp_engine.cli.options import number_argument
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.textbook.picture import draw
from gtp_engine.textbook.recordings import SEARCHES as RECORDINGS
from gtp_engine.textbook.recordings import Request
from gtp_engine.textbook.search_tree import describe

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

A position is one line: rows with / between them, then who is to move where it isn't clear; of a dice game its limit and the faces
of the die; of coins in a row the coins; of a tree a JSON text.
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


def run(args: argparse.Namespace) -> int:
    """Search, draw and write; 0. Raises ConfigError for a position, depth or tree that can't be drawn and a file that can't be written."""
    from gtp_engine.textbook.positions import NOTATIONS, read_position

    notation = NOTATIONS[args.game]
    depth = notation.depth if args.depth is None else args.depth
    try:
        position = read_position(args.game, notation.start if args.position is None else args.position)
        tree = RECORDINGS[args.search](Request(position, depth, notation.evaluate, args.rounds, args.seed, notation.rollout))
        text = draw(tree, f"{args.search}, {args.game}", describe(tree))
    except ValueError as error:
        raise ConfigError(str(error)) from error
    write(text, args.output)
    return 0


def write(text: str, file: Path | None) -> None:
    """Write to the file, or else to standard output. Raises ConfigError when the file can't be written, OSError for standard output."""
    if file is None:
        print(text, end="", flush=True)
        return
    try:
        write_file(file, text.encode())
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}") from error
