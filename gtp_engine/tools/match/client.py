"""A GTP engine in its own process: commands with time-outs, its stderr, its resource usage, and a reliable end.

Where there is `fork`, the engine runs under a small keeper process (keeper.py). When the client ends in any way, the keeper ends the engine
with everything that it has started. On Windows the engine runs alone and sees the end of its stdin.
"""

import errno
import os
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from gtp_engine.base.gtp_protocol import GtpError, harmless
from gtp_engine.base.own_command import OWN_COMMAND
from gtp_engine.tools.match.keeper import CANNOT_START, CANNOT_START_TEXT
from gtp_engine.tools.match.launch import Launched, launch
from gtp_engine.tools.match.pipes import READ, PipeReader, reader_of
from gtp_engine.tools.match.usage import Usage, usage_below

QUIT_PATIENCE = 2.0  # seconds for an engine to end after `quit`, before it is killed
KILL_PATIENCE = 8.0  # seconds for the keeper to end the engine's processes; it gives up after 5
MAX_RESPONSE = 1_000_000  # bytes of a response and of stray lines before it; real ones have a few kB at most
MAX_STDERR = 100_000  # last bytes of stderr that are kept between calls of take_stderr and after the end
LOOK = 0.1  # seconds of one wait
OWN_NAME = "gtp-engine"
LOST = 0.25  # seconds that a wait may take longer; during any more, this process was kept from running
OUR_OWN_LIMITS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)  # of files, memory and processes, which aren't the engine's fault
FLOOD_PAUSE = 0.001  # seconds after a full read of stderr, so that a flood can't use up a processor


class EngineFailure(Exception):
    """The engine must be restarted; str() is a sentence without the engine's name."""


class CannotStart(EngineFailure):
    """The program doesn't exist or can't be run."""


class Died(EngineFailure):
    """It ended or closed its output before it answered."""


class TimedOut(EngineFailure):
    """It did not answer in time."""


class Nonsense(EngineFailure):
    """It wrote something that isn't GTP, or far too much."""


def own_command(command: Sequence[str]) -> list[str]:
    """The command, with our own name replaced by a path that works here: in a checkout there is no program of that name."""
    return list(command) if shutil.which(OWN_NAME) else [*OWN_COMMAND, *command[1:]]


