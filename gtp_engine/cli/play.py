"""`gtp-engine play`: a game in the terminal, or on a board in the browser."""

import argparse
import random
import sys
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console

from gtp_engine.cli.options.play import BOARD_SIZE, GO, USUAL_COLOR
from gtp_engine.cli.options.shared import configuration_of, option_name
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.show_page import show_page
from gtp_engine.cli.streams import end_process
from gtp_engine.engine.config.front_end import OUR_SEARCH
from gtp_engine.engine.config.sources import COMMAND_LINE, DEFAULT, ConfigError, Configuration
from gtp_engine.engine.player import EngineError
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.factory import build_engine
from gtp_engine.go.handicap import fixed_handicap_points
from gtp_engine.go.points import BLACK
from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, rank_text
from gtp_engine.interfaces.browser.board import BrowserBoard
from gtp_engine.interfaces.browser.desk import BadRequest
from gtp_engine.interfaces.browser.door import local_address
from gtp_engine.interfaces.browser.server import BoardServer
from gtp_engine.interfaces.person.colors import COLORS
from gtp_engine.interfaces.person.kept_game import Unfinished, claimed, default_path, keep, load
from gtp_engine.interfaces.terminal.board_game import BoardGame
from gtp_engine.interfaces.terminal.game import TerminalGame
from gtp_engine.interfaces.terminal.view import DrawnView, PlainView
from gtp_engine.sgf.text import MAX_BYTES
from gtp_engine.textbook.players import GAMES as TABLES
from gtp_engine.textbook.players import ROUNDS, make_player
from gtp_engine.textbook.submission import PlayerFailedError, load_player

SMALL_GAME_PLAYER = "textbook-mcts"  # our own search knows only Go


def run(args: argparse.Namespace) -> int:
    """Play until the person quits; 130 after Ctrl-C.

    Raises ConfigError for options that don't fit the game or the board, and if the player of `--player-file` fails.
    """
    check_browser(args)
    configuration = configuration_of(args)
    play = play_small_game if args.game != GO else play_in_browser if args.browser else play_go
    try:
        play(args, configuration)
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
    except (EngineError, PlayerFailedError) as error:
        raise ConfigError(str(error)) from error
    return 0


def check_browser(args: argparse.Namespace) -> None:
    """Raise ConfigError for options that can't be used with `--browser`, or only with it."""
    if args.browser and (args.plain or args.game != GO):
        raise ConfigError("--plain and --game are for the terminal: leave them out, or leave out --browser")
    if not args.browser and (args.port or args.record or args.share):
        raise ConfigError(f"{'--port' if args.port else '--share' if args.share else args.record} is for --browser")


def play_go(args: argparse.Namespace, configuration: Configuration) -> None:
    """Play Go in the terminal, against our search or a player from the textbook."""
    with claimed(default_path(), warn) if sys.stdin.isatty() else nullcontext() as unfinished_path:  # a script means a new game
        try:
            unfinished = offered(unfinished_path)
        except EOFError:  # Ctrl-D; the game is offered again next time
            print()
            return
        engine, colors = set_up(args, configuration, unfinished)
        engine.warm_up()
        view = PlainView() if args.plain else DrawnView(Console(highlight=False))
        game = TerminalGame(engine, colors, view, input, args.warn_blunders)
        try:
            game.run()
        finally:
            leave(game, unfinished_path)


def play_in_browser(args: argparse.Namespace, configuration: Configuration) -> None:
    """Play Go in the browser, until Ctrl-C, which ends the process. An unfinished game is continued, unless a record or options begin
    another.

    Raises ConfigError for a port in use, and for a record that can't be read.
    """
    are_set = any(configuration.settings[name].source != DEFAULT for name in ("size", "komi", "rules"))
    begins_another = are_set or args.handicap or args.color != USUAL_COLOR or args.record
    record = read_record(args.record) if args.record else b""
    with claimed(default_path(), warn) as unfinished_path:
        engine, colors = set_up(args, configuration, None if unfinished_path is None or begins_another else load(unfinished_path))
        board = BrowserBoard(engine, colors, unfinished_path, warn)
        board.play.warns = args.warn_blunders
        try:
            if record:
                board.open(record)
            server = BoardServer(board, args.port, shared_address() if args.share else "")
        except BadRequest as error:
            raise ConfigError(f"{args.record}: {error}") from error
        except (OSError, OverflowError) as error:
            raise ConfigError(f"--port {args.port}: {getattr(error, 'strerror', None) or 'there is no such port'}") from error
        serve(server, default_path().parent)


def read_record(path: Path) -> bytes:
    """The bytes of a game record. Raises ConfigError for a file that can't be read, or is larger than any record."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {getattr(error, 'strerror', None) or 'this is not the name of a file'}") from error
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path}: the file is larger than {MAX_BYTES // 1_000_000} MB")
    return data


def shared_address() -> str:
    """This machine's address on the network. Raises ConfigError without a network."""
    address = local_address()
    if not address:
        raise ConfigError("--share: this machine is on no network")
    return address


