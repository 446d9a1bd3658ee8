"""A whole training run in a folder: goes on from its checkpoint, writes figures and networks as it goes.

In the folder: `checkpoint.pt` to go on from, `network.onnx` to play with (the average of the weights), `log.jsonl` with one line for each
measurement, `accuracy.md` and `accuracy.svg`, the last held-out figures as a table and a plot, and `teacher.onnx`, if a teacher learns too.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from gtp_engine.base.files import write_file, write_whole
from gtp_engine.engine.network.features import FEATURES_VERSION, PLANES
from gtp_engine.engine.network.model_file import Description
from gtp_engine.engine.network.rank_input import rank_input
from gtp_engine.learning.training.accuracy import Accuracy, Answers, Judgements, Predict, judge
from gtp_engine.learning.training.export import export, load_network
from gtp_engine.learning.training.growth import grow
from gtp_engine.learning.training.model import Network, Size
from gtp_engine.learning.training.records import Records
from gtp_engine.learning.training.report import draw_plot, make_table
from gtp_engine.learning.training.trainer import Settings, Trainer, contents_of, progress_of, read_checkpoint

CHECKPOINT, NETWORK, TEACHER = "checkpoint.pt", "network.onnx", "teacher.onnx"
LOG, TABLE, PLOT = "log.jsonl", "accuracy.md", "accuracy.svg"


@dataclass(frozen=True)
class Intervals:
    """How often what is done, in seconds, and on how many held-out positions."""

    checkpoint: float = 240.0  # at most this much is lost by kill -9
    measurement: float = 1200.0
    positions: int = 2048  # a figure of 45 % is then good to 1.1 points
    last_positions: int = 16384  # after the last step: good to 0.4 points


Tell = Callable[[str], None]


@dataclass(frozen=True)
class Source:
    """Games to learn from, and games of the same kind to measure with."""

    name: str
    learned: Records
    held_out: Records


class Imitation:
    """One run. `tell` gets a sentence now and then; `show` is called after every step."""

    def __init__(self, folder: Path, sources: Sequence[Source], settings: Settings, data: str, tell: Tell) -> None:
        """Learn from `sources`. `data` names them in the network's file. Goes on from the folder's checkpoint."""
        self.folder, self.data, self.tell = folder, data, tell
        self.sources = sources
        self.trainer = Trainer([source.learned for source in sources], settings)
        self.intervals = Intervals()
        self.resumed = (folder / CHECKPOINT).exists()
        if self.resumed:
            self.trainer.load(folder / CHECKPOINT)
            self.tell(f"goes on after {self.trainer.progress.positions:,} positions")

    def start_from(self, path: Path) -> None:
        """Begin with the weights of an exported network, grown to this run's size; not when the run goes on anyway."""
        if self.resumed:
            return
        network, description = load_network(path)
        self.trainer.take_weights(grow(network, self.trainer.settings.size), description.positions)
        self.tell(f"begins with {path}, {network.size}, {description.positions:,} positions")

    def start_teacher_from(self, path: Path) -> None:
        """The same for the teacher of this run, which must have one."""
        teacher = self.trainer.teacher
        if self.resumed or teacher is None:
            return
        network, _ = load_network(path)
        teacher.take_weights(grow(network, teacher.size))
        self.tell(f"the teacher, {teacher.size}, begins with {path}, {network.size}")

    def run(self, show: Callable[[], None]) -> None:
        """Train to the end of the schedule, then measure and export. After KeyboardInterrupt the checkpoint holds everything so far.

        Raises OSError at the end when the disk did not take the checkpoint or the network.
        """
        self.trainer.sampler.batch(0)  # compiles before the clock starts
        held_out = sum(len(source.held_out) for source in self.sources)
        self.tell(f"learns from {self.trainer.sampler.games:,} games, measures on {held_out:,}")
        saved = measured = time.monotonic()

        def after_step() -> bool:
            """Show, save and measure when it is time; True: go on."""
            nonlocal saved, measured
            show()
            if time.monotonic() - saved > self.intervals.checkpoint:
                self.save()
                saved = time.monotonic()
            if time.monotonic() - measured > self.intervals.measurement:
                self.measure(self.intervals.positions)
                measured = time.monotonic()
            return True

        try:
            self.trainer.run(after_step)
        finally:
            is_saved = self.save()
        if not (self.measure(self.intervals.last_positions) and is_saved):
            raise OSError(f"not everything is in {self.folder}; free some space, and give the same command again")

    def save(self) -> bool:
        """Write the checkpoint; a full disk is told and answered with False, and the last one stays."""
        try:
            self.trainer.save(self.folder / CHECKPOINT)
            return True
        except (OSError, RuntimeError) as error:  # torch reports a full disk as RuntimeError
            self.tell(f"cannot write {self.folder / CHECKPOINT}, the one before stays: {error}")
            return False

    def measure(self, positions: int) -> bool:
        """The network as it is now, and its figures on held-out positions, into the folder; a full disk is told and answered with False."""
        found = self.judge_all(positions)
        try:
            export(self.trainer.average, self.description(found), self.folder / NETWORK)
            if self.trainer.teacher:
                export(self.trainer.teacher.average, self.description({}, self.trainer.teacher.size), self.folder / TEACHER)
            self.write_figures(found)
        except OSError as error:
            self.tell(f"cannot write to {self.folder}: {error}")
            return False
        return True

    def judge_all(self, positions: int) -> dict[str, Judgements]:
        """What is found on each source's held-out games, by its name, told in a line each; sources that hold none out are left out."""
        predict, drawers = predictor(self.trainer.average, self.trainer.device), self.trainer.settings.drawers
        found = {
            source.name: judge(predict, source.held_out, positions, threads=drawers) for source in self.sources if len(source.held_out)
        }
        for name, judgements in found.items():
            accuracy, of = judgements.overall(), f" of {name}" if len(found) > 1 else ""
            learned = f"{self.trainer.progress.positions:,} positions{of}"
            winners = f"winners {accuracy.value_accuracy:.1%}{owners_text(accuracy)}"
            self.tell(f"{learned}: top-1 {accuracy.top1:.1%}, nll {accuracy.nll:.3f}, {winners}")
        return found

    def write_figures(self, found: dict[str, Judgements]) -> None:
        """The log's line, with the figures of every source; the table and the plot, with those of the first."""
        progress = self.trainer.progress
        line: dict[str, object] = {"step": progress.step, "positions": progress.positions, "seconds": round(progress.seconds)}
        line |= {"policy_loss": round(progress.policy_loss, 4), "drawn_in_vain": self.trainer.sampler.vain}
        first = next(iter(found.values()), None)
        if first:
            line |= {"held_out": first.overall().as_dict()}
        if len(found) > 1:
            line |= {"sources": {name: judgements.overall().as_dict() for name, judgements in found.items()}}
        log = self.folder / LOG
        before = log.read_text(encoding="utf-8") if log.exists() else ""
        text = f"{before}{json.dumps(line)}\n"
        write_file(log, text.encode())  # whole: half a line, left by a full disk, could not be read any more
        if first:
            write_file(self.folder / TABLE, make_table(first).encode())
            history = [json.loads(each) for each in text.splitlines()]
            write_whole(self.folder / PLOT, lambda path: draw_plot(path, history, first))

    def description(self, found: dict[str, Judgements], size: Size | None = None) -> Description:
        """What a network's file says about itself, with the figures of the first source. `size`: if it isn't the run's."""
        progress, size = self.trainer.progress, size or self.trainer.settings.size
        accuracy = next((judgements.overall() for judgements in found.values()), None)
        top1, nll = (accuracy.top1, accuracy.nll) if accuracy else (0.0, 0.0)
        return Description(
            FEATURES_VERSION,
            PLANES,
            size.blocks,
            size.channels,
            progress.step,
            progress.earlier + progress.positions,
            self.data,
            round(top1, 4),
            round(nll, 4),
            int(size.ranks),
        )


