"""`gtp-engine gtp`: speak GTP on stdin and stdout."""

import argparse
import os
import select
import sys
import threading
from pathlib import Path
from typing import BinaryIO

from gtp_engine import __version__
from gtp_engine.base.systems import take_standard_input
from gtp_engine.cli.gtp_talk import make_talk
from gtp_engine.cli.options import add_options, configuration_of
from gtp_engine.cli.parser import INTERRUPTED, hide
from gtp_engine.cli.streams import end_process

HOST_ENDED = 1  # exit status of a client whose host was killed

HELP = "speak GTP on stdin and stdout (the default)"
DESCRIPTION = "Speak GTP on stdin and stdout."
EXAMPLES = """examples:
  gtp-engine gtp --seconds 5                     five seconds a move, if the client sends no clock
  gtp-engine gtp --visits 1000 --seed 1 --threads 1     the same moves every time
  gtp-engine gtp --rules japanese --komi 6.5     for clients that send neither rules nor komi
  gtp-engine gtp --no-resign                     play every game to its end
  gtp-engine gtp --level 5                       an opponent for learners, as strong on every machine
  gtp-engine gtp --rank 12k                      plays as a person of 12 kyu would, learned on 9x9
  gtp-engine gtp --rank 12k --human-time         and thinks about as long as one
  gtp-engine gtp --player minimax                a simple player from docs/how-it-works.md
  gtp-engine gtp --log auto                      write a log; `gtp-engine doctor` says where
  gtp-engine gtp --shared                        one process for all clients that use this option, to save memory
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    hide(
        parser.add_argument(
            "--shared", action="store_true", help="let one process play for all clients that use this option: docs/servers.md"
        )
    )
    parser.add_argument("--host", type=Path, help=argparse.SUPPRESS)  # run as the host for clients of this socket
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer GTP until `quit` or the end of the input. Never returns: ends the process with 0, or 130 after Ctrl-C.

    It ends by end_process, after everything is written: threads may still be blocked in a read or inside the compiler, and the
    interpreter's normal exit can crash on both.
    """
    if args.host:
        from gtp_engine.cli.gtp_host import run_host  # not above: few conversations are shared, and the handshake doesn't wait

        run_host(args.host)
        end_process(0)
    configuration = configuration_of(args)  # a bad value must end the process before the conversation begins
    if args.shared:
        from gtp_engine.cli.gtp_host import talk_at_host  # likewise

        try:
            end_process(0 if talk_at_host(configuration) else HOST_ENDED)
        except OSError as error:
            print(f"gtp_engine: cannot share a process: {error.strerror or error}; this one plays by itself", file=sys.stderr, flush=True)
    source, sink = take_standard_input(), take_standard_output()
    if source.isatty():
        print(f"gtp_engine {__version__} speaks GTP: try `showboard`, `genmove black`, `list_commands`, `quit`", file=sys.stderr)
    threading.Thread(target=end_when_nobody_is_there, args=(source, sink), name="gtp watch", daemon=True).start()
    status = 0
    try:
        make_talk(configuration, source, sink).session.run()
    except BrokenPipeError:
        pass  # the client has ended
    except KeyboardInterrupt:
        status = INTERRUPTED
    end_process(status)


def end_when_nobody_is_there(source: BinaryIO, sink: BinaryIO) -> None:
    """End the process, whatever it computes or compiles, as soon as the other end of either pipe is closed. For a separate thread."""
    if not hasattr(select, "poll"):
        return  # Windows
    for stream, gone in ((sink, select.POLLERR | select.POLLHUP), (source, select.POLLHUP)):
        poll = select.poll()
        poll.register(stream.fileno(), 0)  # without events it only waits for the close of the other end
        while not any(events & gone for _, events in poll.poll()):
            pass
    end_process(0)


def take_standard_output() -> BinaryIO:
    """The process's standard output, for GTP only: from now on all that libraries print goes to stderr."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return sink
