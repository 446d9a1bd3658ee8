"""A KataGo network as an ONNX graph, for any number of boards of the same size without padding.

A norm after a convolution becomes part of it. A norm before one, on the residual sum, can't. Boards are [N, C, H, W]; transformer blocks
work on tokens, [N, H * W, C], and consecutive ones don't convert in between.
"""

from collections.abc import Callable

import numpy as np

from gtp_engine.engine.network.katago.eight_bits import EightBits, InnerConvs, WatchedConvs, folded, plain_conv
from gtp_engine.engine.network.katago.int8_transformer import Int8Transformer
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
    Layer,
    Model,
    Norm,
    PolicyHead,
    Pooling,
    Residual,
    ValueHead,
)
from gtp_engine.engine.network.katago.observed import Observed
from gtp_engine.engine.network.katago.onnx_file import OnnxGraph
from gtp_engine.engine.network.katago.transformer import Transformer, WatchedTransformer, without_size

MEAN_SIDE = 14.0  # lines: the board size that KataGo subtracts in global pooling
SIDE_SCALE, VALUE_OFFSET = 0.1, 0.1
STEEPEST = 20.0  # above this, mish is the identity in float32
POLICIES = 2  # computed channels: the policy and the optimistic policy
BATCH, HEIGHT, WIDTH = "N", "H", "W"  # names of the free sizes


def build(model: Model, observed: Observed | None = None) -> OnnxGraph:
    """The graph of a network. With observed activations, see calibration.py, its blocks compute in int8.

    Inputs: planes [N, PLANES, H, W], globals [N, GLOBALS] and, for human networks, metadata [N, METADATA]. Outputs: policy
    [N, 1 or POLICIES, H * W + 1] logits, the pass last; value [N, 3] logits; score [N, 4 or 6]; ownership [N, H * W], -1 to 1.
    """
    if observed is None:
        return Builder(model, EightBits(None)).graph
    # beside attention, convolutions take a tenth of the time and would make most of the error: they stay in float32
    ranges = None if observed.tokens else observed.ranges
    return Builder(model, EightBits(ranges), lambda graph, shape: Int8Transformer(graph, shape, observed.tokens)).graph


def build_watched(model: Model) -> OnnxGraph:
    """The same graph in float32 with additional outputs.

    ranges [convolutions, 4], see eight_bits.py, in the positions of the question; tokens0, tokens1 ..., see WatchedTransformer.
    """
    watch = WatchedConvs()
    builder = Builder(model, watch, WatchedTransformer)
    watch.give_out(builder.graph)
    return builder.graph


