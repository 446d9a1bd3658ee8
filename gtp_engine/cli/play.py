"""`gtp-engine play`: a game in the terminal."""

import argparse
from typing import Any

from gtp_engine.cli.options import add_options, configuration_of, number_argument
from gtp_engine.config.sources import DEFAULT, ConfigError
from gtp_engine.go.points import BLACK, WHITE

COLORS = {"black": {BLACK}, "white": {WHITE}, "both": {BLACK, WHITE}, "none": set[int]()}
INTERRUPTED = 130  # exit status after Ctrl-C, as shells have it
BOARD_SIZE = 9  # when nothing says otherwise: a game in ten minutes

EXAMPLES = """examples:
  gtp-engine play                              9x9, you are black
  gtp-engine play --size 19 --handicap 4       with four stones
  gtp-engine play --plain                      sentences instead of a drawn board
  gtp-engine play --color none --playouts 500  watch it play itself

Type a point (D4), pass, or help. NO_COLOR=1 draws without colors.
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    parser = subparsers.add_parser(
        "play", help="play in the terminal", description="Play against the engine in the terminal.", epilog=EXAMPLES
    )
    parser.add_argument("--color", choices=list(COLORS), default="black", help="your color (default: black)")
    parser.add_argument("--handicap", type=number_argument(int), default=0, metavar="STONES", help="black stones on the star points")
    parser.add_argument("--plain", action="store_true", help="sentences only, for screen readers")
    add_options(parser, leave_out=("gtp_name", "gtp_version", "kgs_chat", "chat_variation", "live_graphics", "log"))


def run(args: argparse.Namespace) -> int:
    """Play until the person quits; 130 after Ctrl-C. Raises ConfigError for a handicap that the board doesn't have."""
    configuration = configuration_of(args)
    if configuration.settings["size"].source == DEFAULT:
        configuration.set("size", BOARD_SIZE, DEFAULT)

    from rich.console import Console

    from gtp_engine.cli.gtp import build_engine
    from gtp_engine.go.handicap import fixed_handicap_points
    from gtp_engine.gtp.engine_loader import announce_compilation
    from gtp_engine.terminal.game import TerminalGame
    from gtp_engine.terminal.view import DrawnView, PlainView

    engine = build_engine(configuration)
    if args.handicap:
        try:
            engine.place_handicap(fixed_handicap_points(engine.game.size, args.handicap))
        except ValueError as error:
            raise ConfigError(f"--handicap {args.handicap}: {error} for this board") from error
    announce_compilation(engine.params.evaluator)
    view = PlainView() if args.plain else DrawnView(Console(highlight=False))
    try:
        TerminalGame(engine, COLORS[args.color], view, input).run()
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
    return 0
