"""A network of KataGo's form that learns from labels: the losses, the optimizer's steps, and the average of the weights."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional

from gtp_engine.engine.network.katago.model import Attention, FeedForward, Model, Scales
from gtp_engine.learning.training.average import move_average
from gtp_engine.learning.training.checkpoint import LearnerState
from gtp_engine.learning.training.devices import BF16
from gtp_engine.learning.training.katago.batches import LabelBatch
from gtp_engine.learning.training.katago.twin import KataOutputs, KataTwin, Part

HIGHEST_RATE, ADAM_BETAS = 1e-3, (0.9, 0.99)
DECAY = 0.01  # of the weights of convolutions and matrices, not of norms and biases
SIZE_OF_STEPS = "match_rms_adamw"  # Muon's steps are as large as AdamW's at the same rate, so both have one rate
LARGEST_GRADIENT = 1.0  # length of all gradients together
OPTIMISTIC_WEIGHT = 0.3  # of the optimistic policy, where the network has one
VALUE_WEIGHT, LEAD_WEIGHT, MEAN_WEIGHT, OWNERSHIP_WEIGHT = 1.5, 0.05, 0.01, 0.5
LARGEST_LEAD = 80.0  # points: larger leads are learned as this
LEAD_STEP = 3.0  # points: smaller errors count quadratically, larger ones linearly


@dataclass(frozen=True)
class LabelTensors:
    """A LabelBatch on torch's device."""

    planes: Tensor
    numbers: Tensor
    players: Tensor
    policy: Tensor
    win: Tensor
    lead: Tensor
    ownership: Tensor


def to_tensors(batch: LabelBatch, device: torch.device) -> LabelTensors:
    """The batch on the device, planes with channels last."""
    arrays = (batch.planes, batch.numbers, batch.players, batch.policy, batch.win, batch.lead, batch.ownership)
    planes, *others = (torch.from_numpy(array).to(device) for array in arrays)
    return LabelTensors(planes.contiguous(memory_format=torch.channels_last), *others)


@dataclass(frozen=True)
class LabelLosses:
    """Means over a batch; training minimizes `total`."""

    total: Tensor
    policy: Tensor
    value: Tensor


def label_losses(outputs: KataOutputs, labels: LabelTensors, scales: Scales) -> LabelLosses:
    """The losses of a network's outputs. Deviations, short-term errors and other policies of a file aren't learned."""
    logs = functional.log_softmax(outputs.policy[:, :2], 2)
    policies = -(labels.policy[:, : logs.shape[1]] * logs).sum(2).mean(0)
    outcomes = functional.log_softmax(outputs.value, 1)
    value = -(labels.win * outcomes[:, 0] + (1.0 - labels.win) * outcomes[:, 1]).mean()
    lead = labels.lead.clamp(-LARGEST_LEAD, LARGEST_LEAD)
    of_leads = partial(functional.smooth_l1_loss, beta=LEAD_STEP)
    leads = mean_of_known(of_leads, outputs.score[:, 2] * scales.lead, lead)
    means = mean_of_known(of_leads, outputs.score[:, 0] * scales.score_mean, lead)
    ownership = mean_of_known(functional.mse_loss, outputs.ownership, labels.ownership)
    total = policies[0] + OPTIMISTIC_WEIGHT * policies[1:].sum() + VALUE_WEIGHT * value
    total = total + LEAD_WEIGHT * leads + MEAN_WEIGHT * means + OWNERSHIP_WEIGHT * ownership
    return LabelLosses(total, policies[0].detach(), value.detach())


def mean_of_known(loss: Callable[..., Tensor], outputs: Tensor, target: Tensor) -> Tensor:
    """The mean loss where the target is known, which means not nan; 0 if it never is."""
    is_known = ~target.isnan()
    filled = torch.where(is_known, target, outputs.detach())
    return loss(outputs, filled, reduction="sum") / is_known.sum().clamp(min=1)


class KataLearner:
    """Trains a network from `model` on, on `device`. `precision` is that of the trunk: F32 or BF16; heads and losses are always f32."""

    def __init__(self, model: Model, device: torch.device, precision: str) -> None:
        self.device, self.precision = device, precision
        self.network = KataTwin(model).to(device, memory_format=torch.channels_last)
        self.average = KataTwin(model).to(device)
        self.average.eval()
        self.optimizers = optimizers_of(self.network)

    def learn(self, batch: LabelBatch, rate: float, step: int) -> LabelLosses:
        """Do step number `step`, which starts at 0, at `rate` times the highest rate."""
        labels = to_tensors(batch, self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.precision == BF16):
            tip = self.network.tip(labels.planes, labels.numbers, labels.players)
        losses = label_losses(self.network.answer(tip.float()), labels, self.network.header.scales)
        self.network.zero_grad(set_to_none=True)
        losses.total.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate * HIGHEST_RATE
            optimizer.step()
        move_average(self.average, self.network, step)
        return losses

    def state(self) -> LearnerState:
        """The state for take_state."""
        steps = [optimizer.state_dict() for optimizer in self.optimizers]
        return {"network": self.network.state_dict(), "average": self.average.state_dict(), "optimizer": steps}

    def take_state(self, state: LearnerState) -> None:
        """Continue from `state`."""
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        for optimizer, steps in zip(self.optimizers, state["optimizer"], strict=True):
            optimizer.load_state_dict(steps)


def optimizers_of(network: KataTwin) -> list[torch.optim.Optimizer]:
    """AdamW, and Muon (Jordan et al. 2024) for the matrices of transformer blocks if there are any."""
    blocks = [part for part in network.trunk.modules() if isinstance(part, Part) and part.kind in (Attention, FeedForward)]
    matrices = [weights for block in blocks for weights in block.parameters(recurse=False) if weights.ndim == 2]
    chosen = set(map(id, matrices))
    others = [weights for weights in network.parameters() if id(weights) not in chosen]
    groups = [
        {"params": [weights for weights in others if weights.ndim > 1], "weight_decay": DECAY},
        {"params": [weights for weights in others if weights.ndim <= 1], "weight_decay": 0.0},
    ]
    adam = torch.optim.AdamW(groups, lr=HIGHEST_RATE, betas=ADAM_BETAS)
    if not matrices:
        return [adam]
    return [adam, torch.optim.Muon(matrices, lr=HIGHEST_RATE, weight_decay=DECAY, adjust_lr_fn=SIZE_OF_STEPS)]
