"""Adds channels to a network without a change of its outputs (Chen, Goodfellow and Shlens 2016, "Net2Net").

A weight between a layer and the next can only matter if the first writes to the channel and the second reads from it. Of each new channel
one side begins as 0 and the other at random, so that the first steps of training change the zeros. Hidden channels of a block are written
and not read. Channels of a sum of blocks are written and not read too, unless a norm by the mean square reads the sum: then they must be 0,
and are read and not written. That norm also divides by the number of channels, which its scale makes up for.
"""

from dataclasses import dataclass, replace

import numpy as np

from gtp_engine.engine.network.katago.model import (
    Attention,
    Block,
    Bottleneck,
    Conv,
    FeedForward,
    Layer,
    Model,
    Norm,
    PolicyHead,
    Pooling,
    Residual,
    RmsNorm,
    Trunk,
    ValueHead,
)
from gtp_engine.learning.training import TrainingError

NEW_SIZE = 0.25  # of random weights, relative to those that are there: larger ones disturb the first steps, see docs/lab/teaching.md
HIDDEN_STEP = 16  # the hidden channels of a feed-forward block remain a multiple of this


def wider(model: Model, channels: int, seed: int) -> Model:
    """The network with `channels` channels, and in proportion more heads and hidden channels. Its outputs are the same.

    Raises TrainingError if it already has more.
    """
    present = model.trunk.conv.outputs
    if channels < present:
        raise TrainingError(f"a network of {present} channels can't become one of {channels}: it can only grow")
    return Widener(channels / present, seed).model(model)


@dataclass(frozen=True)
class Axis:
    """An axis of weights that grows to `size`. The new weights are random, or 0 unless `is_random`."""

    size: int
    is_random: bool = True


@dataclass(frozen=True)
class Stream:
    """A sum of blocks with `channels` channels in the wider network; `is_silent`: the new ones are 0 until they are learned."""

    channels: int
    is_silent: bool

    @property
    def written(self) -> Axis:
        """The axis of the weights that begin the sum."""
        return Axis(self.channels, not self.is_silent)

    @property
    def added(self) -> Axis:
        """The axis of the last weights of a block."""
        return Axis(self.channels, False)

    @property
    def read(self) -> Axis:
        """The axis of weights that read the sum."""
        return Axis(self.channels, self.is_silent)


def unread(size: int) -> Axis:
    """The axis of weights that read hidden channels."""
    return Axis(size, False)


