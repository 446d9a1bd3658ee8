"""A network that learns: its weights, their average over the last steps, and its optimizer."""

from typing import TypedDict

import torch

from gtp_engine.learning.training.loss import Answers, Losses, losses
from gtp_engine.learning.training.model import Network, Outputs, Size
from gtp_engine.learning.training.optimizer import Optimizer

F32, BF16 = "f32", "bf16"
AVERAGE_MEMORY = 0.05  # of the steps so far: how far back the average of the weights reaches
LONGEST_AVERAGE = 500.0  # steps


class NetworkLearnerState(TypedDict):
    """What a checkpoint holds of a learner."""

    network: dict[str, torch.Tensor]
    average: dict[str, torch.Tensor]
    optimizer: list[dict[str, object]]


class NetworkLearner:
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

    def learn(self, answers: Answers, rate: float, step: int) -> tuple[Outputs, Losses]:
        """Step number `step`, from 0 on, at `rate` times the highest rate. Gives back what the network said before it."""
        self.network.train()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.precision == BF16):
            features = self.network.trunk(answers.planes, answers.ranks)
        said = self.network.answer(features.float(), answers.planes)
        result = losses(said, answers)
        result.total.backward()
        self.optimizer.step(rate)
        move_average(self.average, self.network, step)
        return said, result

    def state(self) -> NetworkLearnerState:
        """What take_state takes."""
        return {"network": self.network.state_dict(), "average": self.average.state_dict(), "optimizer": self.optimizer.state_dict()}

    def take_state(self, state: NetworkLearnerState) -> None:
        """Go on where `state` was given."""
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])


@torch.no_grad()
def move_average(average: torch.nn.Module, network: torch.nn.Module, step: int) -> None:
    """Move the average of the weights a little towards the network as it is after step number `step`, from 0 on."""
    share = 1.0 / min(1.0 + AVERAGE_MEMORY * step, LONGEST_AVERAGE)
    for mean, value in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
        if mean.is_floating_point():
            mean.lerp_(value, share)
        else:
            mean.copy_(value)
