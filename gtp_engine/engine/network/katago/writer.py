"""Writes KataGo's network files, .bin.gz, which reader.py reads."""

import gzip
from dataclasses import astuple
from pathlib import Path

import numpy as np

from gtp_engine.base.files import write_file
from gtp_engine.engine.network.katago.model import (
    GLOBALS,
    METADATA,
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
from gtp_engine.engine.network.katago.reader import ACTIVATIONS, RMS_NORM, STANDARD_NORM
from gtp_engine.engine.network.katago.tokens import MARK

NAMES = {activation: name for name, activation in ACTIVATIONS.items()}
SMALLEST_EPSILON = 1e-20  # with mean 0 and variance 1, only a norm's scale and bias remain


def write_model(path: Path, model: Model) -> None:
    """Write the network as a file of the version in its header. After an OSError an existing file is unchanged.

    read_model reads the same numbers back, except that fixed frequencies of an attention are written as learned ones.
    Raises ValueError for a network that this version can't store.
    """
    write_file(path, gzip.compress(LayerWriter(model.header.version).model(model), mtime=0))


def block_kind(block: Block) -> str:
    """The file's name for this kind of block."""
    if isinstance(block, Residual):
        return "gpool_block" if block.pooling else "ordinary_block"
    kinds = {Bottleneck: "nested_bottleneck_block", Attention: "transformer_attention_block", FeedForward: "transformer_ffn_block"}
    return kinds[type(block)]


class LayerWriter:
    """Writes a network's parts in the file's order."""

    def __init__(self, version: int) -> None:
        self._version = version
        self._parts: list[bytes] = []

    def model(self, model: Model) -> bytes:
        """The whole file, unpacked. Raises ValueError, see write_model."""
        self._header(model.header)
        self._trunk(model.trunk)
        self._policy(model.policy)
        self._value(model.value)
        return b"".join(self._parts)

    # ---------------------------------------------------------------- tokens

    def _words(self, *words: object) -> None:
        """A line of tokens."""
        self._parts.append(" ".join(map(str, words)).encode("ascii", "replace") + b"\n")

    def _numbers(self, *arrays: np.ndarray) -> None:
        """Blocks of weights."""
        for array in arrays:
            self._parts.append(MARK + np.ascontiguousarray(array, "<f4").tobytes() + b"\n")

    # ---------------------------------------------------------------- layers

    def _conv(self, conv: Conv) -> None:
        """See LayerReader._conv."""
        outputs, inputs, height, width = conv.weights.shape
        self._words("conv", height, width, inputs, outputs, *conv.dilation)
        self._numbers(conv.weights.transpose(2, 3, 1, 0))

    def _activation(self, activation: Activation) -> None:
        """See LayerReader._activation."""
        if self._version < 11 and activation != "relu":
            raise ValueError(f"files of version {self._version} have no activation but relu, and this network has {activation}")
        self._words("activation", *([NAMES[activation]] if self._version >= 11 else []))

    def _norm(self, norm: Norm) -> None:
        """See LayerReader._norm."""
        channels = len(norm.scale)
        self._words("norm", channels, SMALLEST_EPSILON, 1, 1)
        self._numbers(np.zeros(channels), np.ones(channels), norm.scale, norm.bias)
        self._activation(norm.activation)

    def _matrix(self, weights: np.ndarray) -> None:
        """See LayerReader._matrix."""
        self._words("matrix", *weights.shape)
        self._numbers(weights)

    def _bias(self, bias: np.ndarray) -> None:
        """See LayerReader._bias."""
        self._words("bias", len(bias))
        self._numbers(bias)

    def _layer(self, layer: Layer, is_last: bool = False) -> None:
        """See LayerReader._layer."""
        self._matrix(layer.weights)
        self._bias(layer.bias)
        if not is_last:
            self._activation(layer.activation)

    # ---------------------------------------------------------------- blocks

    def _blocks(self, blocks: tuple[Block, ...]) -> None:
        """Blocks one after the other."""
        for block in blocks:
            self._words(block_kind(block))
            self._words("block")
            if isinstance(block, Residual):
                self._residual(block)
            elif isinstance(block, Bottleneck):
                self._bottleneck(block)
            elif isinstance(block, Attention):
                self._attention(block)
            else:
                self._feed_forward(block)

    def _residual(self, block: Residual) -> None:
        """See Residual."""
        self._norm(block.before)
        self._conv(block.first)
        if block.pooling:
            self._pooling(block.pooling)
        self._norm(block.middle)
        self._conv(block.last)

    def _pooling(self, pooling: Pooling) -> None:
        """See Pooling."""
        self._conv(pooling.conv)
        self._norm(pooling.norm)
        self._matrix(pooling.to_bias)

    def _bottleneck(self, block: Bottleneck) -> None:
        """See Bottleneck."""
        self._words(len(block.blocks))
        self._norm(block.before)
        self._conv(block.first)
        self._blocks(block.blocks)
        self._norm(block.after)
        self._conv(block.last)

    def _token_norm(self, norm: RmsNorm) -> None:
        """The norm of a transformer's block."""
        self._words("norm", len(norm.scale), norm.epsilon)
        self._numbers(norm.scale)

    def _attention(self, block: Attention) -> None:
        """See Attention."""
        size, value_size = block.query.shape[1] // block.heads, block.value.shape[1] // block.key_heads
        turns = int(block.frequencies is not None)
        self._words(block.heads, block.key_heads, size, value_size, turns, turns)
        self._token_norm(block.norm)
        for weights in (block.query, block.key, block.value, block.out):
            self._matrix(weights)
        if block.frequencies is not None:
            self._words("frequencies", *block.frequencies.shape)
            self._numbers(block.frequencies)

    def _feed_forward(self, block: FeedForward) -> None:
        """See FeedForward."""
        self._words(*block.first.shape, 1)
        self._token_norm(block.norm)
        for weights in (block.first, block.gate, block.last):
            self._matrix(weights)

    # ---------------------------------------------------------------- parts

    def _header(self, header: Header) -> None:
        """The part before the first layer."""
        self._words(header.name)
        self._words(header.version)
        self._words(PLANES, GLOBALS)
        if header.version >= 13:
            self._words(*astuple(header.scales))
        if header.version >= 15:
            self._words(int(header.has_metadata), int(header.safe_with_suicide), *[0] * 6)

    def _trunk(self, trunk: Trunk) -> None:
        """From the input to the tip."""
        channels = trunk.conv.outputs
        self._words("trunk", len(trunk.blocks), channels, *inner_channels(trunk))
        is_rms = isinstance(trunk.tip, RmsNorm)
        if self._version >= 15:
            self._words(RMS_NORM if is_rms else STANDARD_NORM, *[0] * 5)
        elif is_rms:
            raise ValueError(f"files of version {self._version} have no norm by the mean square")
        self._conv(trunk.conv)
        self._matrix(trunk.from_globals)
        if trunk.metadata:
            self._words("metadata", METADATA)
            self._layer(trunk.metadata.first)
            self._layer(trunk.metadata.second)
            self._matrix(trunk.metadata.last)
        self._blocks(trunk.blocks)
        self._tip(trunk.tip)

    def _tip(self, tip: Norm | RmsNorm) -> None:
        """The last norm."""
        if isinstance(tip, Norm):
            self._norm(tip)
            return
        self._words("tip", len(tip.scale), tip.epsilon, int(tip.is_spatial), 0)
        self._numbers(tip.scale, tip.bias)
        self._activation(tip.activation)

    def _policy(self, head: PolicyHead) -> None:
        """The policy head."""
        self._words("policy", *([head.last.outputs, 0, 0, 0] if self._version >= 17 else []))
        self._conv(head.conv)
        self._pooling(head.pooling)
        self._norm(head.norm)
        self._conv(head.last)
        self._matrix(head.to_pass)
        if (head.pass_hidden is None) == (self._version >= 15):
            raise ValueError(f"files of version {self._version} have another head for passes")
        if head.pass_hidden is not None and head.pass_last is not None:
            self._bias(head.pass_hidden.bias)
            self._activation(head.pass_hidden.activation)
            self._matrix(head.pass_last)

    def _value(self, head: ValueHead) -> None:
        """The value head."""
        self._words("value", *([0] * 3 if self._version >= 17 else []))
        self._conv(head.conv)
        self._norm(head.norm)
        self._layer(head.hidden)
        self._layer(head.value, is_last=True)
        self._layer(head.score, is_last=True)
        self._conv(head.ownership)


def inner_channels(trunk: Trunk) -> tuple[int, int, int, int]:
    """Channels inside the blocks: of bottlenecks or residual blocks, of blocks with pooling, 1 for nothing, of poolings; by default the
    trunk's.

    Readers take the numbers of each block from the block itself. These only need to be above 0.
    """
    middle = regular = pooled = trunk.conv.outputs
    for block in trunk.blocks:
        if isinstance(block, (Residual, Bottleneck)):
            middle = block.first.outputs
        if isinstance(block, Residual) and block.pooling:
            regular, pooled = block.first.outputs, block.pooling.conv.outputs
    return middle, regular, 1, pooled
