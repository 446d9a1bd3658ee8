"""A training run in a folder for a network of KataGo's form. It continues from its checkpoint.

The folder has `start.bin.gz`, the first network; `checkpoint.pt`; `network.bin.gz` to play with, the average of the weights; `log.jsonl`
with a line for each measurement; `agreement.md` and `agreement.svg`, the last held-out figures as a table and a plot.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gtp_engine.base.files import write_file, write_whole
from gtp_engine.engine.network.errors import NetworkFileError
from gtp_engine.engine.network.katago.model import Model
from gtp_engine.engine.network.katago.reader import read_model
from gtp_engine.engine.network.katago.writer import write_model
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.batches import LabelBatch, LabelMixture
from gtp_engine.learning.training.katago.figures import LabelFigures, held_out_labels, label_figures
from gtp_engine.learning.training.katago.learner import KataLearner
from gtp_engine.learning.training.katago.positions import KataInputs, NetworkAnswer, probabilities
from gtp_engine.learning.training.katago.report import draw_agreement, make_agreement_table
from gtp_engine.learning.training.katago.source import LabelSource
from gtp_engine.learning.training.katago.twin import KataTwin
from gtp_engine.learning.training.run import RunSettings, TrainingRun

START, NETWORK = "start.bin.gz", "network.bin.gz"
TABLE, PLOT = "agreement.md", "agreement.svg"
MEASURED_TOGETHER = 64  # positions


class KataRun(TrainingRun[LabelBatch, LabelFigures]):
    """One run. `tell` is called with sentences about its progress."""

    learner: KataLearner

    def __init__(
        self, folder: Path, start: Model | None, sources: Sequence[LabelSource], settings: RunSettings, tell: Callable[[str], None]
    ) -> None:
        """Begin with `start`, or continue if the folder has a checkpoint. Raises TrainingError, OSError."""
        super().__init__(folder, settings, tell)
        self.sources = sources
        self.mixture = LabelMixture(sources, settings.shares, settings.batch_size, settings.seed)
        if not self.is_resumed:
            if start is None:
                raise TrainingError(f"{folder} has no checkpoint: say what to begin with")
            write_model(folder / START, start)
        self.learner = KataLearner(trainable(folder / START), torch.device(settings.device), settings.precision)
        if self.is_resumed:
            self.load()

    def run(self, show: Callable[[str, float], None]) -> None:
        """See TrainingRun."""
        self.tell(f"learns from {sum(len(source) for source in self.sources):,} positions, some games held out")
        super().run(show)

    def draw(self, step: int) -> LabelBatch:
        """See TrainingRun."""
        return self.mixture.batch(step)

    def learn(self, batch: LabelBatch, rate: float) -> tuple[int, float, float]:
        """See TrainingRun."""
        losses = self.learner.learn(batch, rate, self.progress.step)
        return len(batch), float(losses.policy), float(losses.value)

    def write_network(self, figures: Mapping[str, LabelFigures]) -> None:
        """See TrainingRun."""
        write_model(self.folder / NETWORK, named(self.learner.average.model(), self.progress.positions))

    def figures(self) -> dict[str, LabelFigures]:
        """See TrainingRun. The agreement with held-out labels by source and board."""
        inputs, figures_by_title = KataInputs(), {}
        for title, labels in held_out_labels(self.sources, self.settings.measured).items():
            answers: list[NetworkAnswer] = []
            for first in range(0, len(labels), MEASURED_TOGETHER):
                arrays = inputs.batch([label.position for label in labels[first : first + MEASURED_TOGETHER]])
                answers += twin_answers(self.learner.average, arrays, self.learner.device)
            figures_by_title[title] = figures = label_figures(labels, answers)
            self.tell(f"{self.progress.positions:,} positions, {title}: {sentence_of(figures)}")
        return figures_by_title

    def write_report(self, figures: Mapping[str, LabelFigures], history: Sequence[Mapping[str, Any]]) -> None:
        """See TrainingRun. The table and the plot."""
        if figures:
            write_file(self.folder / TABLE, make_agreement_table(figures).encode())
            write_whole(self.folder / PLOT, lambda path: draw_agreement(path, history))


def sentence_of(figures: LabelFigures) -> str:
    """The figures as a sentence."""
    text = f"{figures.nats:.3f} nats over the teacher's, same move {figures.top:.1%}, blunders {figures.blunders:.1%}"
    lead = "" if figures.lead_error is None else f", lead {figures.lead_error:.2f}"
    return f"{text}, winner {figures.winner:.1%}, win {figures.win_error:.3f}{lead}"


def trainable(path: Path) -> Model:
    """The network in a file. Raises TrainingError if it can't be trained."""
    try:
        return read_model(path)
    except NetworkFileError as error:
        raise TrainingError(str(error)) from error


def named(model: Model, positions: int) -> Model:
    """The network with a name that includes the number of positions learned in this run."""
    base = model.header.name.split("-taught")[0]
    return replace(model, header=replace(model.header, name=f"{base}-taught-{positions}"))


@torch.no_grad()
def twin_answers(twin: KataTwin, arrays: Sequence[np.ndarray], device: torch.device) -> list[NetworkAnswer]:
    """The network's outputs for positions in the form of KataInputs.batch. Illegal moves keep their small probabilities."""
    outputs = twin(*(torch.from_numpy(array).to(device) for array in arrays))
    policy, value, score, ownership = (output.float().cpu() for output in outputs)
    wins = (value[:, 0] - value[:, 1]).sigmoid().tolist()
    leads = (score[:, 2] * twin.header.scales.lead).tolist()
    every = np.ones(policy.shape[2], bool)
    return [
        NetworkAnswer(probabilities(logits[0], every), probabilities(logits[-1], every), win, lead, owners)
        for logits, win, lead, owners in zip(policy.numpy(), wins, leads, ownership.numpy(), strict=True)
    ]
