"""A run as people see it on stderr: a bar with the time left on a terminal, else a plain line now and then."""

import sys
import time
from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from gtp_engine.learning.training.schedule import TrainingProgress

LINE_EVERY = 60.0  # seconds
BAR_STEPS = 1000  # of the whole bar


class ShownRun(Protocol):
    """A run that can be shown."""

    progress: TrainingProgress

    def done(self) -> float:
        """0 at the start, 1 or more when it is over."""
        ...


class Display:
    """Use as a context manager; call `show` after every step."""

    def __init__(self, run: ShownRun) -> None:
        self.run = run
        self.started = time.monotonic()
        self.positions = run.progress.positions  # before this process
        self.done = run.done()
        self.last_line = self.started
        self.bar: Progress | None = None
        self.task = TaskID(0)
        if sys.stderr.isatty():
            self.bar = Progress(BarColumn(), TextColumn("{task.description}"), console=Console(stderr=True))

    def __enter__(self) -> "Display":
        if self.bar:
            self.bar.start()
            self.task = self.bar.add_task("compiling", total=BAR_STEPS)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if self.bar:
            self.bar.stop()

    def text(self) -> str:
        """Where the run is, in a line."""
        progress = self.run.progress
        seconds = max(time.monotonic() - self.started, 1e-9)
        speed = (progress.positions - self.positions) / seconds
        gained = self.run.done() - self.done
        left = seconds * (1.0 - self.run.done()) / gained if gained > 0 else 0.0
        return f"{progress.positions:,} positions, {speed:.0f}/s, loss {progress.policy_loss:.3f}, {format_time(left)} left"

    def show(self) -> None:
        """Bring the display up to date."""
        if self.bar:
            self.bar.update(self.task, completed=BAR_STEPS * min(self.run.done(), 1.0), description=self.text())
        elif time.monotonic() - self.last_line > LINE_EVERY:
            self.last_line = time.monotonic()
            self.tell(self.text())

    def tell(self, text: str) -> None:
        """A line that stays, above the bar if there is one."""
        if self.bar:
            self.bar.console.print(text, highlight=False, markup=False)
        else:
            print(f"gtp-engine train: {text}", file=sys.stderr, flush=True)


def format_time(seconds: float) -> str:
    """`1:05:09`, `5:09`."""
    minutes, rest = divmod(round(max(seconds, 0.0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
