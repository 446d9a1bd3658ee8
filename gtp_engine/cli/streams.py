"""Standard output and standard error that never end a conversation: a fault of stderr has no effect on stdout."""

import io
import os
import select
import sys
import time
from typing import Any, NoReturn, TextIO

STDERR = 2
PIECE = 512  # bytes written at once: POSIX's least PIPE_BUF, so that a pipe which is ready takes all of them
PATIENCE = 1.0  # seconds for a reader of stderr that is behind; then what doesn't fit is dropped


class PatientStream(io.RawIOBase):
    """Writes to a file descriptor. Never raises, and never waits long for a reader that doesn't read: the rest is dropped."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._is_stuck = False

    def close(self) -> None:
        """See io.RawIOBase. The process's own standard error stays open: whatever ends the process may still have something to say."""
        if not self.closed and self._descriptor != STDERR:
            os.close(self._descriptor)
        super().close()

    def writable(self) -> bool:
        """See io.RawIOBase."""
        return True

    def fileno(self) -> int:
        """See io.RawIOBase."""
        return self._descriptor

    def isatty(self) -> bool:
        """See io.RawIOBase."""
        return os.isatty(self._descriptor)

    def write(self, data: bytes) -> int:  # type: ignore[override]  # the base takes any buffer
        """Write what can be written; says that it was everything."""
        deadline = time.monotonic() + (0.0 if self._is_stuck else PATIENCE)
        content = bytes(data)
        try:
            while content and is_ready(self._descriptor, deadline):
                content = content[os.write(self._descriptor, content[:PIECE]) :]
            self._is_stuck = bool(content)
        except OSError:
            pass  # closed, or full
        return len(data)


def is_ready(descriptor: int, deadline: float) -> bool:
    """Can the descriptor take a piece before `deadline` (time.monotonic)?"""
    if not hasattr(select, "poll"):
        return True  # Windows
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return bool(poll.poll(max(deadline - time.monotonic(), 0.0) * 1000))


def patient_text(descriptor: int, encoding: str = "utf-8") -> TextIO:
    """What is printed there goes through a PatientStream, line by line."""
    stream: Any = PatientStream(descriptor)  # typeshed wants a buffer's methods
    return io.TextIOWrapper(stream, encoding, "backslashreplace", line_buffering=True, write_through=True)


def prepare_streams() -> None:
    """Make sys.stderr one that never matters, and let sys.stdout write `?` for a character that it has not."""
    open_closed_streams()
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for the rest of the process
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    sys.stderr = patient_text(STDERR, encoding)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def open_closed_streams() -> None:
    """Put the null device where the parent has closed stdin, stdout or stderr, so that no other file gets their numbers."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one


def end_process(status: int) -> NoReturn:
    """End at once with this exit status, whatever other threads do. Only compiled code of this process alone is deleted before."""
    if jit := sys.modules.get("gtp_engine.compiled.jit"):
        jit.remove_last_resort()
    os._exit(status)


def silence_stdout() -> None:
    """Let standard output go nowhere from now on, so that what it still holds raises no error when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
