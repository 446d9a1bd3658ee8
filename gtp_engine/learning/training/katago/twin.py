"""A network of KataGo's form in torch, with the same outputs as engine/network/katago/graph.py and trainable weights.

Boards are [B, C, H, W]. Transformers work on tokens, [B, H * W, C], one for each point.
"""

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from gtp_engine.engine.network.katago.graph import MEAN_SIDE, SIDE_SCALE, VALUE_OFFSET
from gtp_engine.engine.network.katago.model import Activation, Attention, FeedForward, Model, Norm, Residual

FIXED = ("frequencies",)  # arrays that aren't trained


class KataOutputs(NamedTuple):
    """A network's outputs for B boards with P points, for the side to move. Scores are in the file's units, see Scales."""

    policy: Tensor  # [B, channels, P + 1] logits, the pass last; channel 0 is the policy, 1 the optimistic policy
    value: Tensor  # [B, 3] logits: won, lost, no result
    score: Tensor  # [B, 4 or 6], see ValueHead.score
    ownership: Tensor  # [B, P] -1 to 1, 1: own


class Part(nn.Module):
    """A part of a network with the names of engine/network/katago/model.py; its arrays are parameters."""

    def __init__(self, described: Any) -> None:
        super().__init__()
        self.kind = type(described)
        for field in dataclasses.fields(described):
            value = getattr(described, field.name)
            if isinstance(value, np.ndarray):
                tensor = torch.tensor(value, dtype=torch.float32)
                if field.name in FIXED:
                    self.register_buffer(field.name, tensor)
                else:
                    self.register_parameter(field.name, nn.Parameter(tensor))
            elif isinstance(value, tuple) and value and dataclasses.is_dataclass(value[0]):
                setattr(self, field.name, nn.ModuleList(Part(item) for item in value))
            else:
                setattr(self, field.name, Part(value) if dataclasses.is_dataclass(value) else value)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def described(self) -> Any:
        """The description with the current weights."""
        return self.kind(**{field.name: described(getattr(self, field.name)) for field in dataclasses.fields(self.kind)})


def described(value: Any) -> Any:
    """A part, or a value in one, in the form of a description."""
    if isinstance(value, Part):
        return value.described()
    if isinstance(value, nn.ModuleList):
        return tuple(map(described, value))
    return value.detach().float().cpu().numpy().copy() if isinstance(value, Tensor) else value


class KataTwin(nn.Module):
    """A whole network."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.header = model.header
        self.trunk, self.policy, self.value = Part(model.trunk), Part(model.policy), Part(model.value)

    def model(self) -> Model:
        """The network with the current weights, ready to be written."""
        return Model(self.header, self.trunk.described(), self.policy.described(), self.value.described())

    def forward(self, planes: Tensor, numbers: Tensor, players: Tensor) -> KataOutputs:
        """`planes` [B, PLANES, H, W], `numbers` [B, GLOBALS], `players` [B, METADATA], see inputs.py, players.py in network/katago.

        Only human networks read `players`.
        """
        return self.answer(self.tip(planes, numbers, players))

    def tip(self, planes: Tensor, numbers: Tensor, players: Tensor) -> Tensor:
        """The trunk's output, [B, C, H, W], which the heads read. Takes most of the time."""
        trunk = self.trunk
        bias = numbers @ trunk.from_globals
        if trunk.metadata is not None:
            bias = bias + layer(layer(players, trunk.metadata.first), trunk.metadata.second) @ trunk.metadata.last
        x = convolved(planes, trunk.conv) + bias[:, :, None, None]
        return normed(through(x, trunk.blocks), trunk.tip)

    def answer(self, tip: Tensor) -> KataOutputs:
        """The heads' outputs for the trunk's output."""
        return KataOutputs(policy_of(tip, self.policy), *value_of(tip, self.value))


# ---------------------------------------------------------------- layers


def activated(x: Tensor, activation: Activation) -> Tensor:
    """The activation."""
    if activation == "relu":
        return functional.relu(x)
    if activation == "silu":
        return functional.silu(x)
    return functional.mish(x) if activation == "mish" else x


