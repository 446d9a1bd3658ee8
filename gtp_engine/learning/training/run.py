"""A run in a folder: it learns step by step, saves itself, measures now and then, and goes on from its checkpoint."""

import json
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import torch

from gtp_engine.base.files import write_file, write_whole
from gtp_engine.base.progress import rate
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.checkpoint import CHECKPOINT_VERSION, LearnerState, contents_of, progress_of, read_checkpoint
from gtp_engine.learning.training.devices import CPU, F32
from gtp_engine.learning.training.schedule import Schedule, TrainingProgress

CHECKPOINT, LOG = "checkpoint.pt", "log.jsonl"
AHEAD = 1  # batches drawn while the network learns, beside one for each processor that draws
Batch = TypeVar("Batch")


@dataclass(frozen=True)
class RunSettings:
    """How a run learns, but for the network and what it learns from."""

    schedule: Schedule
    batch_size: int = 128
    seed: int = 1
    threads: int = 1
    device: str = CPU
    precision: str = F32
    shares: tuple[float, ...] = ()  # of the batches, by source; none: all alike
    checkpoint_every: float = 240.0  # seconds: at most this much is lost by kill -9
    measure_every: float = 1200.0  # seconds
    measured: int = 2048  # held-out positions of each source and board

    @property
    def drawers(self) -> int:
        """How many threads draw positions: one beside a network that learns on processors, nearly all beside one on a GPU."""
        return 1 if self.device == CPU else max(self.threads - 1, 1)


class Figures(Protocol):
    """How well a network does on held-out positions."""

    def as_dict(self) -> Mapping[str, float | None]:
        """For JSON."""
        ...


HeldOut = TypeVar("HeldOut", bound=Figures)


class NetworkLearner(Protocol):
    """A network that learns."""

    device: torch.device

    def state(self) -> LearnerState:
        """What take_state takes."""
        ...

    def take_state(self, state: LearnerState) -> None:
        """Go on where `state` was given."""
        ...


