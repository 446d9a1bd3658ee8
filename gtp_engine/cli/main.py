"""`gtp-engine [SUBCOMMAND] [OPTIONS]`: finds the subcommand's modules and runs it.

A subcommand has two modules. `cli/options/NAME.py` has `add_arguments(parser)` and the texts HELP, DESCRIPTION and EXAMPLES of its help.
`cli/NAME.py` has `run(args) -> exit status`. It is imported after the options are read, so that help and complaints don't wait for what
it needs; only `cli/gtp.py` may not import numpy or numba at the top either, because the GTP handshake must not wait.
"""

import importlib
import io
import sys
from collections.abc import Sequence
from typing import Any

from gtp_engine import __version__
from gtp_engine.base.files import visible
from gtp_engine.base.jobs.job import PlaceError
from gtp_engine.cli.parser import INTERRUPTED, Parser
from gtp_engine.cli.streams import prepare_streams, silence_stdout
from gtp_engine.engine.config.sources import ConfigError

SUBCOMMANDS = (
    "gtp",
    "play",
    "analysis",
    "match",
    "tune",
    "bench",
    "picture",
    "regress",
    "review",
    "rank",
    "networks",
    "problems",
    "frame",
    "solve",
    "train",
    "config",
    "doctor",
    "version",
)
DEFAULT = "gtp"  # GUIs start engines without arguments
FAILED = 2  # exit status if nothing could be done
NO_THREAD = "can't start new thread"  # Python's message if there is no memory for a stack

DESCRIPTION = """A Go engine. Without a subcommand it speaks GTP on stdin and stdout, which is what GUIs need."""
EXAMPLES = """examples:
  gtp-engine play --browser                   play on a board in your browser
  gtp-engine review game.sgf                  find the mistakes of a game
  gtp-engine                                  speak GTP
  gtp-engine --visits 2000 --rules japanese   speak GTP, 2000 visits a move, Japanese rules
  gtp-engine gtp --help                       the usual options of the engine; --help-all: all of them;
                                              --help-parameters: what --set sets
  gtp-engine doctor                           check the installation, and print the settings for your client
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments` (default: the process's own) and return the exit status.

    Ctrl-C, a full disk, a closed stream and a lack of memory end with one sentence.
    """
    is_process = arguments is None
    if is_process:
        prepare_streams()
    try:
        try:
            return run(list(sys.argv[1:] if arguments is None else arguments))
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        silence_stdout()  # nobody reads any more
        return 1
    except (MemoryError, RuntimeError) as error:
        if not is_process or (isinstance(error, RuntimeError) and str(error) != NO_THREAD):
            raise
        print("gtp-engine: the system gives no more memory; see `ulimit -v`, or close other programs", file=sys.stderr)
        return FAILED
    except io.UnsupportedOperation:
        raise
    except OSError as error:
        if not is_process:
            raise
        silence_stdout()
        print(f"gtp-engine: {visible(error.filename or 'standard output')}: {error.strerror}", file=sys.stderr)
        return FAILED


def run(words: list[str]) -> int:
    """Run a command line and return the exit status. Raises what the subcommand raises."""
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, DEFAULT)
    parser = make_parser([words[0]] if words[0] in SUBCOMMANDS else SUBCOMMANDS)
    args = parser.parse_args(words)
    try:
        status: int = importlib.import_module(f"gtp_engine.cli.{args.subcommand}").run(args)
    except ConfigError as error:
        parser.error(str(error))
    except PlaceError as error:
        parser.error(str(error))
    return status


def make_parser(subcommands: Sequence[str]) -> Parser:
    """The parser with these subcommands; others are left out to save the time of their imports."""
    parser = Parser(prog="gtp-engine", description=DESCRIPTION, epilog=EXAMPLES)
    parser.add_argument("--version", action="version", version=f"gtp-engine {__version__}")
    subparsers = parser.add_subparsers(dest="subcommand", metavar="SUBCOMMAND", required=True, parser_class=Parser)
    for name in subcommands:
        module: Any = importlib.import_module(f"gtp_engine.cli.options.{name}")
        module.add_arguments(subparsers.add_parser(name, help=module.HELP, description=module.DESCRIPTION, epilog=module.EXAMPLES))
    return parser