def convolved(x: Tensor, conv: Part, norm: Part | None = None) -> Tensor:
    """A convolution; with a norm, its scale is in the weights and its bias added. The activation isn't applied."""
    weights, bias = conv.weights, None
    if norm is not None:
        weights, bias = weights * norm.scale[:, None, None, None], norm.bias
    padding = tuple(side // 2 * step for side, step in zip(weights.shape[2:], conv.dilation, strict=True))
    return functional.conv2d(x, weights, bias, padding=padding, dilation=conv.dilation)


def normed(x: Tensor, norm: Part) -> Tensor:
    """A norm of boards, and its activation."""
    if norm.kind is not Norm:
        x = without_size(x, norm.epsilon, (1, 2, 3) if norm.is_spatial else (1,))
    scale, bias = (value.to(x.dtype)[:, None, None] for value in (norm.scale, norm.bias))
    return activated(x * scale + bias, norm.activation)


def without_size(x: Tensor, epsilon: float, axes: tuple[int, ...]) -> Tensor:
    """x / sqrt(mean(x * x) + epsilon) over these axes."""
    size = torch.rsqrt(x.float().square().mean(axes, keepdim=True) + epsilon)
    return x * size.to(x.dtype)


def layer(x: Tensor, part: Part) -> Tensor:
    """[B, in] -> [B, out]."""
    return activated(x @ part.weights + part.bias, part.activation)


def excess_of(x: Tensor) -> float:
    """The board's size relative to the mean one, for global pooling."""
    return float(((x.shape[2] * x.shape[3]) ** 0.5 - MEAN_SIDE) * SIDE_SCALE)


def pooled(x: Tensor, pooling: Part) -> Tensor:
    """[B, 3 * channels]: mean, mean by the board's size, maximum."""
    features = activated(convolved(x, pooling.conv, pooling.norm), pooling.norm.activation)
    mean = features.mean((2, 3))
    return torch.cat((mean, mean * excess_of(x), features.amax((2, 3))), 1)


# ---------------------------------------------------------------- blocks


def through(x: Tensor, blocks: Any) -> Tensor:
    """Blocks one after the other, from boards to boards."""
    rows, columns = x.shape[2:]
    for block in blocks:
        if block.kind in (Attention, FeedForward):
            tokens = x.flatten(2).transpose(1, 2)
            added = attention(tokens, block, columns) if block.kind is Attention else feed_forward(tokens, block)
            x = x + added.transpose(1, 2).unflatten(2, (rows, columns))
        else:
            x = x + (residual(x, block) if block.kind is Residual else bottleneck(x, block))
    return x


def residual(x: Tensor, block: Part) -> Tensor:
    """The sum that a Residual adds."""
    values = normed(x, block.before)
    first = convolved(values, block.first, block.middle)
    if block.pooling is not None:
        first = first + (pooled(values, block.pooling) @ (block.pooling.to_bias * block.middle.scale))[:, :, None, None]
    return convolved(activated(first, block.middle.activation), block.last)


def bottleneck(x: Tensor, block: Part) -> Tensor:
    """The sum that a Bottleneck adds."""
    inner = through(convolved(normed(x, block.before), block.first), block.blocks)
    return convolved(normed(inner, block.after), block.last)


def feed_forward(x: Tensor, block: Part) -> Tensor:
    """The sum that a FeedForward adds to tokens."""
    inputs = without_size(x, block.norm.epsilon, (2,)) * block.norm.scale.to(x.dtype)
    return (functional.silu(inputs @ block.first) * (inputs @ block.gate)) @ block.last


def attention(x: Tensor, block: Part, columns: int) -> Tensor:
    """The sum that an Attention adds to the tokens of a board with so many columns."""
    inputs = without_size(x, block.norm.epsilon, (2,)) * block.norm.scale.to(x.dtype)
    queries, keys, values = (
        (inputs @ weights).unflatten(2, (heads, -1)).transpose(1, 2)
        for weights, heads in ((block.query, block.heads), (block.key, block.key_heads), (block.value, block.key_heads))
    )
    group = block.heads // block.key_heads
    if block.frequencies is not None:
        angles = angles_of(block.frequencies, x.shape[1], columns)
        queries, keys = turned(queries, angles.repeat_interleave(group, 0)), turned(keys, angles)
    if group > 1:
        keys, values = keys.repeat_interleave(group, 1), values.repeat_interleave(group, 1)
    sums = functional.scaled_dot_product_attention(queries, keys, values)
    return sums.transpose(1, 2).flatten(2) @ block.out


def angles_of(frequencies: Tensor, points: int, columns: int) -> Tensor:
    """[key_heads, points, pairs]: the rotation of each pair of channels at each point."""
    place = torch.arange(points, device=frequencies.device)
    x, y = (place % columns).to(frequencies.dtype), (place // columns).to(frequencies.dtype)
    return x[:, None] * frequencies[:, None, :, 0] + y[:, None] * frequencies[:, None, :, 1]


def turned(x: Tensor, angles: Tensor) -> Tensor:
    """[B, heads, P, 2 * pairs] with each pair of neighboring channels rotated by [heads, P, pairs]."""
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


# ---------------------------------------------------------------- heads


def policy_of(tip: Tensor, head: Part) -> Tensor:
    """See PolicyHead and KataOutputs."""
    summary = pooled(tip, head.pooling)
    bias = summary @ (head.pooling.to_bias * head.norm.scale)
    moves = activated(convolved(tip, head.conv, head.norm) + bias[:, :, None, None], head.norm.activation)
    moves = convolved(moves, head.last).flatten(2)
    passing = summary @ head.to_pass
    if head.pass_hidden is not None:
        passing = activated(passing + head.pass_hidden.bias, head.pass_hidden.activation) @ head.pass_last
    return torch.cat((moves, passing[:, :, None]), 2)


def value_of(tip: Tensor, head: Part) -> tuple[Tensor, Tensor, Tensor]:
    """Value, score and ownership; see ValueHead and KataOutputs."""
    features = activated(convolved(tip, head.conv, head.norm), head.norm.activation)
    mean, excess = features.mean((2, 3)), excess_of(features)
    hidden = layer(torch.cat((mean, mean * excess, mean * (excess * excess - VALUE_OFFSET)), 1), head.hidden)
    owners = torch.tanh(convolved(features, head.ownership).flatten(1))
    return layer(hidden, head.value), layer(hidden, head.score), owners
