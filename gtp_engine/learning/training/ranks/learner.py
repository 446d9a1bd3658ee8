"""A network that learns: its weights, their average over the last steps, and its optimizer."""

import torch

from gtp_engine.learning.training.average import move_average
from gtp_engine.learning.training.checkpoint import LearnerState
from gtp_engine.learning.training.devices import BF16
from gtp_engine.learning.training.ranks.loss import Answers, Losses, losses
from gtp_engine.learning.training.ranks.model import Network, Size
from gtp_engine.learning.training.ranks.optimizer import Optimizer


class RankLearner:
    """A network of `size` on `device`, with random weights. `precision` is that of the trunk's convolutions: F32 or BF16."""

    def __init__(self, size: Size, device: torch.device, precision: str) -> None:
        self.device, self.precision = device, precision
        self.network = Network(size).to(device, memory_format=torch.channels_last)
        self.average = Network(size).to(device)
        self.average.load_state_dict(self.network.state_dict())
        self.average.eval()
        self.optimizer = Optimizer(self.network)

    @property
    def size(self) -> Size:
        """That of the network."""
        return self.network.size

    def take_weights(self, network: Network) -> None:
        """Begin with this network's weights; it must have the same size."""
        self.network.load_state_dict(network.state_dict())
        self.average.load_state_dict(network.state_dict())

    def learn(self, answers: Answers, rate: float, step: int) -> Losses:
        """Step number `step`, from 0 on, at `rate` times the highest rate."""
        self.network.train()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.precision == BF16):
            features = self.network.trunk(answers.planes, answers.ranks)
        said = self.network.answer(features.float(), answers.planes)
        result = losses(said, answers)
        result.total.backward()
        self.optimizer.step(rate)
        move_average(self.average, self.network, step)
        return result

    def state(self) -> LearnerState:
        """What take_state takes."""
        return {"network": self.network.state_dict(), "average": self.average.state_dict(), "optimizer": self.optimizer.state_dict()}

    def take_state(self, state: LearnerState) -> None:
        """Go on where `state` was given."""
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