class TrainingRun(ABC, Generic[Batch, HeldOut]):
    """One run. `tell` gets a sentence now and then. Subclasses say what is learned, by which network, and how it is measured."""

    learner: NetworkLearner

    def __init__(self, folder: Path, settings: RunSettings, tell: Callable[[str], None]) -> None:
        torch.set_num_threads(settings.threads)
        self.folder, self.settings, self.tell = folder, settings, tell
        self.progress = TrainingProgress()

    @property
    def is_resumed(self) -> bool:
        """Does the folder hold a checkpoint to go on from?"""
        return (self.folder / CHECKPOINT).exists()

    @abstractmethod
    def draw(self, step: int) -> Batch:
        """Batch number `step`, the same one every time. Threads may call it at once."""

    @abstractmethod
    def learn(self, batch: Batch, rate: float) -> tuple[int, float, float]:
        """One step at `rate` times the highest rate: how many positions, and the losses of policy and value before it."""

    @abstractmethod
    def figures(self) -> dict[str, HeldOut]:
        """The figures of the average of the weights, by the title of what was held out; each is told in a line."""

    @abstractmethod
    def write_network(self, figures: Mapping[str, HeldOut]) -> None:
        """Write the average of the weights, which has these figures, into the folder. Raises OSError."""

    def write_report(self, figures: Mapping[str, HeldOut], history: Sequence[Mapping[str, Any]]) -> None:
        """Write more about these figures than the log has; `history`: all lines of the log. Raises OSError."""

    def identity(self) -> Mapping[str, Any]:
        """What must be the same when a run goes on."""
        return {"batch_size": self.settings.batch_size, "seed": self.settings.seed}

    def done(self) -> float:
        """0 at the start, 1 or more when it is over."""
        return self.settings.schedule.progress(self.progress.seconds, self.progress.positions)

    def text(self) -> str:
        """Where the run is, in a line."""
        progress = self.progress
        speed = rate(progress.positions / max(progress.seconds, 1e-9))
        return f"{progress.positions:,} positions, {speed}, loss {progress.policy_loss:.3f}"

    def run(self, show: Callable[[str, float], None]) -> None:
        """Learn to the end of the schedule, then measure and write the network. After KeyboardInterrupt the checkpoint holds everything.

        `show` gets a line for people and `done` after every step. Raises OSError at the end when the disk did not take everything.
        """
        self.draw(0)  # compiles before the clock starts
        try:
            self._learn_all(show)
        finally:
            is_saved = self.save()
        if not (self.measure() and is_saved):
            raise OSError(f"not everything is in {self.folder}; free some space, and give the same command again")

    def _learn_all(self, show: Callable[[str, float], None]) -> None:
        """All steps to the end, while the next batches are drawn."""
        saved = measured = time.monotonic()
        drawers = self.settings.drawers
        ahead: deque[Future[Batch]] = deque()
        next_step = self.progress.step
        with ThreadPoolExecutor(drawers) as pool:
            try:
                while self.done() < 1.0:
                    began = time.perf_counter()
                    while len(ahead) < drawers + AHEAD:
                        ahead.append(pool.submit(self.draw, next_step))
                        next_step += 1
                    count, policy_loss, value_loss = self.learn(ahead.popleft().result(), self.settings.schedule.rate(self.done()))
                    self.progress.note(count, time.perf_counter() - began, policy_loss, value_loss)
                    show(self.text(), self.done())
                    if time.monotonic() - saved > self.settings.checkpoint_every:
                        self.save()
                        saved = time.monotonic()
                    if time.monotonic() - measured > self.settings.measure_every:
                        self.measure()
                        measured = time.monotonic()
            finally:
                for unused in ahead:
                    unused.cancel()

    def measure(self) -> bool:
        """Write the network as it is now, and its figures, into the folder; a full disk is told and answered with False."""
        figures = self.figures()
        try:
            self.write_network(figures)
            self.write_report(figures, self._write_log(figures))
        except OSError as error:
            self.tell(f"cannot write to {self.folder}: {error}")
            return False
        return True

    def _write_log(self, figures: Mapping[str, HeldOut]) -> list[dict[str, Any]]:
        """Add a line to the log; all its lines."""
        progress, log = self.progress, self.folder / LOG
        line = {
            "step": progress.step,
            "positions": progress.positions,
            "seconds": round(progress.seconds),
            "policy_loss": round(progress.policy_loss, 4),
            "held_out": {title: figure.as_dict() for title, figure in figures.items()},
        }
        text = f"{log.read_text(encoding='utf-8') if log.exists() else ''}{json.dumps(line)}\n"
        write_file(log, text.encode())  # whole: half a line, left by a full disk, could not be read any more
        return [json.loads(line) for line in text.splitlines()]

    def save(self) -> bool:
        """Write the checkpoint; a full disk is told and answered with False, and the last one stays."""
        state = {"version": CHECKPOINT_VERSION, **self.identity(), "progress": asdict(self.progress), **self.learner.state()}
        try:
            write_whole(self.folder / CHECKPOINT, lambda unfinished: torch.save(state, unfinished))
            return True
        except (OSError, RuntimeError) as error:  # torch reports a full disk as RuntimeError
            self.tell(f"cannot write {self.folder / CHECKPOINT}, the one before stays: {error}")
            return False

    def load(self) -> None:
        """Go on where the checkpoint was written. Raises TrainingError when it is none, or of a run with other settings."""
        path = self.folder / CHECKPOINT
        state = read_checkpoint(path, self.learner.device)
        with contents_of(path):
            for name, ours in self.identity().items():
                theirs = state[name]  # type: ignore[literal-required]
                if theirs != ours:
                    differs = f"a run with {name.replace('_', ' ')} {theirs}, this one has {ours}"
                    raise TrainingError(f"{path} is of {differs}; choose another folder to begin anew")
            self.learner.take_state(state)
            self.progress = progress_of(state)
        self.tell(f"goes on after {self.progress.positions:,} positions")