def serve(server: BoardServer, folder: Path) -> None:
    """Open the board and serve its pages, until Ctrl-C, which ends the process. `folder` is for files that only the user can read."""
    print(f"The board is at {server.url}\nCtrl-C ends; an unfinished game is kept.", flush=True)
    if server.door is not None:
        print(
            f"Shared: to play from another device on this network, open {server.shared_url} there and type {server.door.code}.", flush=True
        )
        print("The connection is not encrypted: others on the network can read it.", flush=True)
    server.board.warm_up()
    page = show_page(server.url, folder)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print(flush=True)
    if page is not None:
        page.unlink(missing_ok=True)
    end_process(INTERRUPTED)  # the game is kept after each move; the engine may be inside the compiler, see cli/gtp.py


def warn(text: str) -> None:
    """Print a sentence for the person on stderr."""
    print(text, file=sys.stderr, flush=True)


def set_up(args: argparse.Namespace, configuration: Configuration, unfinished: Unfinished | None) -> tuple[Engine, set[int]]:
    """The engine with an unfinished or a new game, and the person's colors."""
    if configuration.settings["size"].source == DEFAULT:
        configuration.set("size", BOARD_SIZE, DEFAULT)
    if unfinished is not None:
        take_strength(unfinished, configuration)
    engine = build_engine(configuration)
    if unfinished is not None:
        engine.state.set_game(unfinished.game)
        engine.state.set_rules(unfinished.rules or engine.state.rules)
        engine.state.komi = unfinished.komi
        return engine, unfinished.colors
    if args.handicap:
        try:
            engine.state.place_handicap(fixed_handicap_points(engine.game.size, args.handicap))
        except ValueError as error:
            raise ConfigError(f"--handicap {args.handicap}: {error} for this board") from error
    return engine, COLORS[args.color]


def take_strength(unfinished: Unfinished, configuration: Configuration) -> None:
    """Use the level or rank of the unfinished game, unless the options name one."""
    if any(configuration.settings[name].source != DEFAULT for name in ("level", "rank", "human_rank")):
        return
    if unfinished.level is not None:
        configuration.set("level", unfinished.level, DEFAULT)
    elif unfinished.rank in map(rank_text, range(WEAKEST_LEARNED, STRONGEST_LEARNED + 1)):  # one of KataGo's human networks may have others
        configuration.set("rank", unfinished.rank, DEFAULT)


def offered(unfinished_path: Path | None) -> Unfinished | None:
    """The unfinished game, if there is one and the person wants to continue it; otherwise it is deleted.

    Raises EOFError if the input ends.
    """
    unfinished = load(unfinished_path) if unfinished_path is not None else None
    if unfinished_path is None or unfinished is None:
        return None
    if input(f"There is {unfinished.as_text()}. Continue it? [Y/n] ").strip().lower() not in ("n", "no"):
        return unfinished
    unfinished_path.unlink(missing_ok=True)
    return None


def leave(game: TerminalGame, unfinished_path: Path | None) -> None:
    """Keep an unfinished game for the next start; delete a finished one."""
    if unfinished_path is None:
        return
    if game.result or not game.engine.game.moves:
        unfinished_path.unlink(missing_ok=True)
    else:
        print(f"\n{keep(unfinished_path, game.record())}", flush=True)


def check_small_game(args: argparse.Namespace, configuration: Configuration) -> None:
    """Raise ConfigError for options that only Go has. A board size and rules from a file are ignored."""
    settings = configuration.settings
    if args.handicap:
        raise ConfigError(f"--handicap: there is none in {args.game}")
    for name in ("level", "rank", "human_rank"):
        if settings[name].value and settings[name].source == COMMAND_LINE:
            raise ConfigError(f"{option_name(name)}: there are none in {args.game}")
    of_go = [option_name(name) for name in ("size", "rules", "komi") if settings[name].source == COMMAND_LINE]
    of_go += ["--warn-blunders"] * args.warn_blunders
    if of_go:
        raise ConfigError(f"{of_go[0]} is for go: leave it out in {args.game}")


def play_small_game(args: argparse.Namespace, configuration: Configuration) -> None:
    """Play tic-tac-toe or hexapawn, against a simple player from docs/how-it-works.md."""
    setting, file = configuration.settings["player"], configuration.front_end().player_file
    if file:
        pass  # plays whatever game it is given
    elif setting.source == DEFAULT:
        configuration.set("player", SMALL_GAME_PLAYER, DEFAULT)
    elif setting.value == OUR_SEARCH:
        raise ConfigError(f"--player {OUR_SEARCH} plays only go: choose another player for {args.game}")
    check_small_game(args, configuration)

    params = configuration.search_params()
    table, dice = TABLES[args.game], random.Random(params.seed or None)
    player = (
        load_player(Path(file), dice) if file else make_player(configuration.front_end().player, table, dice, params.playouts or ROUNDS)
    )
    people = {color - BLACK for color in COLORS[args.color]}
    BoardGame(table.start, people, player, lambda text: print(text, flush=True), input).run()