def owners_text(accuracy: Accuracy) -> str:
    """How well owners are named, for a line of figures."""
    return "" if accuracy.owners is None else f", owners {accuracy.owners:.1%}"


def predictor(network: Network, device: torch.device) -> Predict:
    """The network as a function from planes to policy, value, score and owners, for accuracy.judge."""

    def predict(planes: np.ndarray, ranks: np.ndarray) -> Answers:
        """See accuracy.Predict."""
        network.eval()
        with torch.no_grad():
            told = torch.from_numpy(rank_input(ranks)).to(device)
            outputs = network(torch.from_numpy(planes).to(device, memory_format=torch.channels_last), told)
        policy, value, score, _, owners = (output.float().cpu().numpy() for output in outputs)
        return policy, value, score, owners

    return predict


def export_checkpoint(checkpoint: Path, path: Path, data: str) -> float:
    """Write the averaged weights of a checkpoint as a network to play with; gives back export's difference. Measures nothing."""
    state = read_checkpoint(checkpoint, torch.device("cpu"))
    with contents_of(checkpoint):
        network = Network(Size(**state["size"]))
        network.load_state_dict(state["average"])
        progress, size = progress_of(state), network.size
    learned = progress.earlier + progress.positions
    described = Description(FEATURES_VERSION, PLANES, size.blocks, size.channels, progress.step, learned, data, 0.0, 0.0, int(size.ranks))
    return export(network, described, path)
