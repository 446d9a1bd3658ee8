"""`gtp-engine match`: GTP engines play each other."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.base.systems import join_command
from gtp_engine.cli.job_options import add_ray_option
from gtp_engine.cli.options import number_argument
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.streams import silence_stdout
from gtp_engine.tools.match.tournament import Tournament, TournamentError
from gtp_engine.tools.match.tournament_file import load_tournament, tournament_from

if TYPE_CHECKING:
    from gtp_engine.tools.match.standings import Standings

UNUSABLE = 2  # for an invalid command line or file, like argparse
TOML = ".toml"
FOLDER = Path("match")
PLAYOUTS_COMMAND = "gtp_engine-param playouts {}"
ENGINES = ("names", "setup", "setup_for", "playouts", "playouts_command", "comment", "fresh", "no_seed")  # options of engines
LONGEST_NAME = 40  # characters of a player's default name
ERRORS = ("alpha", "beta")  # of a sequential test
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


def run(args: argparse.Namespace) -> int:
    """Play and print the standings; 130 after Ctrl-C, 2 for an invalid tournament, otherwise 0."""
    try:
        if len(args.engines) == 1 and Path(args.engines[0]).is_dir():
            take_players_of(Path(args.engines[0]), args)
        return play(read_tournament(args), args.output, ray=args.ray)
    except (TournamentError, StoreError) as error:
        tell("match", str(error))
        return UNUSABLE


def no_more(standings: "Standings") -> str:
    """Nothing in addition to the summary."""
    return ""


def play(
    tournament: Tournament, output: Path, subcommand: str = "match", more: Callable[["Standings"], str] = no_more, ray: str = ""
) -> int:
    """Play with progress on stderr, then print the summary on stdout, followed by the text from `more`."""
    from gtp_engine.tools.match.results import load_records
    from gtp_engine.tools.match.runner import run_tournament
    from gtp_engine.tools.match.standings import Standings

    try:
        with ProgressLine(subcommand) as progress:
            standings = run_tournament(tournament, output, progress, ray)
    except KeyboardInterrupt:
        print_summary(Standings(tournament, load_records(output)), output, more)
        print(f"gtp-engine {subcommand}: interrupted; the same command continues from here", file=sys.stderr)
        return INTERRUPTED
    print_summary(standings, output, more)
    return 0


def print_summary(standings: "Standings", output: Path, more: Callable[["Standings"], str]) -> None:
    """Print the figures and the place of the report."""
    from gtp_engine.tools.match.report import REPORT_FILE
    from gtp_engine.tools.match.tables import summary

    try:
        parts = [summary(standings), more(standings), f"report: {output / REPORT_FILE}"]
        print("\n\n".join(filter(None, parts)), flush=True)
    except BrokenPipeError:  # nobody reads any more; the exit status is still about the games
        silence_stdout()


def read_tournament(args: argparse.Namespace) -> Tournament:
    """The tournament of the command line. Raises TournamentError."""
    if len(args.engines) == 1 and args.engines[0].endswith(TOML):
        options = [name for name in (*(name for name, *_ in (*FIELDS, *TIMES)), *ERRORS) if hasattr(args, name)]
        options += [name for name in (*ENGINES, "sprt") if getattr(args, name)]
        if options:
            raise TournamentError(f"--{options[0].replace('_', '-')} has no effect beside a tournament file: write it into the file")
        return load_tournament(Path(args.engines[0]))
    return tournament_from(table_of(args))


def table_of(args: argparse.Namespace) -> dict[str, Any]:
    """The options as a table like in a tournament file. Raises TournamentError."""
    table: dict[str, Any] = {name: getattr(args, name) for name, *_ in FIELDS if hasattr(args, name)}
    table |= {"player": players_of(args), "fresh": args.fresh, "seed_engines": not args.no_seed}
    clock = {name: getattr(args, name) for name, *_ in TIMES if hasattr(args, name)}
    if "seconds" in clock:
        clock = {"byo_yomi": clock.pop("seconds"), **clock}
    if "main_time" in clock:
        clock["main"] = clock.pop("main_time")
    if clock:
        table["time"] = clock
    errors = {name: getattr(args, name) for name in ERRORS if hasattr(args, name)}
    if args.sprt:
        elo0, elo1 = numbers(args.sprt, "--sprt", 2)
        table["sprt"] = {"elo0": elo0, "elo1": elo1, **errors}
    elif errors:
        raise TournamentError(f"--{next(iter(errors))} is for --sprt: name both, or neither")
    return table


def take_players_of(folder: Path, args: argparse.Namespace) -> None:
    """Replace a folder by its players: its Python files, except those that begin with `_`. Raises TournamentError."""
    files = sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
    if len(files) < 2:
        raise TournamentError(f"{folder} holds {len(files)} players: a match needs two, each a Python file with a function choose_move")
    args.engines = [join_command(["gtp-engine", "gtp", "--player-file", str(path.resolve())]) for path in files]
    args.names = args.names or ",".join(path.stem for path in files)


def players_of(args: argparse.Namespace) -> list[dict[str, Any]]:
    """A table for each player. Raises TournamentError."""
    names = args.names.split(",") if args.names else default_names(args.engines)
    if len(names) != len(args.engines):
        raise TournamentError(f"--names gives {len(names)} names for {len(args.engines)} engines")
    strangers = [name for name, _ in args.setup_for if name not in names]
    if strangers:
        raise TournamentError(f"--setup-for {strangers[0]}: the players are {', '.join(names)}")
    playouts = numbers(args.playouts, "--visits", len(names)) if args.playouts else []
    if args.playouts_command and not playouts:
        raise TournamentError("--visits-command is for --visits: name both, or neither")
    players = []
    for place, (name, command) in enumerate(zip(names, args.engines, strict=True)):
        setup = [*args.setup, *(line for player, line in args.setup_for if player == name)]
        if playouts:
            setup.append((args.playouts_command or PLAYOUTS_COMMAND).replace("{}", f"{playouts[place]:.0f}"))
        players.append({"name": name.strip(), "command": command, "setup": setup, "comment": args.comment or ""})
    return players


def numbers(text: str, option: str, count: int) -> list[float]:
    """`count` numbers separated by commas; for --visits, a single number stands for all. Raises TournamentError."""
    try:
        values = [float(word) for word in text.split(",")]
    except ValueError:
        raise TournamentError(f"{option} takes numbers with commas between them, not {text!r}") from None
    if len(values) == 1 and option == "--visits":
        values *= count
    if len(values) != count:
        raise TournamentError(f"{option} takes {count} numbers here, not {len(values)}")
    return values


def default_names(commands: list[str]) -> list[str]:
    """The programs' names, with options for repeated programs, or a number if the options are equal or long."""
    words = [command.split() or ["?"] for command in commands]
    programs = [Path(program).name for program, *_ in words]
    full = [" ".join([program, *options]) for program, (_, *options) in zip(programs, words, strict=True)]
    names = []
    for place, (program, name) in enumerate(zip(programs, full, strict=True)):
        if programs.count(program) == 1:
            names.append(program)
        elif full.count(name) == 1 and len(name) <= LONGEST_NAME:
            names.append(name)
        else:
            names.append(f"{program}-{programs[: place + 1].count(program)}")
    return names
