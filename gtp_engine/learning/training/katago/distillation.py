"""A run in a folder in which a network of KataGo's form learns from labels; it goes on from its checkpoint.

In the folder: `start.bin.gz`, what it began with; `checkpoint.pt` to go on from; `network.bin.gz` to play with, the average of the
weights; `log.jsonl` with a line for each measurement; `agreement.md` and `agreement.svg`, the last held-out figures as a table and a plot.
"""

import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NotRequired

import numpy as np
import torch

from gtp_engine.base.files import write_file, write_whole
from gtp_engine.engine.network.katago.model import Model
from gtp_engine.engine.network.katago.reader import read_model
from gtp_engine.engine.network.katago.writer import write_model
from gtp_engine.engine.network.model_file import NetworkFileError
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.batches import LabelBatch, LabelMixture
from gtp_engine.learning.training.katago.figures import LabelFigures, held_out_labels, label_figures
from gtp_engine.learning.training.katago.labels import Labels
from gtp_engine.learning.training.katago.learner import KataLearner
from gtp_engine.learning.training.katago.positions import KataInputs, NetworkSays, probabilities
from gtp_engine.learning.training.katago.report import draw_agreement, make_agreement_table
from gtp_engine.learning.training.katago.twin import KataTwin
from gtp_engine.learning.training.network_learner import F32, NetworkLearnerState
from gtp_engine.learning.training.trainer import CHECKPOINT_VERSION, Schedule, TrainingProgress, contents_of, progress_of, read_checkpoint

START, CHECKPOINT, NETWORK = "start.bin.gz", "checkpoint.pt", "network.bin.gz"
LOG, TABLE, PLOT = "log.jsonl", "agreement.md", "agreement.svg"
MEASURED_TOGETHER = 64  # positions


@dataclass(frozen=True)
class DistillationSettings:
    """Everything but the labels and the network that decides what a run does."""

    schedule: Schedule
    batch_size: int = 128
    seed: int = 1
    threads: int = 1
    device: str = "cpu"
    precision: str = F32
    shares: tuple[float, ...] = ()  # of the batches, by source; none: all alike
    checkpoint_every: float = 240.0  # seconds: at most this much is lost by kill -9
    measure_every: float = 1200.0  # seconds
    measured: int = 2048  # held-out positions of each board


class DistillationState(NetworkLearnerState):
    """What a checkpoint holds."""

    version: int
    batch_size: int
    seed: int
    progress: dict[str, float]
    kind: NotRequired[str]


