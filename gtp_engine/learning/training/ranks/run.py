"""A run in a folder in which the network of ranks learns from game records.

In the folder: `checkpoint.pt` to go on from, `network.onnx`, the average of the weights, and `log.jsonl` with a line for each measurement.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gtp_engine.engine.network.features import FEATURES_VERSION, PLANES
from gtp_engine.engine.network.model_file import Description
from gtp_engine.engine.network.rank_input import rank_input
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.ranks.accuracy import Accuracy, Outputs, Predict, judge
from gtp_engine.learning.training.ranks.export import export, load_network
from gtp_engine.learning.training.ranks.learner import RankLearner
from gtp_engine.learning.training.ranks.loss import Answers, to_device
from gtp_engine.learning.training.ranks.mixture import Mixture
from gtp_engine.learning.training.ranks.model import Network, Size
from gtp_engine.learning.training.records import Records
from gtp_engine.learning.training.run import RunSettings, TrainingRun

NETWORK = "network.onnx"


@dataclass(frozen=True)
class RankSource:
    """Games to learn from, and games of the same kind to measure with."""

    name: str
    learned: Records
    held_out: Records


class RankRun(TrainingRun[Answers, Accuracy]):
    """One run. `tell` gets a sentence now and then."""

    learner: RankLearner

    def __init__(self, folder: Path, size: Size, sources: Sequence[RankSource], settings: RunSettings, tell: Callable[[str], None]) -> None:
        """Learn from `sources`. Goes on from the folder's checkpoint. Raises TrainingError."""
        super().__init__(folder, settings, tell)
        torch.manual_seed(settings.seed)
        self.sources = sources
        self.mixture = Mixture([source.learned for source in sources], settings.shares, settings.batch_size, settings.seed)
        self.learner = RankLearner(size, torch.device(settings.device), settings.precision)
        if self.is_resumed:
            self.load()

    def identity(self) -> Mapping[str, Any]:
        """See TrainingRun."""
        return {**super().identity(), "size": asdict(self.learner.size)}

    def start_from(self, path: Path) -> None:
        """Begin with the weights of an exported network; not when the run goes on anyway. Raises TrainingError for one of another size."""
        network, description = load_network(path)
        if network.size != self.learner.size:
            raise TrainingError(f"{path} is a network of {network.size}; this run's is one of {self.learner.size}")
        if not self.progress.step:
            self.learner.take_weights(network)
            self.progress.earlier = description.positions
            self.tell(f"begins with {path}, {description.positions:,} positions")

    def run(self, show: Callable[[str, float], None]) -> None:
        """See TrainingRun."""
        held_out = sum(len(source.held_out) for source in self.sources)
        self.tell(f"learns from {self.mixture.games:,} games, measures on {held_out:,}")
        super().run(show)

    def draw(self, step: int) -> Answers:
        """See TrainingRun."""
        return to_device(self.mixture.batch(step), self.learner.device)

    def learn(self, batch: Answers, rate: float) -> tuple[int, float, float]:
        """See TrainingRun."""
        losses = self.learner.learn(batch, rate, self.progress.step)
        return len(batch.values), float(losses.policy), float(losses.value)

    def write_network(self, figures: Mapping[str, Accuracy]) -> None:
        """See TrainingRun."""
        export(self.learner.average, self.description(figures), self.folder / NETWORK)

    def figures(self) -> dict[str, Accuracy]:
        """See TrainingRun. What is found on each source's held-out games, by its name; sources that hold none out are left out."""
        predict, settings = predictor(self.learner.average, self.learner.device), self.settings
        found = {
            source.name: judge(predict, source.held_out, settings.measured, threads=settings.drawers)
            for source in self.sources
            if len(source.held_out)
        }
        for name, accuracy in found.items():
            learned = f"{self.progress.positions:,} positions, {name}"
            self.tell(f"{learned}: top-1 {accuracy.top1:.1%}, nll {accuracy.nll:.3f}, winners {accuracy.value_accuracy:.1%}")
        return found

    def description(self, found: Mapping[str, Accuracy]) -> Description:
        """What a network's file says about itself, with the figures of the first source."""
        progress, size = self.progress, self.learner.size
        first = next(iter(found.values()), None)
        top1, nll = (first.top1, first.nll) if first else (0.0, 0.0)
        data = f"{self.mixture.games:,} games of {', '.join(source.name for source in self.sources)}"
        learned = progress.earlier + progress.positions
        return Description(
            FEATURES_VERSION,
            PLANES,
            size.blocks,
            size.channels,
            progress.step,
            learned,
            data,
            round(top1, 4),
            round(nll, 4),
            1,
        )


def predictor(network: Network, device: torch.device) -> Predict:
    """The network as a function from planes to policy, value, score and owners, for accuracy.judge."""

    def predict(planes: np.ndarray, ranks: np.ndarray) -> Outputs:
        """See accuracy.Predict."""
        network.eval()
        with torch.no_grad():
            told = torch.from_numpy(rank_input(ranks)).to(device)
            outputs = network(torch.from_numpy(planes).to(device, memory_format=torch.channels_last), told)
        policy, value, score, _, owners = (output.float().cpu().numpy() for output in outputs)
        return policy, value, score, owners

    return predict
