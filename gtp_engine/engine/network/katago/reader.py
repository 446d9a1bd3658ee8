"""Reads KataGo's network files, .bin.gz and .txt.gz, of versions 8 to 17.

A file is a sequence of text tokens; in .bin.gz each block of weights is bytes after a marker. Data after the last layer is an error, like a
file that ends too soon, because it shows that the file was misread.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from gtp_engine.engine.network.errors import NetworkFileError
from gtp_engine.engine.network.katago.file_names import BINARY
from gtp_engine.engine.network.katago.model import (
    GLOBALS,
    METADATA,
    NEWEST,
    OLDEST,
    PLANES,
    Activation,
    Attention,
    Block,
    Bottleneck,
    Conv,
    FeedForward,
    Header,
    Layer,
    MetadataEncoder,
    Model,
    Norm,
    PolicyHead,
    Pooling,
    Residual,
    RmsNorm,
    Scales,
    Trunk,
    ValueHead,
)
from gtp_engine.engine.network.katago.packing import unpack, unpack_start
from gtp_engine.engine.network.katago.tokens import DamagedNetwork, Tokens

LONGEST_NAME = 200
ACTIVATIONS: dict[str, Activation] = {
    "ACTIVATION_IDENTITY": "identity",
    "ACTIVATION_RELU": "relu",
    "ACTIVATION_MISH": "mish",
    "ACTIVATION_SILU": "silu",
}
STANDARD_NORM, RMS_NORM = 0, 1
MOST_BLOCKS = 1000
DEEPEST = 4  # levels of nested blocks; networks have two
LARGEST_BASE = 1e9  # of rotary frequencies; networks have some 100

Part = TypeVar("Part")


def read_model(path: Path) -> Model:
    """Read the whole file. Raises NetworkFileError: one sentence that says what is wrong."""
    return understood(path, unpack(path), LayerReader.model)


def read_header(path: Path) -> Header:
    """Read the beginning of the file. Raises NetworkFileError like read_model; the rest of the file isn't checked."""
    return understood(path, unpack_start(path), LayerReader.header)


def read_outline(path: Path) -> tuple[Header, int, int]:
    """The header, the number of blocks and the channels of the trunk. Raises NetworkFileError like read_header."""
    return understood(path, unpack_start(path), LayerReader.outline)


def understood(path: Path, content: bytes, read: "Callable[[LayerReader], Part]") -> Part:
    """The result of `read` for the file's content. Raises NetworkFileError."""
    try:
        return read(LayerReader(Tokens(content, path.name.lower().endswith(BINARY))))
    except DamagedNetwork as error:
        raise NetworkFileError(f"{path}: not a network of KataGo that can be read: {error}") from error


