"""`gtp-engine match`: GTP engines play each other."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.base.systems import join_command
from gtp_engine.cli.options.match import FIELDS, PLAYOUTS_COMMAND, TIMES
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.streams import silence_stdout
from gtp_engine.tools.match.report import REPORT_FILE
from gtp_engine.tools.match.results import load_records
from gtp_engine.tools.match.runner import run_tournament
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tables import summary
from gtp_engine.tools.match.tournament import Tournament, TournamentError
from gtp_engine.tools.match.tournament_file import load_tournament, tournament_from

UNUSABLE = 2  # for an invalid command line or file, like argparse
TOML = ".toml"
ENGINES = ("names", "setup", "setup_for", "playouts", "playouts_command", "comment", "fresh", "no_seed")  # options of engines
LONGEST_NAME = 40  # characters of a player's default name
ERRORS = ("alpha", "beta")  # of a sequential test


def run(args: argparse.Namespace) -> int:
    """Play and print the standings; 130 after Ctrl-C, 2 for an invalid tournament, otherwise 0."""
    try:
        if len(args.engines) == 1 and Path(args.engines[0]).is_dir():
            take_players_of(Path(args.engines[0]), args)
        return play(read_tournament(args), args.output, ray=args.ray)
    except (TournamentError, StoreError) as error:
        tell("match", str(error))
        return UNUSABLE


def no_more(standings: Standings) -> str:
    """Nothing in addition to the summary."""
    return ""


def play(tournament: Tournament, output: Path, subcommand: str = "match", more: Callable[[Standings], str] = no_more, ray: str = "") -> int:
    """Play with progress on stderr, then print the summary on stdout, followed by the text from `more`."""
    try:
        with ProgressLine(subcommand) as progress:
            standings = run_tournament(tournament, output, progress, ray)
    except KeyboardInterrupt:
        print_summary(Standings(tournament, load_records(output)), output, more)
        print(f"gtp-engine {subcommand}: interrupted; the same command continues from here", file=sys.stderr)
        return INTERRUPTED
    print_summary(standings, output, more)
    return 0


def print_summary(standings: Standings, output: Path, more: Callable[[Standings], str]) -> None:
    """Print the figures and the place of the report."""
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
