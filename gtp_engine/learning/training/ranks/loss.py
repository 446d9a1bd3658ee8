"""What training makes small: how wrong the network's answers are."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from gtp_engine.engine.network.rank_input import rank_input
from gtp_engine.learning.training.ranks.layout import SCORE_SCALE
from gtp_engine.learning.training.ranks.model import Outputs
from gtp_engine.learning.training.ranks.sampler import Batch
from gtp_engine.learning.training.ranks.sampler_kernels import NOTHING
from gtp_engine.learning.training.records import OWNER_UNKNOWN

REPLY_WEIGHT = 0.15  # of the opponent's reply: teaches the trunk what matters next (Wu 2019)
VALUE_WEIGHT = 0.5
SCORE_WEIGHT = 0.05  # few games were counted, and their scores depend on the whole rest of the game
OWNERS_WEIGHT = 0.5  # of the mean over the points: who owns what explains who wins (Wu 2019)


@dataclass(frozen=True)
class Answers:
    """A Batch on torch's device."""

    planes: Tensor
    policies: Tensor
    replies: Tensor
    values: Tensor
    scores: Tensor
    ranks: Tensor  # [B, RANK_INPUTS]
    owners: Tensor  # [B, S * S] chance that the side to move has each point at the end; not a number where that isn't known


def to_device(batch: Batch, device: torch.device) -> Answers:
    """The batch as tensors there, planes with channels last."""
    return Answers(
        torch.from_numpy(batch.planes).to(device).contiguous(memory_format=torch.channels_last),  # a GPU turns them faster than we do
        torch.from_numpy(batch.policies).to(device),
        torch.from_numpy(batch.replies).to(device),
        torch.from_numpy(batch.values).to(device),
        torch.from_numpy(batch.scores).to(device),
        torch.from_numpy(rank_input(batch.ranks)).to(device),
        owners_chances(torch.from_numpy(batch.owners).to(device)),
    )


def owners_chances(owners: Tensor) -> Tensor:
    """A batch's owners as Answers has them: a point of nobody's is half of each side's."""
    return torch.where(owners == OWNER_UNKNOWN, torch.nan, (owners.float() + 1.0) / 2.0)


@dataclass(frozen=True)
class Losses:
    """Means over a batch; `total` is what training makes small."""

    total: Tensor
    policy: Tensor
    value: Tensor


def losses(outputs: Outputs, answers: Answers) -> Losses:
    """How far the network's outputs are from the answers."""
    policy, value, score, reply, owners = outputs
    policy_loss = functional.cross_entropy(policy, answers.policies)
    reply_loss = functional.cross_entropy(reply, answers.replies, ignore_index=NOTHING)
    value_loss = functional.binary_cross_entropy_with_logits(value, answers.values)
    counted = ~answers.scores.isnan()
    wanted = torch.where(counted, answers.scores, score.detach())
    score_loss = functional.huber_loss(score / SCORE_SCALE, wanted / SCORE_SCALE, reduction="sum") / counted.sum().clamp(min=1)
    total = policy_loss + REPLY_WEIGHT * reply_loss + VALUE_WEIGHT * value_loss + SCORE_WEIGHT * score_loss
    total = total + OWNERS_WEIGHT * owners_loss(owners, answers.owners)
    return Losses(total, policy_loss.detach(), value_loss.detach())


def owners_loss(logits: Tensor, owners: Tensor) -> Tensor:
    """Mean binary cross entropy of the points whose owner is known, Answers.owners."""
    known = ~owners.isnan()
    each = functional.binary_cross_entropy_with_logits(logits, owners.nan_to_num(), reduction="none")
    return torch.where(known, each, 0.0).sum() / known.sum().clamp(min=1)