class LayerReader:
    """Reads a network from its tokens, in the file's order."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._version = 0
        self._depth = 0  # the number of blocks around the current one

    def header(self) -> Header:
        """The part before the first layer. Raises DamagedNetwork."""
        tokens = self._tokens
        name = tokens.text()
        self._version = version = tokens.integer(most=1_000)
        if not OLDEST <= version <= NEWEST:
            age = "older" if version < OLDEST else "newer"
            raise DamagedNetwork(f"it is of version {version}, {age} than the versions {OLDEST} to {NEWEST}")
        if (counts := (tokens.integer(), tokens.integer())) != (PLANES, GLOBALS):
            raise DamagedNetwork(f"expected {PLANES} planes and {GLOBALS} other inputs, found {counts[0]} and {counts[1]}")
        scales = Scales(*[self._positive() for _ in range(7)]) if version >= 13 else Scales()
        has_metadata, safe_with_suicide = False, False
        if version >= 15:
            has_metadata, safe_with_suicide = bool(tokens.integer(most=1)), bool(tokens.integer(most=1))
            tokens.zeros(6)
        return Header(name[:LONGEST_NAME], version, scales, has_metadata, safe_with_suicide)

    def outline(self) -> tuple[Header, int, int]:
        """The header, the number of blocks, the trunk's channels. Raises DamagedNetwork."""
        return self.header(), *self._trunk_size()

    def model(self) -> Model:
        """The whole network. Raises DamagedNetwork."""
        header = self.header()
        trunk = self._trunk(header.has_metadata)
        model = Model(header, trunk, self._policy(trunk), self._value(trunk))
        if not self._tokens.is_at_end():
            raise DamagedNetwork("there is more in it than a network")
        return model

    def _positive(self) -> float:
        """A number above 0."""
        value = self._tokens.real()
        if value <= 0.0:
            raise DamagedNetwork(f"expected a number above 0, found {value}")
        return value

    # ---------------------------------------------------------------- layers

    def _conv(self, inputs: int | None = None, outputs: int | None = None) -> Conv:
        """A convolution, of so many channels if known."""
        tokens = self._tokens
        tokens.text()
        height, width = tokens.integer(1, 99), tokens.integer(1, 99)
        channels = tokens.integer(1), tokens.integer(1)
        dilation = tokens.integer(1, 19), tokens.integer(1, 19)
        if height % 2 == 0 or width % 2 == 0:
            raise DamagedNetwork("a convolution is even")
        check_channels(channels[0], inputs)
        check_channels(channels[1], outputs)
        weights = tokens.array(height, width, *channels)
        return Conv(np.ascontiguousarray(weights.transpose(3, 2, 0, 1)), dilation)

    def _scale_and_bias(self, channels: int) -> tuple[np.ndarray, np.ndarray]:
        """A norm by mean and variance as one factor and one term."""
        tokens = self._tokens
        tokens.text()
        check_channels(tokens.integer(1), channels)
        epsilon = self._positive()
        has_scale, has_bias = bool(tokens.integer(most=1)), bool(tokens.integer(most=1))
        mean, variance = tokens.array(channels), tokens.array(channels)
        scale = tokens.array(channels) if has_scale else np.ones(channels, np.float32)
        bias = tokens.array(channels) if has_bias else np.zeros(channels, np.float32)
        if (variance + epsilon <= 0.0).any():
            raise DamagedNetwork("a variance is negative")
        factor = scale / np.sqrt(variance + np.float32(epsilon))
        return factor, bias - factor * mean

    def _activation(self) -> Activation:
        """The activation after a norm."""
        self._tokens.text()
        if self._version < 11:
            return "relu"
        name = self._tokens.text()
        if name not in ACTIVATIONS:
            raise DamagedNetwork(f"unknown activation {name[:30]!r}")
        return ACTIVATIONS[name]

    def _norm(self, channels: int) -> Norm:
        """A norm and its activation."""
        scale, bias = self._scale_and_bias(channels)
        return Norm(scale, bias, self._activation())

    def _matrix(self, inputs: int, outputs: int | None = None) -> np.ndarray:
        """[in, out]."""
        self._tokens.text()
        channels = self._tokens.integer(1), self._tokens.integer(1)
        check_channels(channels[0], inputs)
        check_channels(channels[1], outputs)
        return self._tokens.array(*channels)

    def _bias(self, channels: int) -> np.ndarray:
        """[channels]."""
        self._tokens.text()
        check_channels(self._tokens.integer(1), channels)
        return self._tokens.array(channels)

    def _layer(self, inputs: int, outputs: int | None = None, is_last: bool = False) -> Layer:
        """A matrix, a bias, and, unless it is the last, an activation."""
        weights = self._matrix(inputs, outputs)
        bias = self._bias(weights.shape[1])
        return Layer(weights, bias, "identity" if is_last else self._activation())

    # ---------------------------------------------------------------- blocks

    def _blocks(self, count: int, channels: int) -> tuple[Block, ...]:
        """A stack of blocks."""
        kinds: dict[str, Callable[[int], Block]] = {
            "ordinary_block": self._residual,
            "gpool_block": self._pooling_residual,
            "nested_bottleneck_block": self._bottleneck,
            "transformer_attention_block": self._attention,
            "transformer_ffn_block": self._feed_forward,
        }
        blocks = []
        for _ in range(count):
            kind = self._tokens.text()
            if kind not in kinds:
                raise DamagedNetwork(f"unknown block {kind[:40]!r}")
            self._tokens.text()
            blocks.append(kinds[kind](channels))
        return tuple(blocks)

    def _residual(self, channels: int) -> Residual:
        """An ordinary block."""
        before = self._norm(channels)
        first = self._conv(channels)
        middle = self._norm(first.outputs)
        return Residual(before, first, middle, self._conv(first.outputs, channels))

    def _pooling_residual(self, channels: int) -> Residual:
        """A block with global pooling."""
        before = self._norm(channels)
        first = self._conv(channels)
        pooling = self._pooling(self._conv(channels), first.outputs)
        middle = self._norm(first.outputs)
        return Residual(before, first, middle, self._conv(first.outputs, channels), pooling)

    def _pooling(self, conv: Conv, outputs: int) -> Pooling:
        """The global pooling after its convolution."""
        norm = self._norm(conv.outputs)
        return Pooling(conv, norm, self._matrix(3 * conv.outputs, outputs))

    def _bottleneck(self, channels: int) -> Bottleneck:
        """Blocks within a block."""
        count = self._tokens.integer(1, MOST_BLOCKS)
        before = self._norm(channels)
        first = self._conv(channels)
        self._depth += 1
        if self._depth > DEEPEST:
            raise DamagedNetwork(f"its blocks lie more than {DEEPEST} deep in each other")
        blocks = self._blocks(count, first.outputs)
        self._depth -= 1
        after = self._norm(first.outputs)
        return Bottleneck(before, first, blocks, after, self._conv(first.outputs, channels))

    def _token_norm(self, channels: int) -> RmsNorm:
        """The norm of a transformer's block."""
        self._tokens.text()
        check_channels(self._tokens.integer(1), channels)
        epsilon = self._positive()
        return RmsNorm(self._tokens.array(channels), np.zeros(channels, np.float32), epsilon)

    def _attention(self, channels: int) -> Attention:
        """Attention of heads that share keys and values in groups."""
        tokens = self._tokens
        heads, key_heads = tokens.integer(1), tokens.integer(1)
        query_size, value_size = tokens.integer(1), tokens.integer(1)
        turns, is_learned = bool(tokens.integer(most=1)), bool(tokens.integer(most=1))
        if heads % key_heads or (turns and query_size % 2):
            raise DamagedNetwork("the heads of an attention don't fit together")
        norm = self._token_norm(channels)
        query = self._matrix(channels, heads * query_size)
        key = self._matrix(channels, key_heads * query_size)
        value = self._matrix(channels, key_heads * value_size)
        out = self._matrix(heads * value_size, channels)
        frequencies = self._frequencies(key_heads, query_size // 2, is_learned) if turns else None
        return Attention(norm, query, key, value, out, heads, key_heads, frequencies)

    def _frequencies(self, key_heads: int, pairs: int, is_learned: bool) -> np.ndarray:
        """Attention.frequencies: learned, or falling from 1 step by step, for rows in the first half of the pairs, then for columns."""
        tokens = self._tokens
        tokens.text()
        if is_learned:
            check_channels(tokens.integer(1), key_heads)
            check_channels(tokens.integer(1), pairs)
            check_channels(tokens.integer(1), 2)
            return tokens.array(key_heads, pairs, 2)
        base, half = self._positive(), pairs // 2
        if not 1.0 <= base <= LARGEST_BASE:
            raise DamagedNetwork(f"expected a rotary base from 1 to {LARGEST_BASE:g}, found {base:g}")
        frequencies = np.zeros((key_heads, pairs, 2), np.float32)
        for pair in range(pairs):
            is_row = pair < half
            power = 2 * (pair if is_row else pair - half) / pairs
            frequencies[:, pair, int(is_row)] = base**-power
        return frequencies

    def _feed_forward(self, channels: int) -> FeedForward:
        """Two layers at each point."""
        tokens = self._tokens
        check_channels(tokens.integer(1), channels)
        hidden = tokens.integer(1)
        if not tokens.integer(most=1):
            raise DamagedNetwork("a transformer's block has no gate, which no network is known to do without")
        norm = self._token_norm(channels)
        first, gate = self._matrix(channels, hidden), self._matrix(channels, hidden)
        return FeedForward(norm, first, gate, self._matrix(hidden, channels))

    # ---------------------------------------------------------------- parts

    def _trunk(self, has_metadata: bool) -> Trunk:
        """From the input to the tip."""
        tokens = self._tokens
        count, channels = self._trunk_size()
        for _ in range(4):  # channels inside the blocks, which the blocks state themselves
            tokens.integer()
        norm_kind = STANDARD_NORM
        if self._version >= 15:
            norm_kind = tokens.integer(most=RMS_NORM)
            tokens.zeros(5)
        conv = self._conv(PLANES, channels)
        from_globals = self._matrix(GLOBALS, channels)
        metadata = self._metadata(channels) if has_metadata else None
        blocks = self._blocks(count, channels)
        tip = self._norm(channels) if norm_kind == STANDARD_NORM else self._tip(channels)
        return Trunk(conv, from_globals, metadata, blocks, tip)

    def _trunk_size(self) -> tuple[int, int]:
        """Numbers of blocks and channels, with which a trunk begins."""
        self._tokens.text()
        return self._tokens.integer(1, MOST_BLOCKS), self._tokens.integer(1)

    def _metadata(self, channels: int) -> MetadataEncoder:
        """The metadata encoder of a human network."""
        self._tokens.text()
        check_channels(self._tokens.integer(1), METADATA)
        first = self._layer(METADATA)
        second = self._layer(first.weights.shape[1])
        return MetadataEncoder(first, second, self._matrix(second.weights.shape[1], channels))

    def _tip(self, channels: int) -> RmsNorm:
        """The last norm of a transformer."""
        tokens = self._tokens
        tokens.text()
        check_channels(tokens.integer(1), channels)
        epsilon = self._positive()
        is_spatial = bool(tokens.integer(most=1))
        tokens.zeros(1)  # groups of channels
        scale, bias = tokens.array(channels), tokens.array(channels)
        return RmsNorm(scale, bias, epsilon, is_spatial, self._activation())

    def _policy(self, trunk: Trunk) -> PolicyHead:
        """The policy head."""
        tokens, channels = self._tokens, trunk.conv.outputs
        tokens.text()
        outputs = 1 if self._version < 12 else 4 if self._version == 16 else 2
        if self._version >= 17:
            outputs = tokens.integer(2, 4)
            tokens.zeros(3)
        conv = self._conv(channels)
        pooling = self._pooling(self._conv(channels), conv.outputs)
        norm = self._norm(conv.outputs)
        last = self._conv(conv.outputs, outputs)
        has_hidden = self._version >= 15
        to_pass = self._matrix(3 * pooling.conv.outputs, None if has_hidden else outputs)
        if not has_hidden:
            return PolicyHead(conv, pooling, norm, last, to_pass, None, None)
        size = to_pass.shape[1]
        hidden = Norm(np.ones(size, np.float32), self._bias(size), self._activation())
        return PolicyHead(conv, pooling, norm, last, to_pass, hidden, self._matrix(size, outputs))

    def _value(self, trunk: Trunk) -> ValueHead:
        """The value head."""
        self._tokens.text()
        if self._version >= 17:
            self._tokens.zeros(3)
        conv = self._conv(trunk.conv.outputs)
        norm = self._norm(conv.outputs)
        hidden = self._layer(3 * conv.outputs)
        size = hidden.weights.shape[1]
        value = self._layer(size, 3, is_last=True)
        score = self._layer(size, 4 if self._version == 8 else 6, is_last=True)
        return ValueHead(conv, norm, hidden, value, score, self._conv(conv.outputs, 1))


def check_channels(channels: int, expected: int | None) -> None:
    """Raise DamagedNetwork unless a layer has as many channels as the layers around it need."""
    if expected is not None and channels != expected:
        raise DamagedNetwork(f"expected a layer of {expected} channels, found {channels}")
