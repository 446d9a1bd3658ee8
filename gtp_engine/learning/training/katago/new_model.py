"""New, untrained networks of KataGo's form.

Every block begins as the identity: its last weights are 0. Sums of blocks are read by norms with scale 1.
"""

import re
from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.network.katago.model import (
    GLOBALS,
    PLANES,
    Activation,
    Attention,
    Block,
    Bottleneck,
    Conv,
    FeedForward,
    Header,
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

SHAPE = re.compile(r"([1-9]\d?)x([1-9]\d{0,3})([rtRT]*)")
RESIDUAL, TRANSFORMER, RESIDUAL_BOTTLENECK, TRANSFORMER_BOTTLENECK = "r", "t", "R", "T"  # kinds of layers
BOTTLENECKS = RESIDUAL_BOTTLENECK + TRANSFORMER_BOTTLENECK  # with two layers of this kind inside, of half the channels
RESIDUAL_VERSION, NEWEST_VERSION = 8, 17
POOLING_EVERY = 3  # residual blocks
INNER_LAYERS = 2  # of a bottleneck
HEAD_SIZE = 32  # channels of a transformer's head
POLICIES = 2  # of a file of the newest version, the fewest possible
TURN_BASE = 100.0  # of a transformer's frequencies: the slowest pair rotates by a small part of a circle across the board
NORM_EPSILON = 1e-5


@dataclass(frozen=True)
class Shape:
    """The size of a network and the kinds of its layers, see read_shape."""

    layers: int
    channels: int
    pattern: str  # a letter for each layer, repeated from the start until there are enough

    def __str__(self) -> str:
        return f"{self.layers}x{self.channels}{'' if self.is_plain else self.pattern}"

    @property
    def is_plain(self) -> bool:
        """Residual blocks only."""
        return set(self.pattern) == {RESIDUAL}

    @property
    def kinds(self) -> str:
        """The letter of each layer."""
        return (self.pattern * self.layers)[: self.layers]


def read_shape(text: str) -> Shape:
    """`6x96` means 6 residual blocks of 96 channels, `7x96t` 7 layers of a transformer. Raises ValueError.

    The letters after the channels are the kinds of layers, in turn: r a residual block, t attention and feed-forward, R and T a nested
    bottleneck with two of these inside, of half the channels. `9x96rrt` has a transformer layer after every second residual block.
    """
    match = SHAPE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a shape like 6x96, 7x96t for a transformer, or 9x96rrt for layers of several kinds")
    shape = Shape(int(match[1]), int(match[2]), match[3] or RESIDUAL)
    for kind, least in ((TRANSFORMER, HEAD_SIZE), (RESIDUAL_BOTTLENECK, 2), (TRANSFORMER_BOTTLENECK, 2 * HEAD_SIZE)):
        if kind in shape.kinds and shape.channels % least:
            raise ValueError(f"{text!r}: with layers of kind {kind}, the channels must be a multiple of {least}")
    return shape


def new_model(shape: Shape, name: str, seed: int) -> Model:
    """A network with random weights, the same ones for the same seed. Raises TrainingError for a name with white space."""
    if not name or name.split() != [name]:
        raise TrainingError(f"{name!r} is no name for a network: it must have no white space")
    return ModelMaker(shape, seed).model(name)


class ModelMaker:
    """Makes the parts of a network."""

    def __init__(self, shape: Shape, seed: int) -> None:
        self._shape, self._random = shape, np.random.default_rng(seed)
        self._is_newest = not shape.is_plain
        self._activation: Activation = "silu" if self._is_newest else "relu"
        self._residuals = 0  # made so far

    def model(self, name: str) -> Model:
        """The whole network."""
        channels = self._shape.channels
        conv, from_globals = self._conv(3, PLANES, channels), self._matrix(GLOBALS, channels)
        blocks = self._layers(self._shape.kinds, channels)
        tip: Norm | RmsNorm = self._norm(channels)
        if self._is_newest:
            tip = RmsNorm(*ones_and_zeros(channels), NORM_EPSILON, activation=self._activation)
        trunk = Trunk(conv, from_globals, None, blocks, tip)
        version = NEWEST_VERSION if self._is_newest else RESIDUAL_VERSION
        return Model(Header(name, version), trunk, self._policy(), self._value())

    # ---------------------------------------------------------------- layers

    def _draw(self, inputs: int, *shape: int) -> np.ndarray:
        """float32 random weights of this shape that preserve the scale of `inputs` numbers after an activation (He et al. 2015)."""
        return self._random.normal(0.0, np.sqrt(2.0 / inputs), shape).astype(np.float32)

    def _conv(self, side: int, inputs: int, outputs: int) -> Conv:
        """A convolution of side x side points."""
        return Conv(self._draw(inputs * side * side, outputs, inputs, side, side))

    def _matrix(self, inputs: int, outputs: int) -> np.ndarray:
        """[in, out]."""
        return self._draw(inputs, inputs, outputs)

    def _norm(self, channels: int) -> Norm:
        """A norm that changes nothing, and its activation."""
        return Norm(*ones_and_zeros(channels), self._activation)

    def _layer(self, inputs: int, outputs: int, activation: Activation) -> Layer:
        """A matrix and a bias of 0."""
        return Layer(self._matrix(inputs, outputs), np.zeros(outputs, np.float32), activation)

    # ---------------------------------------------------------------- blocks

    def _layers(self, kinds: str, channels: int) -> tuple[Block, ...]:
        """The blocks of these layers."""
        blocks: list[Block] = []
        for kind in kinds:
            if kind in BOTTLENECKS:
                blocks.append(self._bottleneck(kind.lower(), channels))
            elif kind == TRANSFORMER:
                blocks += [self._attention(channels), self._feed_forward(channels)]
            else:
                blocks.append(self._residual(channels))
        return tuple(blocks)

    def _bottleneck(self, kind: str, channels: int) -> Bottleneck:
        """A nested bottleneck with layers of this kind inside."""
        inner = channels // 2
        first, layers = self._conv(1, channels, inner), self._layers(kind * INNER_LAYERS, inner)
        last = Conv(np.zeros((channels, inner, 1, 1), np.float32))
        return Bottleneck(self._norm(channels), first, layers, self._norm(inner), last)

    def _residual(self, channels: int) -> Residual:
        """A residual block; every third one has a pooling of a third of its channels."""
        self._residuals += 1
        has_pooling = self._residuals % POOLING_EVERY == 0
        pooled = max(channels // 3, 1) if has_pooling else 0
        regular = max(channels - pooled, 1)
        first = self._conv(3, channels, regular)
        last = Conv(np.zeros((channels, regular, 3, 3), np.float32))
        pooling = self._pooling(channels, pooled, regular) if has_pooling else None
        return Residual(self._norm(channels), first, self._norm(regular), last, pooling)

    def _pooling(self, inputs: int, channels: int, outputs: int) -> Pooling:
        """A bias from the whole board, 0 at first."""
        return Pooling(self._conv(3, inputs, channels), self._norm(channels), np.zeros((3 * channels, outputs), np.float32))

    def _token_norm(self, channels: int) -> RmsNorm:
        """The norm of a transformer's block."""
        return RmsNorm(*ones_and_zeros(channels), NORM_EPSILON)

    def _attention(self, channels: int) -> Attention:
        """Attention of heads with HEAD_SIZE channels each."""
        heads = channels // HEAD_SIZE
        query, key, value = (self._matrix(channels, channels) / np.float32(np.sqrt(2.0)) for _ in range(3))
        out = np.zeros((channels, channels), np.float32)
        return Attention(self._token_norm(channels), query, key, value, out, heads, heads, frequencies_of(heads))

    def _feed_forward(self, channels: int) -> FeedForward:
        """Two layers at each point; with the gate, it has as many weights as one layer of four times the channels."""
        hidden = -(-channels * 8 // (3 * 16)) * 16
        first, gate = self._matrix(channels, hidden), self._matrix(channels, hidden)
        return FeedForward(self._token_norm(channels), first, gate, np.zeros((hidden, channels), np.float32))

    # ---------------------------------------------------------------- heads

    def _policy(self) -> PolicyHead:
        """The policy head: every move equally likely at first."""
        channels, head = self._shape.channels, max(self._shape.channels // 3, 16)
        outputs = POLICIES if self._is_newest else 1
        last = Conv(np.zeros((outputs, head, 1, 1), np.float32))
        pooling = Pooling(self._conv(1, channels, head), self._norm(head), np.zeros((3 * head, head), np.float32))
        conv, norm = self._conv(1, channels, head), self._norm(head)
        if not self._is_newest:
            return PolicyHead(conv, pooling, norm, last, np.zeros((3 * head, outputs), np.float32), None, None)
        return PolicyHead(conv, pooling, norm, last, self._matrix(3 * head, head), self._norm(head), np.zeros((head, outputs), np.float32))

    def _value(self) -> ValueHead:
        """The value head: at first even, with neutral points."""
        channels, head = self._shape.channels, max(self._shape.channels // 3, 16)
        hidden = self._layer(3 * head, 2 * head, self._activation)
        value, score = (Layer(np.zeros((2 * head, n), np.float32), np.zeros(n, np.float32)) for n in (3, 6 if self._is_newest else 4))
        ownership = Conv(np.zeros((1, head, 1, 1), np.float32))
        return ValueHead(self._conv(1, channels, head), self._norm(head), hidden, value, score, ownership)


def ones_and_zeros(channels: int) -> tuple[np.ndarray, np.ndarray]:
    """Scale and bias of a norm that changes nothing."""
    return np.ones(channels, np.float32), np.zeros(channels, np.float32)


def frequencies_of(heads: int) -> np.ndarray:
    """Attention.frequencies: half of the pairs rotate with the row, half with the column, each more slowly than the one before."""
    pairs = HEAD_SIZE // 2
    half = pairs // 2
    steps = TURN_BASE ** -(np.arange(half) / half)
    frequencies = np.zeros((heads, pairs, 2), np.float32)
    frequencies[:, :half, 1] = frequencies[:, half:, 0] = steps
    return frequencies
