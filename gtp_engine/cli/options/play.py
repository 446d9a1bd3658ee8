"""Options of `gtp-engine play`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import CLIENTS, COMMON, add_options, number_argument
from gtp_engine.interfaces.person.colors import COLORS

BOARD_SIZE = 9  # by default: a game in ten minutes
USUAL_COLOR = "black"
GO = "go"
GAMES = (GO, "tictactoe", "hexapawn")

TEXTS = {
    "size": f"size of the board (default: {BOARD_SIZE})",
    "rules": "the rules of the game (default: chinese)",
    "komi": "points for White (default: 7.5)",
    "seconds": "the engine's time for each move when `--visits` is 0 (default: 2.0)",
}

HELP = "play in the terminal or in the browser"
DESCRIPTION = "Play against the engine in the terminal, or on a board in the browser."
EXAMPLES = """examples:
  gtp-engine play                              9x9, you have black
  gtp-engine play --rank 12k                   an opponent that plays like a person of 12 kyu
  gtp-engine play --size 19 --handicap 4       with four handicap stones for black
  gtp-engine play --warn-blunders              warn when your move loses much, and offer to take it back
  gtp-engine play --level 1                    an opponent for beginners, weaker than 20k
  gtp-engine play --browser                    on a board in the browser; nobody else can reach it
  gtp-engine play --browser game.sgf           look at a game record there, and play on from any position
  gtp-engine play --browser --share            also on a phone in the local network, with a code
  gtp-engine play --plain                      sentences instead of a drawn board
  gtp-engine play --color none --visits 500    watch it play itself
  gtp-engine play --player greedy              against a simple player from docs/how-it-works.md
  gtp-engine play --game hexapawn --player minimax --color white    another game, and the engine begins

While the engine thinks, Ctrl-C makes it move at once; a second Ctrl-C, or one at the prompt, quits. An unfinished game is kept, and the
next start offers to continue it; the browser continues it at once. Type a point (D4), pass, or help. NO_COLOR=1 draws without colors.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("record", nargs="?", type=Path, metavar="SGF", help="with --browser, the game record to open")
    parser.add_argument("--game", choices=GAMES, default=GO, help="what to play (default: go)")
    parser.add_argument(
        "--color",
        choices=list(COLORS),
        default=USUAL_COLOR,
        help="your color; black begins in every game; both: two people play; none: the engine plays itself (default: black)",
    )
    parser.add_argument(
        "--handicap",
        type=number_argument(int),
        default=0,
        metavar="STONES",
        help="number of handicap stones for Black, on the star points (default: 0)",
    )
    parser.add_argument(
        "--warn-blunders", action="store_true", help="warn when your move loses much, and offer to take it back (takes seconds)"
    )
    parser.add_argument("--browser", action="store_true", help="play on a board in the browser of this machine")
    parser.add_argument(
        "--port",
        type=number_argument(int),
        default=0,
        metavar="N",
        help="with --browser, where the board is served (default: any free port)",
    )
    parser.add_argument(
        "--share", action="store_true", help="with --browser, also for others on the local network, with a code (default: off)"
    )
    parser.add_argument("--plain", action="store_true", help="describe the position in sentences instead of drawing it, for screen readers")
    add_options(
        parser,
        leave_out=CLIENTS,
        texts=TEXTS,
        common=(*COMMON, "player"),
    )
