"""A training run in a folder: it learns step by step, saves checkpoints, measures regularly, and continues from its checkpoint."""

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
    """The settings of a run, apart from the network and its sources."""

    schedule: Schedule
    batch_size: int = 128
    seed: int = 1
    threads: int = 1
    device: str = CPU
    precision: str = F32
    shares: tuple[float, ...] = ()  # of the batches, by source; empty: all equal
    checkpoint_every: float = 240.0  # seconds: kill -9 loses at most so much
    measure_every: float = 1200.0  # seconds
    measured: int = 2048  # held-out positions of each source and board

    @property
    def drawers(self) -> int:
        """The number of threads that draw positions: one if the network learns on processors, nearly all if on a GPU."""
        return 1 if self.device == CPU else max(self.threads - 1, 1)


class Figures(Protocol):
    """A network's figures on held-out positions."""

    def as_dict(self) -> Mapping[str, float | None]:
        """For JSON."""
        ...


HeldOut = TypeVar("HeldOut", bound=Figures)


class NetworkLearner(Protocol):
    """A network that learns."""

    device: torch.device

    def state(self) -> LearnerState:
        """The state for take_state."""
        ...

    def take_state(self, state: LearnerState) -> None:
        """Continue from `state`."""
        ...


class TrainingRun(ABC, Generic[Batch, HeldOut]):
    """One run. `tell` is called with sentences about its progress. Subclasses define the batches, the network and the measurements."""

    learner: NetworkLearner

    def __init__(self, folder: Path, settings: RunSettings, tell: Callable[[str], None]) -> None:
        torch.set_num_threads(settings.threads)
        self.folder, self.settings, self.tell = folder, settings, tell
        self.progress = TrainingProgress()

    @property
    def is_resumed(self) -> bool:
        """True if the folder has a checkpoint to continue from."""
        return (self.folder / CHECKPOINT).exists()

    @abstractmethod
    def draw(self, step: int) -> Batch:
        """Batch number `step`, the same each time. Several threads may call it at once."""

    @abstractmethod
    def learn(self, batch: Batch, rate: float) -> tuple[int, float, float]:
        """Do one step at `rate` times the highest rate; returns the number of positions, and the losses of policy and value before it."""

    @abstractmethod
    def figures(self) -> dict[str, HeldOut]:
        """The figures of the average of the weights, by the title of the held-out set; each is reported in a line."""

    @abstractmethod
    def write_network(self, figures: Mapping[str, HeldOut]) -> None:
        """Write the average of the weights, which has these figures, to the folder. Raises OSError."""

    def write_report(self, figures: Mapping[str, HeldOut], history: Sequence[Mapping[str, Any]]) -> None:
        """Write reports of these figures; `history`: all lines of the log. Raises OSError."""

    def identity(self) -> Mapping[str, Any]:
        """The settings that must be equal for a run to continue."""
        return {"batch_size": self.settings.batch_size, "seed": self.settings.seed}

    def done(self) -> float:
        """The progress: 0 at the start, 1 or more at the end."""
        return self.settings.schedule.progress(self.progress.seconds, self.progress.positions)

    def text(self) -> str:
        """The state of the run in a line."""
        progress = self.progress
        speed = rate(progress.positions / max(progress.seconds, 1e-9))
        return f"{progress.positions:,} positions, {speed}, loss {progress.policy_loss:.3f}"

    def run(self, show: Callable[[str, float], None]) -> None:
        """Learn to the end of the schedule, then measure and write the network. After KeyboardInterrupt the checkpoint holds everything.

        `show` is called with a line for people and `done` after every step. Raises OSError at the end if something couldn't be written.
        """
        self.draw(0)  # compiles before the clock starts
        try:
            self._learn_all(show)
        finally:
            is_saved = self.save()
        if not (self.measure() and is_saved):
            raise OSError(f"not everything is in {self.folder}; free some space, and give the same command again")

    def _learn_all(self, show: Callable[[str, float], None]) -> None:
        """Do all steps to the end, while the next batches are drawn."""
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
        """Write the current network and its figures to the folder; False if the disk is full, which is reported."""
        figures = self.figures()
        try:
            self.write_network(figures)
            self.write_report(figures, self._write_log(figures))
        except OSError as error:
            self.tell(f"cannot write to {self.folder}: {error}")
            return False
        return True

    def _write_log(self, figures: Mapping[str, HeldOut]) -> list[dict[str, Any]]:
        """Add a line to the log; returns all its lines."""
        progress, log = self.progress, self.folder / LOG
        line = {
            "step": progress.step,
            "positions": progress.positions,
            "seconds": round(progress.seconds),
            "policy_loss": round(progress.policy_loss, 4),
            "held_out": {title: figure.as_dict() for title, figure in figures.items()},
        }
        text = f"{log.read_text(encoding='utf-8') if log.exists() else ''}{json.dumps(line)}\n"
        write_file(log, text.encode())  # in one step: a partial line after a full disk could not be read
        return [json.loads(line) for line in text.splitlines()]

    def save(self) -> bool:
        """Write the checkpoint; False if the disk is full, which is reported, and then the last one stays."""
        state = {"version": CHECKPOINT_VERSION, **self.identity(), "progress": asdict(self.progress), **self.learner.state()}
        try:
            write_whole(self.folder / CHECKPOINT, lambda unfinished: torch.save(state, unfinished))
            return True
        except (OSError, RuntimeError) as error:  # torch reports a full disk as RuntimeError
            self.tell(f"cannot write {self.folder / CHECKPOINT}, the one before stays: {error}")
            return False

    def load(self) -> None:
        """Continue from the checkpoint. Raises TrainingError if it isn't one, or if its run has other settings."""
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
