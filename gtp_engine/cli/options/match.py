"""Options of `gtp-engine match`."""

import argparse
from pathlib import Path
from typing import Any

from gtp_engine.cli.options.jobs import add_ray_option
from gtp_engine.cli.options.shared import number_argument

FOLDER = Path("match")
PLAYOUTS_COMMAND = "gtp_engine-param playouts {}"
OPTIONS = {"patience": "--timeout", "start_patience": "--start-timeout"}  # other names of fields' options

HELP = "let GTP engines play each other"
DESCRIPTION = "Let GTP engines play each other."
EXAMPLES = """examples:
  gtp-engine match "gtp-engine --visits 500" "gnugo --mode gtp --chinese-rules" --games 20 --output games/first
  gtp-engine match A B C --size 13 --seconds 2 --jobs 2 --output D    round robin of three, 2 s a move, two games at once
  gtp-engine match NEW OLD --games 2000 --sprt 0,20 --output D        stop as soon as it is clear: 0 or 20 Elo stronger?
  gtp-engine match tournament.toml --output D                         everything from a file, see docs/match.md
  gtp-engine match submissions/ --size 5 --games 10 --output D        every player of a class, docs/course: files with choose_move

After Ctrl-C the same command continues. Put each engine's command in quotes; gtp-engine is this program.
Results are in DIR: results.jsonl, games/*.sgf, report.html.
"""

# Options for the fields of Tournament with the same name: (name, type, unit, meaning).
FIELDS: tuple[tuple[str, Any, str, str], ...] = (
    ("size", int, "N", "size of the board (default: 9)"),
    ("games", int, "N", "games of each pair of players (default: 20)"),
    ("komi", float, "POINTS", "points for White (default: 7.5)"),
    ("rules", str, "NAME", "chinese, japanese, aga, new_zealand, tromp-taylor, cgos or ing (default: chinese)"),
    (
        "openings",
        str,
        "WHAT",
        "how games begin: random:N is N random moves; or a folder of SGF files; two games each, colors exchanged (default: random:2)",
    ),
    ("opening_moves", int, "N", "the largest number of moves from each SGF file; 0: all (default: 0)"),
    ("seed", int, "N", "for the random openings, and for engines that know set_random_seed (default: 1)"),
    ("jobs", int, "N", "how many games to play at the same time (default: 1)"),
    (
        "format",
        str,
        "NAME",
        "round-robin: everybody plays everybody; gauntlet: the first engine plays each of the others (default: round-robin)",
    ),
    ("referee", str, "COMMAND", "a GTP engine that scores the finished games (default: the players score them)"),
    ("move_limit", int, "N", "end and score a game after this number of moves; 0: 4 for each point of the board (default: 0)"),
    ("patience", float, "SECONDS", "an engine without a clock loses when an answer takes longer (default: 120)"),
    ("start_patience", float, "SECONDS", "the same for answers before a game begins, and for its first move (default: 300)"),
    ("description", str, "TEXT", "a text for the report"),
)
TIMES = (
    ("seconds", float, "SECONDS", "time for each move; the engines are sent time_settings 0 SECONDS 1"),
    ("main_time", float, "SECONDS", "main time of each player in a game"),
    ("byo_yomi", float, "SECONDS", "time for each --stones moves after the main time"),
    ("stones", int, "N", "moves in each byo-yomi period (default: 1)"),
    ("tolerance", float, "SECONDS", "a player loses when an answer is later than this (default: 0.5)"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument(
        "engines",
        nargs="+",
        metavar="COMMAND",
        help="the commands of two or more engines, one tournament.toml, or one folder of players: Python files with a function choose_move",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=FOLDER,
        metavar="DIR",
        help=f"the folder for the games and results; made if missing (default: {FOLDER})",
    )
    add_ray_option(parser)
    for group, options in (("games", FIELDS), ("clock (default: none)", TIMES)):
        add_group(parser.add_argument_group(group), options)
    engines = parser.add_argument_group("engines")
    engines.add_argument("--names", metavar="A,B,...", help="names of the players (default: made from their commands)")
    engines.add_argument(
        "--setup", action="append", default=[], metavar="GTP", help="a GTP command for every engine after its start; may be repeated"
    )
    engines.add_argument(
        "--setup-for",
        action="append",
        default=[],
        nargs=2,
        metavar=("NAME", "GTP"),
        help="a GTP command for one player after its start; may be repeated",
    )
    engines.add_argument(
        "--visits",
        "--playouts",
        dest="playouts",
        metavar="N[,N...]",
        help="visits for each move: one number for all players, or one for each",
    )
    engines.add_argument(
        "--visits-command",
        "--playouts-command",
        dest="playouts_command",
        metavar="GTP",
        help=f"the GTP command that sets --visits; {{}} stands for the number (default: {PLAYOUTS_COMMAND})",
    )
    engines.add_argument(
        "--comment", metavar="GTP", help="a GTP command to ask a player after each of its moves; the answer is written into the SGF file"
    )
    engines.add_argument("--fresh", action="store_true", help="restart the engines for each game")
    engines.add_argument("--no-seed", action="store_true", help="do not send set_random_seed to the engines")
    test = parser.add_argument_group("sequential test of two players")
    test.add_argument(
        "--sprt", metavar="ELO0,ELO1", help="stop as soon as it is clear whether the first player is ELO0 or ELO1 stronger than the second"
    )
    for name, error in (("alpha", "ELO1 found where ELO0 is true"), ("beta", "ELO0 found where ELO1 is true")):
        text = f"how often this error may happen: {error} (default: 0.05)"
        test.add_argument(f"--{name}", type=number_argument(float), default=argparse.SUPPRESS, metavar="P", help=text)


def add_group(group: Any, options: tuple[tuple[str, Any, str, str], ...]) -> None:
    """Options without their own default: the tournament's defaults apply."""
    for name, kind, unit, text in options:
        convert = str if kind is str else number_argument(kind)
        option = "--" + name.replace("_", "-")
        group.add_argument(OPTIONS.get(name, option), dest=name, type=convert, default=argparse.SUPPRESS, metavar=unit, help=text)
        if name in OPTIONS:
            group.add_argument(option, dest=name, type=convert, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
