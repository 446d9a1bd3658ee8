"""`gtp-engine play`: a game in the terminal."""

import argparse
import os
import random
import sys
from typing import Any

from gtp_engine.cli.options import add_options, configuration_of, number_argument
from gtp_engine.config.front_end import OUR_SEARCH
from gtp_engine.config.sources import DEFAULT, ConfigError, Configuration
from gtp_engine.go.points import BLACK, WHITE

COLORS = {"black": {BLACK}, "white": {WHITE}, "both": {BLACK, WHITE}, "none": set[int]()}
INTERRUPTED = 130  # exit status after Ctrl-C, as shells have it
BOARD_SIZE = 9  # when nothing says otherwise: a game in ten minutes
GO = "go"
GAMES = (GO, "tictactoe", "hexapawn")
SMALL_GAME_PLAYER = "textbook-mcts"  # our own search knows only Go

EXAMPLES = """examples:
  gtp-engine play                              9x9, you are black
  gtp-engine play --size 19 --handicap 4       with four handicap stones for black
  gtp-engine play --level 3                    a weak opponent, from 1 to 20
  gtp-engine play --plain                      sentences instead of a drawn board
  gtp-engine play --color none --playouts 500  watch it play itself
  gtp-engine play --player greedy              against a simple player from docs/how-it-works.md
  gtp-engine play --game hexapawn --player minimax --color white    another game, and the engine begins

Type a point (D4), pass, or help. NO_COLOR=1 draws without colors.
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    parser = subparsers.add_parser(
        "play", help="play in the terminal", description="Play against the engine in the terminal.", epilog=EXAMPLES
    )
    parser.add_argument("--game", choices=GAMES, default=GO, help="what to play (default: go)")
    parser.add_argument(
        "--color",
        choices=list(COLORS),
        default="black",
        help="your color; black begins in every game; none: watch the engine play itself (default: black)",
    )
    parser.add_argument(
        "--handicap",
        type=number_argument(int),
        default=0,
        metavar="STONES",
        help="number of handicap stones for Black, on the star points (default: 0)",
    )
    parser.add_argument("--plain", action="store_true", help="tell the position in sentences instead of drawing it, for screen readers")
    add_options(parser, leave_out=("gtp_name", "gtp_version", "kgs_chat", "chat_variation", "live_graphics", "log"))


def run(args: argparse.Namespace) -> int:
    """Play until the person quits; 130 after Ctrl-C. Raises ConfigError for options that don't suit the game or the board."""
    configuration = configuration_of(args)
    play = play_go if args.game == GO else play_small_game
    try:
        play(args, configuration)
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads any more: the flush at the end must not fail again
    return 0


def play_go(args: argparse.Namespace, configuration: Configuration) -> None:
    """Go, against our search or a player from the textbook."""
    if configuration.settings["size"].source == DEFAULT:
        configuration.set("size", BOARD_SIZE, DEFAULT)

    from rich.console import Console

    from gtp_engine.cli.gtp import build_engine
    from gtp_engine.go.handicap import fixed_handicap_points
    from gtp_engine.terminal.game import TerminalGame
    from gtp_engine.terminal.view import DrawnView, PlainView

    engine = build_engine(configuration)
    if args.handicap:
        try:
            engine.state.place_handicap(fixed_handicap_points(engine.game.size, args.handicap))
        except ValueError as error:
            raise ConfigError(f"--handicap {args.handicap}: {error} for this board") from error
    engine.warm_up()
    view = PlainView() if args.plain else DrawnView(Console(highlight=False))
    TerminalGame(engine, COLORS[args.color], view, input).run()


def play_small_game(args: argparse.Namespace, configuration: Configuration) -> None:
    """Tic-tac-toe or hexapawn, against a simple player from docs/how-it-works.md."""
    setting = configuration.settings["player"]
    if setting.source == DEFAULT:
        configuration.set("player", SMALL_GAME_PLAYER, DEFAULT)
    elif setting.value == OUR_SEARCH:
        raise ConfigError(f"--player {OUR_SEARCH} plays only go: choose another player for {args.game}")
    if args.handicap:
        raise ConfigError(f"--handicap: there is none in {args.game}")
    if configuration.front_end().level:
        raise ConfigError(f"--level: there are none in {args.game}")

    from gtp_engine.terminal.board_game import BoardGame
    from gtp_engine.textbook.players import GAMES as TABLES
    from gtp_engine.textbook.players import ROUNDS, make_player

    params = configuration.search_params()
    table = TABLES[args.game]
    player = make_player(configuration.front_end().player, table, random.Random(params.seed or None), params.playouts or ROUNDS)
    people = {color - BLACK for color in COLORS[args.color]}
    BoardGame(table.start, people, player, lambda text: print(text, flush=True), input).run()
