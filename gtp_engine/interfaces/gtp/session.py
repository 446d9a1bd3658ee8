"""One GTP conversation: a reader thread on the input, answers in order, one writer on the output.

A thread reads, because only a blocking read sees every line at once: `select` misses buffered lines, and a running command must notice
`# interrupt`, or during analysis any line. Only the thread that calls `run` writes.
"""

import itertools
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from gtp_engine.base.gtp_protocol import Command, parse
from gtp_engine.interfaces.gtp.inbox import END_OF_INPUT, Inbox

BOM = b"\xef\xbb\xbf"  # some editors and shells put it before the first line
RECEIVED, SENT = "<", ">"  # the direction of a text, for `trace`


def do_nothing() -> None:
    """The default of the callbacks."""


def trace_nothing(direction: str, text: str) -> None:
    """The default of `trace`."""


@dataclass(frozen=True)
class Callbacks:
    """The callbacks of a session.

    interrupt -- called when `# interrupt` arrives and a line is unanswered, from the reader thread, and by `abandon`
    answered -- called after each answer: an interrupt was for that command only
    trace -- called with RECEIVED and each line, with SENT and each piece of an answer, in the thread that reads or writes it
    first_pause -- called once, when lines have been answered and no further one has come for `pause_after` seconds. Work that would slow
    down the handshake starts here.
    """

    interrupt: Callable[[], None] = do_nothing
    answered: Callable[[], None] = do_nothing
    trace: Callable[[str, str], None] = trace_nothing
    first_pause: Callable[[], None] = do_nothing
    pause_after: float = 0.02  # seconds


class Session:
    """Reads commands from `source` and writes what `answer` yields for each to `sink`.

    answer -- a Command -> the pieces of its response, each written and flushed as it is yielded; together exactly one response
    inbox -- the waiting lines; share it with commands that end when a line comes
    """

    def __init__(
        self,
        source: BinaryIO,
        sink: BinaryIO,
        answer: Callable[[Command], Iterator[str]],
        callbacks: Callbacks = Callbacks(),  # it is frozen
        inbox: Inbox | None = None,
    ) -> None:
        self.source, self.sink = source, sink
        self.answer = answer
        self.tell = callbacks
        self.inbox = Inbox() if inbox is None else inbox
        self.lock = threading.Lock()  # an interrupt comes wholly before or wholly after `answered`
        self.lines_read = 0  # written by the reader thread only
        self.lines_done = 0  # written by the thread of `run` only
        self.has_paused = False
        self.is_abandoned = False

    def run(self) -> None:
        """Answer until `quit` is answered, or all lines are answered and the input has ended.

        Raises BrokenPipeError when nobody reads the output anymore.
        """
        threading.Thread(target=self.read_lines, name="gtp reader", daemon=True).start()
        while (line := self.next_line()) is not END_OF_INPUT and not self.is_abandoned:
            command = parse(line)
            if command is not None:
                self.write(self.answer(command))
            with self.lock:
                self.lines_done += 1
                if not self.is_abandoned:
                    self.tell.answered()
            if command is not None and command.name == "quit":
                return

    def abandon(self) -> None:
        """End the conversation of a client that has ended: stop the running command, and begin no other. From any thread."""
        self.inbox.put(END_OF_INPUT)
        with self.lock:
            self.is_abandoned = True  # the interrupt stays in effect, because it may come just before a command begins
            self.tell.interrupt()

    def write(self, pieces: Iterator[str]) -> None:
        """Write and flush piece by piece. Characters that UTF-8 can't encode become `?`."""
        for piece in pieces:
            self.sink.write(piece.encode("utf-8", "replace"))
            self.sink.flush()
            self.tell.trace(SENT, piece)

    def next_line(self) -> str | None:
        """Wait for the next line or END_OF_INPUT. Calls `first_pause` if none comes for a moment after the first lines."""
        if self.lines_done and not self.has_paused:
            try:
                return self.inbox.get(self.tell.pause_after)
            except queue.Empty:
                self.has_paused = True
                self.tell.first_pause()
        return self.inbox.get()

    def read_lines(self) -> None:
        """The reader thread: puts every line, of any length, into the inbox, then the end of the input, also after a read error."""
        try:
            first = self.source.readline().removeprefix(BOM)
            for raw in itertools.chain([first] if first else [], iter(self.source.readline, b"")):
                self.receive(raw.decode("utf-8", "surrogateescape"))  # file names may contain bytes that aren't UTF-8
        except (OSError, ValueError) as error:  # ValueError: the stream was closed
            print(f"gtp_engine: cannot read the input: {error}", file=sys.stderr)
        self.inbox.put(END_OF_INPUT)

    def receive(self, line: str) -> None:
        """Put `line` into the inbox, or act on it at once if it is the comment `# interrupt` and something is unanswered."""
        self.tell.trace(RECEIVED, line)
        if line.strip() == "# interrupt":
            with self.lock:
                if self.lines_done < self.lines_read:
                    self.tell.interrupt()
            return
        self.lines_read += 1
        self.inbox.put(line)
