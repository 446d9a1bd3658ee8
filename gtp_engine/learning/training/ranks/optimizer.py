"""The optimizer: Muon for the trunk's convolutions, AdamW for everything else.

Muon (Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks") replaces the momentum of a matrix by the nearest
orthogonal one, found by a few steps of Newton's and Schulz's iteration. A convolution counts as the matrix [outputs, inputs * taps].
"""

from collections.abc import Iterable

import torch
from torch import Tensor

from gtp_engine.learning.training.ranks.model import Network

NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)  # coefficients of the quintic that drives singular values to about 1 (same source)
NEWTON_SCHULZ_STEPS = 5
MUON_RATE = 0.01  # learning rate at its highest; at 0.02, the source's, no winner was learned in 20,000 positions (at 0.008: 0.684 nats)
MUON_MOMENTUM = 0.95
MUON_DECAY = 0.02  # keeps the weights near the size that they start with
ADAM_RATE = 1e-3
ADAM_BETAS = (0.9, 0.98)


def orthogonal(matrices: Tensor) -> Tensor:
    """[N, R, C] with R <= C: the nearest matrices with orthonormal rows, roughly: singular values between 0.7 and 1.2."""
    a, b, c = NEWTON_SCHULZ
    x = matrices / (matrices.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(NEWTON_SCHULZ_STEPS):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return x


class Muon(torch.optim.Optimizer):
    """Muon with Nesterov's momentum for convolutions with no more outputs than inputs * taps."""

    def __init__(self, params: Iterable[Tensor], lr: float = MUON_RATE) -> None:
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self) -> None:
        """Change every parameter that has a gradient."""
        for group in self.param_groups:
            by_shape: dict[torch.Size, list[Tensor]] = {}
            for parameter in group["params"]:
                if parameter.grad is not None:
                    by_shape.setdefault(parameter.shape, []).append(parameter)
            for parameters in by_shape.values():
                self.change(parameters, group["lr"])

    def change(self, parameters: list[Tensor], rate: float) -> None:
        """One step of parameters of one shape."""
        directions = []
        for parameter in parameters:
            momentum = self.state[parameter].setdefault("momentum", torch.zeros_like(parameter))
            momentum.lerp_(parameter.grad, 1 - MUON_MOMENTUM)
            directions.append(parameter.grad.lerp(momentum, MUON_MOMENTUM).flatten(1))
        for parameter, direction in zip(parameters, orthogonal(torch.stack(directions)), strict=True):
            parameter.mul_(1 - rate * MUON_DECAY)
            parameter.sub_(direction.view_as(parameter), alpha=rate)


class Optimizer:
    """Both optimizers as one, with one learning rate in 0..1 of the highest."""

    def __init__(self, network: Network) -> None:
        trunk = [p for name, p in network.named_parameters() if p.dim() == 4 and not name.startswith("heads")]
        ids = {id(p) for p in trunk}
        rest = [p for p in network.parameters() if id(p) not in ids]
        self.parts: tuple[torch.optim.Optimizer, ...] = (
            Muon(trunk),
            torch.optim.AdamW(rest, lr=ADAM_RATE, betas=ADAM_BETAS, weight_decay=0.0),
        )
        self.highest = (MUON_RATE, ADAM_RATE)

    def step(self, rate: float) -> None:
        """Change the parameters by their gradients, at `rate` times the highest learning rate."""
        for part, highest in zip(self.parts, self.highest, strict=True):
            for group in part.param_groups:
                group["lr"] = rate * highest
            part.step()
            part.zero_grad(set_to_none=True)

    def state_dict(self) -> list[dict[str, object]]:
        """What load_state_dict takes."""
        return [part.state_dict() for part in self.parts]

    def load_state_dict(self, states: list[dict[str, object]]) -> None:
        """Go on where state_dict was taken."""
        for part, state in zip(self.parts, states, strict=True):
            part.load_state_dict(state)
