"""A GTP engine in its own process, for scripts: one command, one answer, each timed at the pipe. Standard library only."""

import queue
import subprocess
import threading
import time

PATIENCE = 120.0  # seconds for an answer: a first start compiles
QUIT_PATIENCE = 5.0


class GtpProcessError(Exception):
    """The engine died, didn't answer in time, or answered with an error; the text says which."""


class GtpProcess:
    """An engine that is running. Not for several threads."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.lines: queue.Queue[str | None] = queue.Queue()  # None: the end of its output
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\r\n"))
        self.lines.put(None)

    def send(self, line: str) -> None:
        """Write a line without waiting for an answer. Raises GtpProcessError when the engine has gone."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise GtpProcessError(f"the engine died before {line!r}") from error

    def next_line(self, deadline: float) -> str:
        """The next line of output. Raises GtpProcessError at `deadline` (time.monotonic) and when the engine has gone."""
        try:
            line = self.lines.get(timeout=max(deadline - time.monotonic(), 0.001))
        except queue.Empty:
            raise GtpProcessError("no answer in time") from None
        if line is None:
            raise GtpProcessError(f"the engine died with exit status {self.process.wait()}")
        return line

    def receive(self, patience: float = PATIENCE) -> str:
        """The text of the next response, which ends with an empty line. Raises GtpProcessError for an error response, too."""
        deadline = time.monotonic() + patience
        lines: list[str] = []
        while True:
            line = self.next_line(deadline)
            if line:
                lines.append(line)
            elif lines:
                break
        text = "\n".join(lines)
        if not text.startswith("="):
            raise GtpProcessError(f"error response: {text}")
        return text[1:].strip()

    def ask(self, line: str, patience: float = PATIENCE) -> str:
        """The answer to a command. Raises GtpProcessError."""
        self.send(line)
        try:
            return self.receive(patience)
        except GtpProcessError as error:
            raise GtpProcessError(f"{line}: {error}") from None

    def close(self) -> None:
        """Let it quit, or end it when it doesn't."""
        try:
            self.ask("quit", QUIT_PATIENCE)
            self.process.wait(QUIT_PATIENCE)
        except (GtpProcessError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> "GtpProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
