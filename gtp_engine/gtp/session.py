"""One GTP conversation: a reader thread on the input, answers in order, one writer on the output.

A thread reads because only a blocking read sees every line at once: `select` misses what already lies in a buffer, and a command
that runs must be able to hear `# interrupt`, or, while it analyzes, that any line has come. Only the thread that calls `run` writes.
"""

import queue
import sys
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO

from gtp_engine.gtp.protocol import Command, parse

END_OF_INPUT = None  # stands in the queue behind the last line


def do_nothing() -> None:
    """The default of the callbacks."""


class Session:
    """Reads commands from `source` and writes what `answer` yields for each to `sink`.

    answer -- a Command -> the pieces of its response, each written and flushed as it is yielded; together exactly one response
    interrupt -- called from the reader thread when `# interrupt` arrives and a line is unanswered
    first_pause -- called once: when lines have been answered and no further one has come for `pause_after` seconds. Work that
        may slow the handshake down starts here.
    """

    def __init__(
        self,
        source: BinaryIO,
        sink: BinaryIO,
        answer: Callable[[Command], Iterator[str]],
        interrupt: Callable[[], None] = do_nothing,
        first_pause: Callable[[], None] = do_nothing,
        pause_after: float = 0.02,
    ) -> None:
        self.source, self.sink = source, sink
        self.answer = answer
        self.interrupt, self.first_pause, self.pause_after = interrupt, first_pause, pause_after
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.lines_read = 0  # written by the reader thread only
        self.lines_done = 0  # written by the thread of `run` only
        self.has_paused = False

    def run(self) -> None:
        """Answer until `quit` has been answered or the input has ended and every line of it is answered.

        Raises BrokenPipeError when nobody reads the output anymore.
        """
        threading.Thread(target=self.read_lines, name="gtp reader", daemon=True).start()
        while (line := self.next_line()) is not END_OF_INPUT:
            command = parse(line)
            if command is not None:
                self.write(self.answer(command))
            self.lines_done += 1
            if command is not None and command.name == "quit":
                return

    def line_is_waiting(self) -> bool:
        """Has a line (or the end of the input) arrived that `run` has not begun with? A running analysis asks this to know when to end."""
        return not self.lines.empty()

    def write(self, pieces: Iterator[str]) -> None:
        """Write and flush piece by piece. Characters that no UTF-8 text can hold become `?`."""
        for piece in pieces:
            self.sink.write(piece.encode("utf-8", "replace"))
            self.sink.flush()

    def next_line(self) -> str | None:
        """Wait for the next line or END_OF_INPUT. Calls `first_pause` when, after the first lines, none comes for a moment."""
        if self.lines_done and not self.has_paused:
            try:
                return self.lines.get(timeout=self.pause_after)
            except queue.Empty:
                self.has_paused = True
                self.first_pause()
        return self.lines.get()

    def read_lines(self) -> None:
        """The reader thread: every line into the queue, of any length; then the end of the input, also when the input cannot be read."""
        try:
            for raw in iter(self.source.readline, b""):
                self.receive(raw.decode("utf-8", "surrogateescape"))  # bytes that are no UTF-8 may be part of a file's name
        except (OSError, ValueError) as error:  # ValueError: the stream was closed
            print(f"gtp_engine: cannot read the input: {error}", file=sys.stderr)
        self.lines.put(END_OF_INPUT)

    def receive(self, line: str) -> None:
        """Queue `line`, or act on it at once if it is the comment `# interrupt` and something is unanswered."""
        if line.strip() == "# interrupt":
            if self.lines_done < self.lines_read:
                self.interrupt()
            return
        self.lines_read += 1
        self.lines.put(line)
