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

SHAPE = re.compile(r"([1-9]\d?)x([1-9]\d{0,3})(t?)")
RESIDUAL_VERSION, TRANSFORMER_VERSION = 8, 17
POOLING_EVERY = 3  # blocks
HEAD_SIZE = 32  # channels of a transformer's head
POLICIES = 2  # of a transformer's file, the fewest possible
TURN_BASE = 100.0  # of a transformer's frequencies: the slowest pair rotates by a small part of a circle across the board
NORM_EPSILON = 1e-5


@dataclass(frozen=True)
class Shape:
    """The size of a network: `6x96` means 6 residual blocks of 96 channels, `7x96t` 7 transformer layers."""

    blocks: int
    channels: int
    is_transformer: bool

    def __str__(self) -> str:
        return f"{self.blocks}x{self.channels}{'t' * self.is_transformer}"


def read_shape(text: str) -> Shape:
    """`6x96` or `7x96t`. Raises ValueError."""
    match = SHAPE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a shape like 6x96, or 7x96t for a transformer")
    shape = Shape(int(match[1]), int(match[2]), bool(match[3]))
    if shape.is_transformer and shape.channels % HEAD_SIZE:
        raise ValueError(f"{text!r}: the channels of a transformer must be a multiple of {HEAD_SIZE}")
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
        self._activation: Activation = "silu" if shape.is_transformer else "relu"
        self._is_newest = shape.is_transformer

    def model(self, name: str) -> Model:
        """The whole network."""
        channels = self._shape.channels
        conv, from_globals = self._conv(3, PLANES, channels), self._matrix(GLOBALS, channels)
        if self._is_newest:
            layers = [part for _ in range(self._shape.blocks) for part in (self._attention(), self._feed_forward())]
            tip: Norm | RmsNorm = RmsNorm(*ones_and_zeros(channels), NORM_EPSILON, activation=self._activation)
            blocks: tuple[Block, ...] = tuple(layers)
        else:
            blocks = tuple(self._residual(i % POOLING_EVERY == POOLING_EVERY - 1) for i in range(self._shape.blocks))
            tip = self._norm(channels)
        trunk = Trunk(conv, from_globals, None, blocks, tip)
        version = TRANSFORMER_VERSION if self._is_newest else RESIDUAL_VERSION
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

    def _residual(self, has_pooling: bool) -> Residual:
        """A residual block; with pooling, a third of its channels is pooled."""
        channels = self._shape.channels
        pooled = max(channels // 3, 1) if has_pooling else 0
        regular = max(channels - pooled, 1)
        first = self._conv(3, channels, regular)
        last = Conv(np.zeros((channels, regular, 3, 3), np.float32))
        pooling = self._pooling(channels, pooled, regular) if has_pooling else None
        return Residual(self._norm(channels), first, self._norm(regular), last, pooling)

    def _pooling(self, inputs: int, channels: int, outputs: int) -> Pooling:
        """A bias from the whole board, 0 at first."""
        return Pooling(self._conv(3, inputs, channels), self._norm(channels), np.zeros((3 * channels, outputs), np.float32))

    def _token_norm(self) -> RmsNorm:
        """The norm of a transformer's block."""
        return RmsNorm(*ones_and_zeros(self._shape.channels), NORM_EPSILON)

    def _attention(self) -> Attention:
        """Attention of heads with HEAD_SIZE channels each."""
        channels = self._shape.channels
        heads = channels // HEAD_SIZE
        query, key, value = (self._matrix(channels, channels) / np.float32(np.sqrt(2.0)) for _ in range(3))
        return Attention(
            self._token_norm(), query, key, value, np.zeros((channels, channels), np.float32), heads, heads, frequencies_of(heads)
        )

    def _feed_forward(self) -> FeedForward:
        """Two layers at each point; with the gate, it has as many weights as one layer of four times the channels."""
        channels = self._shape.channels
        hidden = -(-channels * 8 // (3 * 16)) * 16
        return FeedForward(
            self._token_norm(),
            self._matrix(channels, hidden),
            self._matrix(channels, hidden),
            np.zeros((hidden, channels), np.float32),
        )

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