class Builder:
    """Builds the graph from input to output."""

    def __init__(self, model: Model, inner: InnerConvs, transformer: Callable[[OnnxGraph, str], Transformer] = Transformer) -> None:
        """`inner` adds the convolutions inside blocks, `transformer`, called with the graph and the planes' shape, transformer blocks."""
        self.graph = OnnxGraph(model.header.name)
        self._inner = inner
        self._planes = self.graph.input("planes", [BATCH, PLANES, HEIGHT, WIDTH])
        shape = self.graph.op("Shape", self._planes)
        self._lines = self.graph.op("Slice", shape, *map(self.graph.constant, ([2], [4])))  # [2]: H, W
        points = self.graph.op("ReduceProd", self.graph.op("Cast", self._lines, to=1), keepdims=0)
        excess = self.graph.op("Sub", self.graph.op("Sqrt", points), self.graph.constant(MEAN_SIDE))
        self._excess = self.graph.op("Mul", excess, self.graph.constant(SIDE_SCALE))
        self._transformer = transformer(self.graph, shape)
        self._is_tokens = False  # the current form of the stack's value
        tip = self._trunk(model)
        self._policy(model.policy, tip)
        self._value(model.value, tip)
        self._transformer.finish()

    # ---------------------------------------------------------------- layers

    def _conv(self, value: str, conv: Conv, norm: Norm | None = None) -> str:
        """A convolution; with a norm, its scale is in the weights and its bias added. The activation isn't applied."""
        return plain_conv(self.graph, value, *folded(conv, norm))

    def _inner_conv(self, value: str, conv: Conv, norm: Norm | None = None) -> str:
        """The same inside a block."""
        return self._inner.add(self.graph, value, *folded(conv, norm))

    def _activate(self, value: str, activation: Activation) -> str:
        """The activation. Mish as x * n / (n + 2) with n = e * (e + 2), e = exp(x): no logarithm, no tanh."""
        graph = self.graph
        if activation == "relu":
            return graph.op("Relu", value)
        if activation == "silu":
            return graph.op("Mul", value, graph.op("Sigmoid", value))
        if activation == "mish":
            power = graph.op("Exp", graph.op("Min", value, graph.constant(STEEPEST)))
            two = graph.constant(2.0)
            n = graph.op("Mul", power, graph.op("Add", power, two))
            return graph.op("Mul", value, graph.op("Div", n, graph.op("Add", n, two)))
        return value

    def _norm(self, value: str, norm: Norm) -> str:
        """A norm that follows a sum, and its activation."""
        zeros, ones = (self.graph.constant(array(len(norm.scale), np.float32)) for array in (np.zeros, np.ones))
        scale, bias = self.graph.constant(norm.scale), self.graph.constant(norm.bias)
        return self._activate(self.graph.op("BatchNormalization", value, scale, bias, zeros, ones, epsilon=0.0), norm.activation)

    def _normed_conv(self, value: str, conv: Conv, norm: Norm) -> str:
        """A convolution, its norm and activation."""
        return self._activate(self._conv(value, conv, norm), norm.activation)

    def _layer(self, value: str, layer: Layer) -> str:
        """[N, in] -> [N, out]."""
        weights, bias = self.graph.constant(layer.weights), self.graph.constant(layer.bias)
        return self._activate(self.graph.op("Gemm", value, weights, bias), layer.activation)

    def _times(self, value: str, weights: np.ndarray) -> str:
        """A product with a matrix, on the last axis."""
        return self.graph.op("MatMul", value, self.graph.constant(weights))

    def _add_everywhere(self, value: str, bias: str) -> str:
        """Add [N, C] to [N, C, H, W]."""
        return self.graph.op("Add", value, self.graph.op("Unsqueeze", bias, self.graph.constant([2, 3])))

    def _mean(self, value: str) -> str:
        """[N, C]: the mean over the board."""
        return self.graph.op("Flatten", self.graph.op("GlobalAveragePool", value))

    def _pooled(self, value: str, pooling: Pooling) -> str:
        """[N, 3 * channels]: mean, mean by the board's size, maximum."""
        graph = self.graph
        features = self._normed_conv(value, pooling.conv, pooling.norm)
        mean = self._mean(features)
        highest = graph.op("Flatten", graph.op("GlobalMaxPool", features))
        return graph.op("Concat", mean, graph.op("Mul", mean, self._excess), highest, axis=1)

    # ---------------------------------------------------------------- blocks

    def _stack(self, value: str, blocks: tuple[Block, ...], channels: int) -> str:
        """Blocks one after the other, from boards to boards."""
        for block in blocks:
            if isinstance(block, (Attention, FeedForward)):
                value = self._to_tokens(value, channels)
                add = self._transformer
                value = add.attention(value, block) if isinstance(block, Attention) else add.feed_forward(value, block)
            else:
                value = self._to_boards(value, channels)
                value = self._residual(value, block) if isinstance(block, Residual) else self._bottleneck(value, block)
        return self._to_boards(value, channels)

    def _to_tokens(self, value: str, channels: int) -> str:
        """[N, C, H, W] -> [N, H * W, C], if necessary."""
        if self._is_tokens:
            return value
        self._is_tokens = True
        flat = self.graph.op("Reshape", value, self.graph.constant([0, channels, -1]))
        return self.graph.op("Transpose", flat, perm=[0, 2, 1])

    def _to_boards(self, value: str, channels: int) -> str:
        """[N, H * W, C] -> [N, C, H, W], if necessary."""
        if not self._is_tokens:
            return value
        self._is_tokens = False
        shape = self.graph.op("Concat", self.graph.constant([0, channels]), self._lines, axis=0)
        return self.graph.op("Reshape", self.graph.op("Transpose", value, perm=[0, 2, 1]), shape)

    def _residual(self, value: str, block: Residual) -> str:
        """See Residual."""
        normed = self._norm(value, block.before)
        first = self._inner_conv(normed, block.first, block.middle)
        if block.pooling:
            bias = self._times(self._pooled(normed, block.pooling), block.pooling.to_bias * block.middle.scale)
            first = self._add_everywhere(first, bias)
        return self.graph.op("Add", value, self._inner_conv(self._activate(first, block.middle.activation), block.last))

    def _bottleneck(self, value: str, block: Bottleneck) -> str:
        """See Bottleneck."""
        inner = self._inner_conv(self._norm(value, block.before), block.first)
        inner = self._stack(inner, block.blocks, block.first.outputs)
        return self.graph.op("Add", value, self._inner_conv(self._norm(inner, block.after), block.last))

    # ---------------------------------------------------------------- parts

    def _trunk(self, model: Model) -> str:
        """Boards after the last norm."""
        graph, trunk = self.graph, model.trunk
        bias = self._times(graph.input("globals", [BATCH, GLOBALS]), trunk.from_globals)
        if trunk.metadata:
            hidden = self._layer(graph.input("metadata", [BATCH, METADATA]), trunk.metadata.first)
            bias = graph.op("Add", bias, self._times(self._layer(hidden, trunk.metadata.second), trunk.metadata.last))
        value = self._add_everywhere(self._conv(self._planes, trunk.conv), bias)
        value = self._stack(value, trunk.blocks, trunk.conv.outputs)
        if isinstance(trunk.tip, Norm):
            return self._norm(value, trunk.tip)
        normed = without_size(graph, value, trunk.tip.epsilon, [1, 2, 3] if trunk.tip.is_spatial else [1])
        return self._norm(normed, Norm(trunk.tip.scale, trunk.tip.bias, trunk.tip.activation))

    def _policy(self, head: PolicyHead, tip: str) -> None:
        """See PolicyHead."""
        graph = self.graph
        pooled = self._pooled(tip, head.pooling)
        moves = self._conv(tip, head.conv, head.norm)
        moves = self._add_everywhere(moves, self._times(pooled, head.pooling.to_bias * head.norm.scale))
        channels = min(head.last.outputs, POLICIES)
        last = Conv(head.last.weights[:channels], head.last.dilation)
        moves = self._conv(self._activate(moves, head.norm.activation), last)
        moves = graph.op("Reshape", moves, graph.constant([0, channels, -1]))
        if head.pass_hidden is None or head.pass_last is None:
            passing = self._times(pooled, head.to_pass[:, :channels])
        else:
            hidden = Layer(head.to_pass, head.pass_hidden.bias, head.pass_hidden.activation)
            passing = self._times(self._layer(pooled, hidden), head.pass_last[:, :channels])
        policy = graph.op("Concat", moves, graph.op("Unsqueeze", passing, graph.constant([2])), axis=2)
        graph.output("policy", policy, [BATCH, channels, "moves"])

    def _value(self, head: ValueHead, tip: str) -> None:
        """See ValueHead."""
        graph = self.graph
        features = self._normed_conv(tip, head.conv, head.norm)
        mean = self._mean(features)
        squared = graph.op("Sub", graph.op("Mul", self._excess, self._excess), graph.constant(VALUE_OFFSET))
        pooled = graph.op("Concat", mean, graph.op("Mul", mean, self._excess), graph.op("Mul", mean, squared), axis=1)
        hidden = self._layer(pooled, head.hidden)
        graph.output("value", self._layer(hidden, head.value), [BATCH, 3])
        graph.output("score", self._layer(hidden, head.score), [BATCH, len(head.score.bias)])
        owners = graph.op("Tanh", graph.op("Flatten", self._conv(features, head.ownership)))
        graph.output("ownership", owners, [BATCH, "points"])
