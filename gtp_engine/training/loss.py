"""What training makes small: how wrong the network's answers are."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from gtp_engine.network.rank_input import rank_input
from gtp_engine.training.model import SCORE_SCALE
from gtp_engine.training.sampler import Batch
from gtp_engine.training.sampler_kernels import NOTHING

REPLY_WEIGHT = 0.15  # of the opponent's reply: teaches the trunk what matters next (Wu 2019)
VALUE_WEIGHT = 0.5
SCORE_WEIGHT = 0.05  # few games were counted, and their scores depend on the whole rest of the game


@dataclass(frozen=True)
class Answers:
    """A Batch on torch's device."""

    planes: Tensor
    moves: Tensor
    replies: Tensor
    values: Tensor
    scores: Tensor
    ranks: Tensor  # [B, RANK_INPUTS]


def to_device(batch: Batch, device: torch.device) -> Answers:
    """The batch as tensors there, planes with channels last."""
    return Answers(
        torch.from_numpy(batch.planes).to(device, memory_format=torch.channels_last),
        torch.from_numpy(batch.moves).to(device),
        torch.from_numpy(batch.replies).to(device),
        torch.from_numpy(batch.values).to(device),
        torch.from_numpy(batch.scores).to(device),
        torch.from_numpy(rank_input(batch.ranks)).to(device),
    )


@dataclass(frozen=True)
class Losses:
    """Means over a batch; `total` is what training makes small."""

    total: Tensor
    policy: Tensor
    value: Tensor


def losses(outputs: tuple[Tensor, Tensor, Tensor, Tensor], answers: Answers) -> Losses:
    """How far the network's outputs are from the answers."""
    policy, value, score, reply = outputs
    policy_loss = functional.cross_entropy(policy, answers.moves)
    reply_loss = functional.cross_entropy(reply, answers.replies, ignore_index=NOTHING)
    value_loss = functional.binary_cross_entropy_with_logits(value, answers.values)
    counted = ~answers.scores.isnan()
    wanted = torch.where(counted, answers.scores, score.detach())
    score_loss = functional.huber_loss(score / SCORE_SCALE, wanted / SCORE_SCALE, reduction="sum") / counted.sum().clamp(min=1)
    total = policy_loss + REPLY_WEIGHT * reply_loss + VALUE_WEIGHT * value_loss + SCORE_WEIGHT * score_loss
    return Losses(total, policy_loss.detach(), value_loss.detach())
