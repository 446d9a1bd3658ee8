"""`gtp-engine gtp`: speak GTP on stdin and stdout."""

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from gtp_engine import __version__
from gtp_engine.cli.options import add_search_options, read_number, read_number_within, search_params
from gtp_engine.go.points import MAX_SIZE, MIN_SIZE
from gtp_engine.go.rules import RULE_SETS
from gtp_engine.gtp.commands import make_dispatcher
from gtp_engine.gtp.engine_loader import EngineLoader
from gtp_engine.gtp.session import Session
from gtp_engine.search.params import SearchParams

if TYPE_CHECKING:
    from gtp_engine.engine import Engine

INTERRUPTED = 130  # exit status after Ctrl-C, as shells have it

EXAMPLES = """examples:
  gtp-engine gtp --seconds 5                     five seconds a move when the client sends no clock
  gtp-engine gtp --playouts 1000 --seed 1        the same moves every time
  gtp-engine gtp --rules japanese --komi 6.5     for clients that send neither
  gtp-engine gtp --no-resign                     play every game to its end
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    parser = subparsers.add_parser(
        "gtp", help="speak GTP on stdin and stdout (the default)", description="Speak GTP on stdin and stdout.", epilog=EXAMPLES
    )
    group = parser.add_argument_group("game, until the client sets it")
    group.add_argument("--rules", choices=list(RULE_SETS), default="chinese", help="the rule set (default: chinese)")
    group.add_argument("--komi", type=read_komi, default=7.5, metavar="POINTS", help="White's points (default: 7.5)")
    group.add_argument("--size", type=read_size, default=MAX_SIZE, metavar="LINES", help="lines of the board (default: 19)")
    group = parser.add_argument_group("identity, for clients that expect a known engine")
    group.add_argument("--gtp-name", default="gtp_engine", metavar="NAME", help="the answer to `name` (default: gtp_engine)")
    group.add_argument("--gtp-version", default=__version__, metavar="TEXT", help="the answer to `version`")
    add_search_options(parser)


def read_komi(text: str) -> float:
    """The komi that an option's text says."""
    return read_number(text, float)


def read_size(text: str) -> int:
    """The board size that an option's text says; refuses one that we don't play on."""
    return int(read_number_within("size", text, int, MIN_SIZE, MAX_SIZE))


def run(args: argparse.Namespace) -> int:
    """Answer GTP until `quit` or the end of the input. Never returns: ends the process with 0, or 130 after Ctrl-C.

    It ends by os._exit, when everything is written: threads may still be blocked in a read or inside the compiler, and the
    interpreter's own way out can crash on both.
    """
    params = search_params(args)  # a bad value must end the process before the conversation begins
    open_closed_streams()
    source, sink = os.fdopen(0, "rb"), take_standard_output()
    if source.isatty():
        print(f"gtp_engine {__version__} speaks GTP: try `showboard`, `genmove black`, `list_commands`, `quit`", file=sys.stderr)
    loader = EngineLoader(lambda: build_engine(args, params))
    dispatcher = make_dispatcher(loader, args.gtp_name, args.gtp_version)
    session = Session(source, sink, dispatcher.answer, loader.interrupt, loader.start)
    status = 0
    try:
        session.run()
    except BrokenPipeError:
        pass  # the client has gone: there is nobody to tell
    except KeyboardInterrupt:
        status = INTERRUPTED
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(status)


def open_closed_streams() -> None:
    """Put the null device where the parent has closed stdin, stdout or stderr, so that no other file gets their numbers."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one


def take_standard_output() -> BinaryIO:
    """The process's standard output, ours alone: from now on whatever any library prints goes to stderr."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return sink


def build_engine(args: argparse.Namespace, params: SearchParams) -> "Engine":
    """The engine as the options say. Imports it, which takes a moment."""
    from gtp_engine.engine import Engine

    return Engine(params, RULE_SETS[args.rules], args.komi, args.size)
