"""Standard output and standard error that end no conversation: whatever becomes of stderr, nobody shall notice on stdout."""

import io
import os
import select
import sys
import time
from typing import NoReturn

STDERR = 2
PIECE = 512  # bytes written at once: POSIX's least PIPE_BUF, so that a pipe which is ready takes all of them
PATIENCE = 1.0  # seconds for a reader of stderr that is behind; then what doesn't fit is dropped


class PatientStderr(io.RawIOBase):
    """Writes to file descriptor 2. Never raises, and never waits long for a reader that doesn't read: the rest is dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._is_stuck = False

    def writable(self) -> bool:
        """See io.RawIOBase."""
        return True

    def fileno(self) -> int:
        """See io.RawIOBase."""
        return STDERR

    def isatty(self) -> bool:
        """See io.RawIOBase."""
        return os.isatty(STDERR)

    def write(self, data: bytes) -> int:  # type: ignore[override]  # the base takes any buffer
        """Write what can be written; says that it was everything."""
        deadline = time.monotonic() + (0.0 if self._is_stuck else PATIENCE)
        content = bytes(data)
        try:
            while content and is_ready(deadline):
                content = content[os.write(STDERR, content[:PIECE]) :]
            self._is_stuck = bool(content)
        except OSError:
            pass  # closed, or full
        return len(data)


def is_ready(deadline: float) -> bool:
    """Can descriptor 2 take a piece before `deadline` (time.monotonic)?"""
    if not hasattr(select, "poll"):
        return True  # Windows
    poll = select.poll()
    poll.register(STDERR, select.POLLOUT)
    return bool(poll.poll(max(deadline - time.monotonic(), 0.0) * 1000))


def prepare_streams() -> None:
    """Make sys.stderr one that never matters, and let sys.stdout write `?` for a character that it has not."""
    open_closed_streams()
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for the rest of the process
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    sys.stderr = io.TextIOWrapper(PatientStderr(), encoding, "backslashreplace", line_buffering=True, write_through=True)
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