class Widener:
    """Makes the parts of a network `ratio` times as wide."""

    def __init__(self, ratio: float, seed: int) -> None:
        self._ratio, self._random = ratio, np.random.default_rng(seed)

    def model(self, model: Model) -> Model:
        """The whole network."""
        trunk = model.trunk
        stream = self._stream(trunk.conv.outputs, trunk.blocks, trunk.tip)
        metadata = trunk.metadata
        wide = Trunk(
            self._conv(trunk.conv, Axis(trunk.conv.inputs), stream.written),
            self._matrix(trunk.from_globals, Axis(len(trunk.from_globals)), stream.written),
            metadata and replace(metadata, last=self._matrix(metadata.last, Axis(len(metadata.last)), stream.added)),
            tuple(self._block(block, stream) for block in trunk.blocks),
            self._norm(trunk.tip, stream.channels) if isinstance(trunk.tip, Norm) else self._rms_norm(trunk.tip, stream.channels),
        )
        return Model(model.header, wide, self._policy(model.policy, stream), self._value(model.value, stream))

    def _stream(self, channels: int, blocks: tuple[Block, ...], last: Norm | RmsNorm) -> Stream:
        """The sum of these blocks, which `last` reads."""
        is_silent = isinstance(last, RmsNorm) or any(isinstance(block, (Attention, FeedForward)) for block in blocks)
        return Stream(self._more(channels), is_silent)

    def _more(self, channels: int, step: int = 1) -> int:
        """So many channels in the wider network, a multiple of `step` if they were one."""
        wide = round(channels * self._ratio)
        return -(-wide // step) * step if channels % step == 0 else wide

    # ---------------------------------------------------------------- weights

    def _grown(self, weights: np.ndarray, axes: dict[int, Axis]) -> np.ndarray:
        """Weights with more on these axes."""
        shape = tuple(axes[i].size if i in axes else size for i, size in enumerate(weights.shape))
        wide = self._random.normal(0.0, NEW_SIZE * size_of(weights), shape).astype(np.float32)
        for i, axis in axes.items():
            if not axis.is_random:
                wide[(slice(None),) * i + (slice(weights.shape[i], None),)] = 0.0
        wide[tuple(map(slice, weights.shape))] = weights
        return wide

    def _conv(self, conv: Conv, inputs: Axis, outputs: Axis) -> Conv:
        """A convolution with more channels."""
        return Conv(self._grown(conv.weights, {0: outputs, 1: inputs}), conv.dilation)

    def _matrix(self, weights: np.ndarray, inputs: Axis, outputs: Axis) -> np.ndarray:
        """[in, out] with more channels."""
        return self._grown(weights, {0: inputs, 1: outputs})

    def _from_pooled(self, weights: np.ndarray, inputs: Axis, outputs: Axis) -> np.ndarray:
        """[3 * in, out], from the three numbers of each pooled channel, with more channels."""
        wide = self._grown(weights.reshape(3, -1, weights.shape[1]), {1: inputs, 2: outputs})
        return wide.reshape(-1, outputs.size)

    def _layer(self, layer: Layer, inputs: Axis, outputs: int) -> Layer:
        """A layer with more channels."""
        return Layer(self._matrix(layer.weights, inputs, Axis(outputs)), padded(layer.bias, outputs, 0.0), layer.activation)

    def _norm(self, norm: Norm, channels: int) -> Norm:
        """A norm with more channels."""
        return Norm(padded(norm.scale, channels, size_of(norm.scale)), padded(norm.bias, channels, 0.0), norm.activation)

    def _rms_norm(self, norm: RmsNorm, channels: int) -> RmsNorm:
        """A norm by the mean square with more channels, which are 0."""
        share = len(norm.scale) / channels
        scale = padded(norm.scale, channels, size_of(norm.scale)) * np.float32(np.sqrt(share))
        return replace(norm, scale=scale, bias=padded(norm.bias, channels, 0.0), epsilon=norm.epsilon * share)

    # ---------------------------------------------------------------- blocks

    def _block(self, block: Block, stream: Stream) -> Block:
        """A block of the stream."""
        if isinstance(block, Residual):
            return self._residual(block, stream)
        if isinstance(block, Bottleneck):
            return self._bottleneck(block, stream)
        return self._attention(block, stream) if isinstance(block, Attention) else self._feed_forward(block, stream)

    def _residual(self, block: Residual, stream: Stream) -> Residual:
        """See Residual."""
        hidden = self._more(block.first.outputs)
        return Residual(
            self._norm(block.before, stream.channels),
            self._conv(block.first, stream.read, Axis(hidden)),
            self._norm(block.middle, hidden),
            self._conv(block.last, unread(hidden), stream.added),
            block.pooling and self._pooling(block.pooling, stream, hidden),
        )

    def _pooling(self, pooling: Pooling, stream: Stream, outputs: int) -> Pooling:
        """See Pooling."""
        pooled = self._more(pooling.conv.outputs)
        to_bias = self._from_pooled(pooling.to_bias, unread(pooled), Axis(outputs))
        return Pooling(self._conv(pooling.conv, stream.read, Axis(pooled)), self._norm(pooling.norm, pooled), to_bias)

    def _bottleneck(self, block: Bottleneck, stream: Stream) -> Bottleneck:
        """See Bottleneck."""
        inner = self._stream(block.first.outputs, block.blocks, block.after)
        return Bottleneck(
            self._norm(block.before, stream.channels),
            self._conv(block.first, stream.read, inner.written),
            tuple(self._block(part, inner) for part in block.blocks),
            self._norm(block.after, inner.channels),
            self._conv(block.last, inner.read, stream.added),
        )

    def _attention(self, block: Attention, stream: Stream) -> Attention:
        """See Attention: more heads of the same size. New ones turn like those that are there."""
        keys = self._more(block.key_heads)
        heads = keys * (block.heads // block.key_heads)

        def widened(weights: np.ndarray, present: int, count: int) -> np.ndarray:
            return self._matrix(weights, stream.read, Axis(weights.shape[1] // present * count))

        return Attention(
            self._rms_norm(block.norm, stream.channels),
            widened(block.query, block.heads, heads),
            widened(block.key, block.key_heads, keys),
            widened(block.value, block.key_heads, keys),
            self._matrix(block.out, unread(len(block.out) // block.heads * heads), stream.added),
            heads,
            keys,
            None if block.frequencies is None else np.resize(block.frequencies, (keys, *block.frequencies.shape[1:])),
        )

    def _feed_forward(self, block: FeedForward, stream: Stream) -> FeedForward:
        """See FeedForward."""
        hidden = self._more(len(block.last), HIDDEN_STEP)
        return FeedForward(
            self._rms_norm(block.norm, stream.channels),
            self._matrix(block.first, stream.read, Axis(hidden)),
            self._matrix(block.gate, stream.read, Axis(hidden)),
            self._matrix(block.last, unread(hidden), stream.added),
        )

    # ---------------------------------------------------------------- heads

    def _policy(self, head: PolicyHead, stream: Stream) -> PolicyHead:
        """See PolicyHead."""
        channels, outputs = self._more(head.conv.outputs), Axis(head.last.outputs)
        pooling = self._pooling(head.pooling, stream, channels)
        pooled = unread(pooling.conv.outputs)
        hidden = head.pass_hidden and self._norm(head.pass_hidden, self._more(len(head.pass_hidden.scale)))
        return PolicyHead(
            self._conv(head.conv, stream.read, Axis(channels)),
            pooling,
            self._norm(head.norm, channels),
            self._conv(head.last, unread(channels), outputs),
            self._from_pooled(head.to_pass, pooled, Axis(len(hidden.scale)) if hidden else outputs),
            hidden,
            None if head.pass_last is None or hidden is None else self._matrix(head.pass_last, unread(len(hidden.scale)), outputs),
        )

    def _value(self, head: ValueHead, stream: Stream) -> ValueHead:
        """See ValueHead."""
        channels, hidden = self._more(head.conv.outputs), self._more(len(head.hidden.bias))
        weights = self._from_pooled(head.hidden.weights, unread(channels), Axis(hidden))
        return ValueHead(
            self._conv(head.conv, stream.read, Axis(channels)),
            self._norm(head.norm, channels),
            Layer(weights, padded(head.hidden.bias, hidden, 0.0), head.hidden.activation),
            self._layer(head.value, unread(hidden), len(head.value.bias)),
            self._layer(head.score, unread(hidden), len(head.score.bias)),
            self._conv(head.ownership, unread(channels), Axis(1)),
        )


def padded(values: np.ndarray, size: int, value: float) -> np.ndarray:
    """[size]: the values, and then `value` as often as there is room."""
    return np.append(values, np.full(size - len(values), value, np.float32)).astype(np.float32)


def size_of(weights: np.ndarray) -> float:
    """The root of the mean square."""
    return float(np.sqrt(np.mean(np.square(weights, dtype=np.float64))))