class EngineClient:
    """One engine, which can be started, asked, ended and restarted. For one thread at a time; only `kill` may be called from another.

    Attributes: `command` (words), `folder` (where it runs), `starts` (number of starts), `lost` (seconds of the last `ask` in which this
    process was stopped or starved, so that the engine may have answered earlier). After an EngineFailure the engine must be restarted. Use
    it in a `with` block, or call `close`.
    """

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        self.command = own_command(command) if command and command[0] == OWN_NAME else list(command)
        self.folder = folder
        self.starts = 0
        self.lost = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._launched: Launched | None = None  # None: it is ending or has ended
        self._launched_lock = threading.Lock()
        self._output: PipeReader | None = None
        self._buffer = b""  # output that was read but not used yet
        self._stderr: _StderrDrain | None = None

    def start(self) -> None:
        """Start the process without waiting for it, so the first `ask` raises CannotStart for a wrong command.

        Raises CannotStart if there is no such program, OSError if this process has no files or memory left. Does nothing if the engine is
        running.
        """
        if self._process is not None:
            return
        try:
            self._launched = launch(self.command, self.folder)
        except OSError as error:
            if error.errno in OUR_OWN_LIMITS:
                raise OSError(error.errno, f"cannot start another engine: {error.strerror}", self.command[0]) from error
            raise CannotStart(f"cannot be started: {error.strerror}") from error
        self._process = self._launched.process
        self.starts += 1
        self._buffer = b""
        assert self._process.stdout is not None and self._process.stderr is not None
        self._output = reader_of(self._process.stdout.fileno())
        self._stderr = _StderrDrain(reader_of(self._process.stderr.fileno()))

    def ask(self, line: str, patience: float) -> str:
        """The answer to one command line, without the `=` and outer spaces. Waits at most `patience` seconds.

        Raises GtpError with the text after `?` if the engine refuses, and EngineFailure (Died, TimedOut, Nonsense, CannotStart) if there is
        no answer. Starts the engine first if necessary. Lines outside of responses are skipped. `line` is one line.
        """
        self.start()
        self.lost = 0.0
        deadline = time.monotonic() + patience
        self._skip_stray_output()
        self._write(line)
        skipped: list[str] = []
        budget = MAX_RESPONSE
        response: list[str] = []
        while True:
            text = self._read_line(deadline, patience, skipped)
            budget -= len(text) + 1
            if budget < 0:
                raise Nonsense(f"writes more than {MAX_RESPONSE // 1_000_000} MB in answer to {line!r}")
            if response and not text:
                return _answer(response)
            if response or text.startswith(("=", "?")):
                response.append(text)
            elif text:
                skipped.append(text)

    def take_stderr(self) -> str:
        """The engine's stderr since the last call, at most its last MAX_STDERR bytes."""
        return "" if self._stderr is None else self._stderr.take()

    def last_stderr(self, lines: int = 5) -> str:
        """The last lines of stderr, for failure reports; also after the end."""
        return "" if self._stderr is None else "\n".join(self._stderr.last_text().splitlines()[-lines:])

    def usage(self) -> Usage | None:
        """Processor time and memory of all the engine's processes since its start; None if it isn't running or the usage is unknown."""
        return None if self._process is None else usage_below(self._process.pid)

    def close(self) -> None:
        """Send `quit`, wait a little, and end all remaining processes. Never raises, and does nothing if it isn't running."""
        if self._process is None:
            return
        try:
            self._write("quit")
            self._process.wait(QUIT_PATIENCE)
        except (EngineFailure, subprocess.TimeoutExpired):
            pass
        self.kill()
        self._forget()

    def restart(self) -> None:
        """End it at once and start it again. Raises CannotStart."""
        self.kill()
        if self._process is not None:
            self._forget()
        self.start()

    def kill(self) -> None:
        """End the engine and everything it has started. May be called from any thread; a waiting `ask` raises Died."""
        with self._launched_lock:
            if self._launched is not None:
                self._launched.end()
                self._launched = None

    def __enter__(self) -> "EngineClient":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _forget(self) -> None:
        """Wait for the keeper, which is already ending, and free its pipes."""
        assert self._process is not None and self._stderr is not None
        try:
            self._process.wait(KILL_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._stderr.finish()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()
        self._process = None

    def _write(self, line: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            os.write(self._process.stdin.fileno(), f"{line}\n".encode())
        except OSError:
            raise self._end() from None

    def _skip_stray_output(self) -> None:
        """Discard output since the last response, which answers nothing."""
        self._buffer = b""
        for _ in range(MAX_RESPONSE // READ):
            if not self._wait_for_output(0.0) or not self._read():
                return
        raise Nonsense("writes without being asked, and without end")

    def _read_line(self, deadline: float, patience: float, skipped: list[str]) -> str:
        """The next line of output, without its end. Raises Died and TimedOut."""
        while b"\n" not in self._buffer:
            if len(self._buffer) > MAX_RESPONSE:
                raise Nonsense(f"writes lines of more than {MAX_RESPONSE // 1_000_000} MB")
            if not self._wait_until(deadline):
                stray = f", but wrote {skipped[0][:60]!r}, which is no response" if skipped else ""
                raise TimedOut(f"did not answer in {patience:g} s{stray}")
            data = self._read()
            if not data:
                raise self._end()
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return harmless(line.decode("utf-8", "replace"))

    def _wait_until(self, deadline: float) -> bool:
        """True if there is output or the end before `deadline`, which is extended by lost time."""
        while True:
            seconds = min(max(deadline + self.lost - time.monotonic(), 0.0), LOOK)
            began = time.monotonic()
            is_there = self._wait_for_output(seconds)
            late = time.monotonic() - began - seconds
            self.lost += late if late > LOST else 0.0
            if is_there or (late <= LOST and deadline + self.lost <= time.monotonic()):
                return is_there

    def _wait_for_output(self, seconds: float) -> bool:
        """True if there is output or the end within so many seconds."""
        assert self._output is not None
        return self._output.wait(seconds)

    def _read(self) -> bytes:
        assert self._output is not None
        return self._output.read()

    def _end(self) -> EngineFailure:
        """The error for an ended process: how it ended, and its last line on stderr."""
        assert self._process is not None and self._stderr is not None
        try:
            status = self._process.wait(KILL_PATIENCE)
        except subprocess.TimeoutExpired:
            return Died("closed its output")
        self._stderr.finish()
        last_line = self.last_stderr(1)[:200]
        if status == CANNOT_START and last_line.startswith(CANNOT_START_TEXT):
            return CannotStart(last_line)
        return Died(f"died with {_status_text(status)}" + (f": {last_line}" if last_line else ""))


class _StderrDrain:
    """A thread that reads stderr at once, so that no engine ever waits, and keeps the end of it."""

    def __init__(self, reader: PipeReader) -> None:
        self.reader = reader
        self.lock = threading.Lock()
        self.fresh: deque[bytes] = deque()
        self.fresh_size = 0
        self.last = b""
        self.thread = threading.Thread(target=self._run, name="stderr of an engine", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        """Read until the end, always with the lock, so that all output is either in the pipe or kept."""
        read = READ
        while read:
            try:
                self.reader.wait(None)
                with self.lock:
                    read = self._read_once()
            except OSError:  # it was closed
                return
            if read == READ:
                time.sleep(FLOOD_PAUSE)

    def _read_once(self) -> int:
        """Keep what can be read without waiting; returns the number of bytes, 0 at the end, -1 if there was nothing."""
        if not self.reader.wait(0.0):
            return -1
        data = self.reader.read()
        if data:
            self._keep(data)
        return len(data)

    def _keep(self, data: bytes) -> None:
        self.fresh.append(data)
        self.fresh_size += len(data)
        while self.fresh_size - len(self.fresh[0]) >= MAX_STDERR:
            self.fresh_size -= len(self.fresh.popleft())

    def take(self) -> str:
        """The output since the last call."""
        with self.lock:
            with suppress(OSError):  # it was closed
                for _ in range(MAX_STDERR // READ + 1):
                    if self._read_once() <= 0:
                        break
            data = b"".join(self.fresh)[-MAX_STDERR:]
            self.fresh.clear()
            self.fresh_size = 0
            self.last = (self.last + data)[-MAX_STDERR:]
        return harmless(data.decode("utf-8", "replace"))

    def last_text(self) -> str:
        """The end of all output."""
        with self.lock:
            return harmless((self.last + b"".join(self.fresh))[-MAX_STDERR:].decode("utf-8", "replace"))

    def finish(self) -> None:
        """Wait until the thread has seen the end, but not long: a process that escaped the keeper may hold the pipe open."""
        self.thread.join(1.0)


def _answer(response: list[str]) -> str:
    """The text of a response, which may have an id. Raises GtpError for an error response."""
    head = response[0][1:].lstrip("0123456789")
    text = "\n".join([head, *response[1:]]).strip()
    if response[0].startswith("?"):
        raise GtpError(text or "an error without a text")
    return text


def _status_text(status: int) -> str:
    """`exit status 3`, or the name of the signal that ended the engine."""
    if status > 128:
        try:
            return f"signal {signal.Signals(status - 128).name}"
        except ValueError:
            pass
    return f"exit status {status}"