class Distillation:
    """One run. `tell` gets a sentence now and then."""

    def __init__(
        self, folder: Path, start: Model | None, sources: Sequence[Labels], settings: DistillationSettings, tell: Callable[[str], None]
    ) -> None:
        """Begin with `start`, or, where the folder has a checkpoint, go on. Raises TrainingError, OSError."""
        torch.set_num_threads(settings.threads)
        self.folder, self.settings, self.tell = folder, settings, tell
        self.sources = sources
        self.mixture = LabelMixture(sources, settings.shares, settings.batch_size, settings.seed)
        self.progress = TrainingProgress()
        resumed = (folder / CHECKPOINT).exists()
        if not resumed:
            if start is None:
                raise TrainingError(f"{folder} has no checkpoint: say what to begin with")
            write_model(folder / START, start)
        self.learner = KataLearner(trainable(folder / START), torch.device(settings.device), settings.precision)
        if resumed:
            self._load(folder / CHECKPOINT)
            tell(f"goes on after {self.progress.positions:,} positions")

    def done(self) -> float:
        """0 at the start, 1 or more when it is over."""
        return self.settings.schedule.progress(self.progress.seconds, self.progress.positions)

    def run(self, show: Callable[[], None]) -> None:
        """Learn to the end of the schedule, then measure and write the network. After KeyboardInterrupt the checkpoint holds everything.

        `show` is called after every step. Raises OSError at the end when the disk did not take everything.
        """
        self.mixture.batch(0)  # compiles before the clock starts
        self.tell(f"learns from {sum(len(each) for each in self.sources):,} labels, a tenth of the games held out")
        saved = measured = time.monotonic()
        try:
            with ThreadPoolExecutor(1) as pool:
                ahead = pool.submit(self.mixture.batch, self.progress.step)
                while self.done() < 1.0:
                    ahead = self._step(pool, ahead)
                    show()
                    if time.monotonic() - saved > self.settings.checkpoint_every:
                        self.save()
                        saved = time.monotonic()
                    if time.monotonic() - measured > self.settings.measure_every:
                        self.measure()
                        measured = time.monotonic()
        finally:
            is_saved = self.save()
        if not (self.measure() and is_saved):
            raise OSError(f"not everything is in {self.folder}; free some space, and give the same command again")

    def _step(self, pool: ThreadPoolExecutor, ahead: "Future[LabelBatch]") -> "Future[LabelBatch]":
        """Learn from the batch that comes, while the next one is encoded."""
        began = time.perf_counter()
        batch = ahead.result()
        following = pool.submit(self.mixture.batch, self.progress.step + 1)
        losses = self.learner.learn(batch, self.settings.schedule.rate(self.done()), self.progress.step)
        self.progress.note(len(batch), time.perf_counter() - began, float(losses.policy), float(losses.value))
        return following

    def save(self) -> bool:
        """Write the checkpoint; a full disk is told and answered with False, and the last one stays."""
        state: DistillationState = {
            "version": CHECKPOINT_VERSION,
            "kind": "distillation",
            "batch_size": self.settings.batch_size,
            "seed": self.settings.seed,
            "progress": asdict(self.progress),
            **self.learner.state(),
        }
        try:
            write_whole(self.folder / CHECKPOINT, lambda unfinished: torch.save(state, unfinished))
            return True
        except (OSError, RuntimeError) as error:  # torch reports a full disk as RuntimeError
            self.tell(f"cannot write {self.folder / CHECKPOINT}, the one before stays: {error}")
            return False

    def _load(self, path: Path) -> None:
        """Go on where the checkpoint was written. Raises TrainingError when it is none, or of a run with other settings."""
        state = read_checkpoint(path, self.learner.device)
        with contents_of(path):
            for name, ours in (("batch_size", self.settings.batch_size), ("seed", self.settings.seed)):
                if state[name] != ours:  # type: ignore[literal-required]
                    theirs = state[name]  # type: ignore[literal-required]
                    raise TrainingError(
                        f"{path} is of a run with {name} {theirs}, this one has {ours}; choose another folder to begin anew"
                    )
            self.learner.take_state(state)
            self.progress = progress_of(state)

    def measure(self) -> bool:
        """The network as it is now, and its figures, into the folder; a full disk is told and answered with False."""
        found = self.figures()
        try:
            write_model(self.folder / NETWORK, named(self.learner.average.model(), self.progress.positions))
            self._write_figures(found)
        except OSError as error:
            self.tell(f"cannot write to {self.folder}: {error}")
            return False
        return True

    def figures(self) -> dict[int, LabelFigures]:
        """How far the average of the weights agrees with held-out labels, by board; told in a line each."""
        inputs, found = KataInputs(), {}
        for size, labels in held_out_labels(self.sources, self.settings.measured).items():
            said: list[NetworkSays] = []
            for first in range(0, len(labels), MEASURED_TOGETHER):
                planes, numbers = inputs.batch([label.position for label in labels[first : first + MEASURED_TOGETHER]])
                said += twin_says(self.learner.average, planes, numbers, self.learner.device)
            found[size] = figures = label_figures(labels, said)
            text = f"{self.progress.positions:,} positions, {size}x{size}: {figures.nats:.3f} nats over the teacher's, "
            self.tell(text + f"blunders {figures.blunders:.1%}, win {figures.win_error:.3f}, lead {figures.lead_error:.2f}")
        return found

    def _write_figures(self, found: dict[int, LabelFigures]) -> None:
        """The log's line, the table and the plot."""
        progress = self.progress
        line = {"step": progress.step, "positions": progress.positions, "seconds": round(progress.seconds)}
        boards = {str(size): figures.as_dict() for size, figures in found.items()}
        log = self.folder / LOG
        before = log.read_text(encoding="utf-8") if log.exists() else ""
        text = f"{before}{json.dumps({**line, 'policy_loss': round(progress.policy_loss, 4), 'boards': boards})}\n"
        write_file(log, text.encode())  # whole: half a line, left by a full disk, could not be read any more
        if found:
            write_file(self.folder / TABLE, make_agreement_table({f"{size}x{size}": figures for size, figures in found.items()}).encode())
            history = [json.loads(each) for each in text.splitlines()]
            write_whole(self.folder / PLOT, lambda path: draw_agreement(path, history))


def trainable(path: Path) -> Model:
    """The network in a file. Raises TrainingError when it is none that can be trained."""
    try:
        model = read_model(path)
    except NetworkFileError as error:
        raise TrainingError(str(error)) from error
    if model.header.has_metadata:
        raise TrainingError(f"{path} is a human network, which is told of the players: such networks can't be trained here")
    return model


def named(model: Model, positions: int) -> Model:
    """The network with a name that says how much it has learned in this run."""
    base = model.header.name.split("-taught-")[0]
    return replace(model, header=replace(model.header, name=f"{base}-taught-{positions}"))


@torch.no_grad()
def twin_says(twin: KataTwin, planes: np.ndarray, numbers: np.ndarray, device: torch.device) -> list[NetworkSays]:
    """What the network says of positions as KataInputs.batch gives them. Illegal moves keep what little they get."""
    said = twin(*(torch.from_numpy(array).to(device) for array in (planes, numbers)))
    policy, value, score, ownership = (output.float().cpu() for output in said)
    wins = (value[:, 0] - value[:, 1]).sigmoid().tolist()
    leads = (score[:, 2] * twin.header.scales.lead).tolist()
    every = np.ones(policy.shape[2], bool)
    return [
        NetworkSays(probabilities(logits[0], every), probabilities(logits[-1], every), win, lead, owners)
        for logits, win, lead, owners in zip(policy.numpy(), wins, leads, ownership.numpy(), strict=True)
    ]
