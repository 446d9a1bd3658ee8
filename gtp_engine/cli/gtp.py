"""`gtp-engine gtp`: speak GTP on stdin and stdout."""

import argparse
import os
import select
import sys
import threading
from typing import BinaryIO

from gtp_engine import __version__
from gtp_engine.base.systems import take_standard_input
from gtp_engine.cli.gtp_host import run_host, talk_at_host
from gtp_engine.cli.gtp_talk import make_talk
from gtp_engine.cli.options.shared import configuration_of
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.streams import end_process

HOST_ENDED = 1  # exit status of a client whose host was killed


def run(args: argparse.Namespace) -> int:
    """Answer GTP until `quit` or the end of the input. Never returns: ends the process with 0, or 130 after Ctrl-C.

    It ends by end_process, after everything is written: threads may still be blocked in a read or inside the compiler, and the
    interpreter's normal exit can crash on both.
    """
    if args.host:
        run_host(args.host)
        end_process(0)
    configuration = configuration_of(args)  # a bad value must end the process before the conversation begins
    if args.shared:
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
