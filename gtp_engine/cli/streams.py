"""Makes standard output and standard error robust: an error of stderr never ends a conversation on stdout."""

import io
import os
import select
import sys
import time
from typing import Any, NoReturn, TextIO

STDERR = 2
PIECE = 512  # bytes written at once: POSIX's minimum of PIPE_BUF, which a ready pipe always accepts
PATIENCE = 1.0  # seconds for a slow reader of stderr; then the rest is dropped


class PatientStream(io.RawIOBase):
    """Writes to a file descriptor. Never raises, and never waits long for a reader; the rest is dropped."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._is_stuck = False

    def close(self) -> None:
        """See io.RawIOBase. The process's standard error stays open for later messages."""
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
        """Write as much as possible; always returns the full length."""
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
    """True if the descriptor accepts a piece before `deadline` (time.monotonic)."""
    if not hasattr(select, "poll"):
        return True  # Windows
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return bool(poll.poll(max(deadline - time.monotonic(), 0.0) * 1000))


def patient_text(descriptor: int, encoding: str = "utf-8") -> TextIO:
    """A text stream over a PatientStream, line by line."""
    stream: Any = PatientStream(descriptor)  # typeshed requires a buffer's methods
    return io.TextIOWrapper(stream, encoding, "backslashreplace", line_buffering=True, write_through=True)


def prepare_streams() -> None:
    """Make sys.stderr a PatientStream, and let sys.stdout write `?` for characters that it can't encode."""
    open_closed_streams()
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for the rest of the process
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    sys.stderr = patient_text(STDERR, encoding)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def open_closed_streams() -> None:
    """Open the null device in place of closed stdin, stdout or stderr, so that no other file gets their numbers."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one


def end_process(status: int) -> NoReturn:
    """End at once with this exit status, whatever other threads do. Before, the compiled code of this process alone is deleted."""
    if jit := sys.modules.get("gtp_engine.compiled.jit"):
        jit.remove_last_resort()
    os._exit(status)


def silence_stdout() -> None:
    """Redirect standard output to nowhere, so that its remaining buffer raises no error when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
