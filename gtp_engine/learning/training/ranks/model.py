"""The network as torch trains it: a plain residual net whose sizes are parameters, for every board size.

Trunk: a 3x3 convolution of the planes, then `blocks` residual blocks of two 3x3 convolutions, the second one zero at first, so that a
block begins as the identity. There is no batch normalization: on processors it would cost as much time as a third of the convolutions,
and the optimizer bounds how far a convolution can move. Every third block adds to its inner channels a linear function of their mean and
maximum over the board: what is far away (a ko threat, the score) reaches every point (Wu 2019, "Accelerating Self-Play Learning in Go").
Heads: policy (every point, and pass), the opponent's reply (only to train on), value, score, and whose each point is at the end. What the
move model says of a move is added to the policy, and what playouts say to value, score and owners, times learned factors: before it has
learned anything, the network plays like the move model and judges like the playouts.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from gtp_engine.engine.network.features import KOMI_SCALE, MODEL_SPAN, MOVE_MODEL, PLANES, PLAYOUT_LEAD, PLAYOUT_OWNERS
from gtp_engine.engine.network.rank_input import RANK_INPUTS
from gtp_engine.learning.training.ranks.layout import SCORE_SCALE, pools

HEAD_CHANNELS = 32
VALUE_UNITS = 64
RANK_UNITS = 32
OWNERS_TRUST = 3.0  # in the playouts' owners at first: logits of a point that all of them give to one side; then 0.95 of it
Outputs = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]  # policy, value, score, reply, owners: see Network.forward


@dataclass(frozen=True)
class Size:
    """How large a network is."""

    blocks: int = 6
    channels: int = 64

    def __str__(self) -> str:
        return f"{self.blocks}x{self.channels}"


def pool(x: Tensor) -> Tensor:
    """[B, 2C]: mean and maximum over the board of [B, C, S, S], which is nowhere negative, as log(1 + .).

    Without the logarithm a few channels with large maxima shook all that reads them, and the value's hidden units died.
    """
    return torch.log1p(torch.cat((x.mean((2, 3)), x.amax((2, 3))), 1))


def convolution(inputs: int, outputs: int, width: int) -> nn.Conv2d:
    """A convolution that keeps the board's size, with weights for a rectifier behind it (He et al. 2015) and biases of 0."""
    layer = nn.Conv2d(inputs, outputs, width, padding=width // 2)
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    nn.init.zeros_(layer.bias)
    return layer


class Block(nn.Module):
    """A residual block; with `pooling`, its inner channels get a bias from the whole board."""

    def __init__(self, channels: int, pooling: bool) -> None:
        super().__init__()
        self.first = convolution(channels, channels, 3)
        self.second = convolution(channels, channels, 3)
        self.bias = nn.Linear(2 * channels, channels) if pooling else None
        nn.init.zeros_(self.second.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias.weight)
            nn.init.zeros_(self.bias.bias)

    def forward(self, x: Tensor) -> Tensor:
        """[B, C, S, S] -> the same shape"""
        y = functional.relu(self.first(x), inplace=True)
        if self.bias is not None:
            y = y + self.bias(pool(y))[:, :, None, None]
        return functional.relu(self.second(y) + x, inplace=True)


class RankBias(nn.Module):
    """What the rank of the player to move adds to each channel of the trunk's first layer: nothing at first."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(RANK_INPUTS, RANK_UNITS)
        self.bias = nn.Linear(RANK_UNITS, channels)
        nn.init.zeros_(self.bias.weight)
        nn.init.zeros_(self.bias.bias)

    def forward(self, ranks: Tensor) -> Tensor:
        """[B, RANK_INPUTS], see rank_input, -> [B, C]"""
        bias: Tensor = self.bias(functional.relu(self.hidden(ranks)))
        return bias


class Heads(nn.Module):
    """Policy, reply, value, score and owners from the trunk's channels."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.policy = convolution(channels, HEAD_CHANNELS, 1)
        self.value = convolution(channels, HEAD_CHANNELS, 1)
        self.policy_bias = nn.Linear(2 * HEAD_CHANNELS, HEAD_CHANNELS)
        self.points = nn.Conv2d(HEAD_CHANNELS, 2, 1)  # the move, and the reply to it
        self.trust = nn.Parameter(torch.tensor([[[MODEL_SPAN], [0.0]]]))  # in the move model, about the move and about the reply
        nn.init.zeros_(self.points.weight)
        nn.init.zeros_(self.points.bias)
        self.passes = nn.Linear(2 * HEAD_CHANNELS, 2)
        self.hidden = nn.Linear(2 * HEAD_CHANNELS, VALUE_UNITS)
        self.results = nn.Linear(VALUE_UNITS, 2)  # value and score
        self.survey = nn.Linear(2, 2, bias=False)  # from the playouts' wins and lead to value and score
        self.owners = nn.Conv2d(HEAD_CHANNELS, 1, 1)
        self.owners_trust = nn.Parameter(torch.tensor([[[OWNERS_TRUST]]]))  # in the playouts' owners
        nn.init.zeros_(self.owners.weight)
        nn.init.zeros_(self.owners.bias)
        with torch.no_grad():
            self.survey.weight.copy_(torch.tensor([[0.5, 0.5], [0.0, KOMI_SCALE / SCORE_SCALE]]))

    def forward(self, x: Tensor, guess: Tensor, survey: Tensor) -> Outputs:
        """`guess` [B, 1, S, S]: the plane of the move model, `survey` [B, 3, S, S]: those of owners, wins and lead. See Network.forward."""
        judged = functional.relu(self.value(x), inplace=True)
        pooled = pool(judged)
        owners = (self.owners(judged) + self.owners_trust * survey[:, :1]).flatten(1)
        moves = functional.relu(self.policy(x) + self.policy_bias(pooled)[:, :, None, None], inplace=True)
        points = self.points(moves).flatten(2) + self.trust * guess.flatten(2)
        logits = torch.cat((points, self.passes(pooled)[:, :, None]), 2)
        results = self.results(functional.relu(self.hidden(pooled))) + self.survey(survey[:, 1:].mean((2, 3)))
        return logits[:, 0], results[:, 0], results[:, 1] * SCORE_SCALE, logits[:, 1], owners


class Network(nn.Module):
    """Planes and a rank in; policy, value, score and owners out."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.size = size
        self.stem = convolution(PLANES, size.channels, 3)
        self.rank_bias = RankBias(size.channels)
        self.blocks = nn.Sequential(*(Block(size.channels, pools(i)) for i in range(size.blocks)))
        self.heads = Heads(size.channels)

    def forward(self, planes: Tensor, ranks: Tensor) -> Outputs:
        """`planes` [B, PLANES, S, S] -> policy [B, S*S+1] logits, value [B] logit that the side to move wins, score [B] its lead, ...

        ... the reply, like the policy, of the move after the next one, and the owners [B, S*S]: logits that the side to move owns the
        point at the end. `ranks` is [B, RANK_INPUTS].
        """
        return self.answer(self.trunk(planes, ranks), planes)

    def trunk(self, planes: Tensor, ranks: Tensor) -> Tensor:
        """Where the time goes: [B, C, S, S], what the heads read."""
        x = self.stem(planes)
        x = x + self.rank_bias(ranks)[:, :, None, None]
        features: Tensor = self.blocks(functional.relu(x, inplace=True))
        return features

    def answer(self, features: Tensor, planes: Tensor) -> Outputs:
        """What the heads say of the trunk's output; see forward."""
        return self.heads(features, planes[:, MOVE_MODEL : MOVE_MODEL + 1], planes[:, PLAYOUT_OWNERS : PLAYOUT_LEAD + 1])
