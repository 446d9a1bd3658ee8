"""A KataGo network as an ONNX graph, for any number of boards of any one size, all of whose points are on the board.

A norm after a convolution becomes part of it. A norm before one, on the residual sum, can't. Boards are [N, C, H, W]; transformers see
tokens, [N, H * W, C], and consecutive ones don't change back in between.
"""

import numpy as np

from gtp_engine.network.katago.eight_bits import EightBits, InnerConvs, WatchedConvs, folded, plain_conv
from gtp_engine.network.katago.model import (
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
    RmsNorm,
    ValueHead,
)
from gtp_engine.network.katago.onnx_file import OnnxGraph

MEAN_SIDE = 14.0  # lines of a board: what KataGo measures a board's size from in global pooling
SIDE_SCALE, VALUE_OFFSET = 0.1, 0.1
STEEPEST = 20.0  # above, mish is the identity as far as float32 can tell
POLICIES = 2  # channels that are computed: the policy and the optimistic policy
BATCH, HEIGHT, WIDTH = "N", "H", "W"  # names of the sizes that are free


def build(model: Model, ranges: np.ndarray | None = None) -> OnnxGraph:
    """The graph of a network; with `ranges`, see eight_bits.py, the convolutions of its blocks count in whole numbers of 8 bits.

    Inputs: planes [N, PLANES, H, W], globals [N, GLOBALS] and, for human networks, metadata [N, METADATA]. Outputs: policy
    [N, 1 or POLICIES, H * W + 1] logits, the pass last; value [N, 3] logits; score [N, 4 or 6]; ownership [N, H * W], -1 to 1.
    """
    return Builder(model, EightBits(ranges)).graph


def build_watched(model: Model) -> OnnxGraph:
    """The same graph in float32 with one more output: ranges [convolutions, 4], see eight_bits.py, in the positions of the question."""
    watch = WatchedConvs()
    graph = Builder(model, watch).graph
    watch.give_out(graph)
    return graph


class Builder:
    """Builds the graph from input to output."""

    def __init__(self, model: Model, inner: InnerConvs) -> None:
        """`inner` adds the convolutions inside the blocks."""
        self.graph = OnnxGraph(model.header.name)
        self._inner = inner
        self._planes = self.graph.input("planes", [BATCH, PLANES, HEIGHT, WIDTH])
        shape = self.graph.op("Shape", self._planes)
        self._lines = self.graph.op("Slice", shape, *map(self.graph.constant, ([2], [4])))  # [2]: H, W
        points = self.graph.op("ReduceProd", self.graph.op("Cast", self._lines, to=1), keepdims=0)
        excess = self.graph.op("Sub", self.graph.op("Sqrt", points), self.graph.constant(MEAN_SIDE))
        self._excess = self.graph.op("Mul", excess, self.graph.constant(SIDE_SCALE))
        self._is_tokens = False  # what form the stack's value has just now
        tip = self._trunk(model)
        self._policy(model.policy, tip)
        self._value(model.value, tip)

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
        seen = self._normed_conv(value, pooling.conv, pooling.norm)
        mean = self._mean(seen)
        highest = graph.op("Flatten", graph.op("GlobalMaxPool", seen))
        return graph.op("Concat", mean, graph.op("Mul", mean, self._excess), highest, axis=1)

    # ---------------------------------------------------------------- blocks

    def _stack(self, value: str, blocks: tuple[Block, ...], channels: int) -> str:
        """Blocks one after the other, from boards to boards."""
        for block in blocks:
            if isinstance(block, (Attention, FeedForward)):
                value = self._to_tokens(value, channels)
                value = self._attention(value, block) if isinstance(block, Attention) else self._feed_forward(value, block)
            else:
                value = self._to_boards(value, channels)
                value = self._residual(value, block) if isinstance(block, Residual) else self._bottleneck(value, block)
        return self._to_boards(value, channels)

    def _to_tokens(self, value: str, channels: int) -> str:
        """[N, C, H, W] -> [N, H * W, C], unless it is so already."""
        if self._is_tokens:
            return value
        self._is_tokens = True
        flat = self.graph.op("Reshape", value, self.graph.constant([0, channels, -1]))
        return self.graph.op("Transpose", flat, perm=[0, 2, 1])

    def _to_boards(self, value: str, channels: int) -> str:
        """[N, H * W, C] -> [N, C, H, W], unless it is so already."""
        if not self._is_tokens:
            return value
        self._is_tokens = False
        shape = self.graph.op("Concat", self.graph.constant([0, channels]), self._lines, axis=0)
        return self.graph.op("Reshape", self.graph.op("Transpose", value, perm=[0, 2, 1]), shape)

    def _residual(self, value: str, block: Residual) -> str:
        """See Residual."""
        seen = self._norm(value, block.before)
        first = self._inner_conv(seen, block.first, block.middle)
        if block.pooling:
            bias = self._times(self._pooled(seen, block.pooling), block.pooling.to_bias * block.middle.scale)
            first = self._add_everywhere(first, bias)
        return self.graph.op("Add", value, self._inner_conv(self._activate(first, block.middle.activation), block.last))

    def _bottleneck(self, value: str, block: Bottleneck) -> str:
        """See Bottleneck."""
        inner = self._inner_conv(self._norm(value, block.before), block.first)
        inner = self._stack(inner, block.blocks, block.first.outputs)
        return self.graph.op("Add", value, self._inner_conv(self._norm(inner, block.after), block.last))

    def _without_size(self, value: str, norm: RmsNorm, axes: list[int]) -> str:
        """x / sqrt(mean(x * x) + epsilon) over these axes."""
        graph = self.graph
        mean = graph.op("ReduceMean", graph.op("Mul", value, value), axes=axes, keepdims=1)
        return graph.op("Div", value, graph.op("Sqrt", graph.op("Add", mean, graph.constant(norm.epsilon))))

    def _feed_forward(self, value: str, block: FeedForward) -> str:
        """See FeedForward; the norm's scale is in the weights."""
        graph, scale = self.graph, block.norm.scale[:, None]
        seen = self._without_size(value, block.norm, [-1])
        hidden = block.first.shape[1]
        both = self._times(seen, np.concatenate([block.first, block.gate], axis=1) * scale)
        first, gate = graph.apply("Split", [both, graph.constant([hidden, hidden])], 2, axis=-1)
        inner = graph.op("Mul", self._activate(first, "silu"), gate)
        return graph.op("Add", value, self._times(inner, block.last))

    def _attention(self, value: str, block: Attention) -> str:
        """See Attention. The heads of a group are one longer list of queries to their common keys."""
        graph = self.graph
        size, value_size = block.query.shape[1] // block.heads, block.value.shape[1] // block.key_heads
        query = block.query / np.sqrt(np.float32(size))
        weights = np.concatenate([halves_apart(query, size, block), halves_apart(block.key, size, block), block.value], axis=1)
        seen = self._times(self._without_size(value, block.norm, [-1]), weights * block.norm.scale[:, None])
        parts = graph.constant([part.shape[1] for part in (block.query, block.key, block.value)])
        queries, keys, values = graph.apply("Split", [seen, parts], 3, axis=-1)
        queries = self._heads(queries, block.heads, size)
        keys = self._heads(keys, block.key_heads, size)
        if block.frequencies is not None:
            queries = self._turned(queries, np.repeat(block.frequencies, block.heads // block.key_heads, axis=0))
            keys = self._turned(keys, block.frequencies)
        queries = graph.op("Transpose", queries, perm=[0, 2, 1, 3])
        grouped = graph.op("Reshape", queries, graph.constant([0, block.key_heads, -1, size]))
        keys = graph.op("Transpose", keys, perm=[0, 2, 3, 1])
        values = graph.op("Transpose", self._heads(values, block.key_heads, value_size), perm=[0, 2, 1, 3])
        mixed = graph.op("MatMul", graph.op("Softmax", graph.op("MatMul", grouped, keys), axis=-1), values)
        # back to one list of values for each head: [N, heads, H * W, v], as the queries were
        mixed = graph.op("Reshape", mixed, self._head_shape(block.heads, value_size))
        mixed = graph.op("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = graph.op("Reshape", mixed, graph.constant([0, -1, block.heads * value_size]))
        return graph.op("Add", value, self._times(mixed, block.out))

    def _heads(self, value: str, heads: int, size: int) -> str:
        """[N, L, heads * size] -> [N, L, heads, size]."""
        return self.graph.op("Reshape", value, self.graph.constant([0, -1, heads, size]))

    def _head_shape(self, heads: int, size: int) -> str:
        """The shape [N, heads, H * W, size], N taken over."""
        points = self.graph.op("ReduceProd", self._lines, keepdims=1)
        return self.graph.op("Concat", self.graph.constant([0, heads]), points, self.graph.constant([size]), axis=0)

    def _turned(self, value: str, frequencies: np.ndarray) -> str:
        """Each pair of channels of [N, L, heads, 2 * pairs] turned by an angle that grows with column and row."""
        graph = self.graph
        heads, pairs = frequencies.shape[:2]
        angle = graph.op("Add", *(self._coordinates(axis, frequencies[:, :, 1 - axis].reshape(1, -1)) for axis in (1, 0)))
        angle = graph.op("Reshape", angle, graph.constant([-1, heads, pairs]))
        cos, sin = graph.op("Cos", angle), graph.op("Sin", angle)
        a, b = graph.apply("Split", [value, graph.constant([pairs, pairs])], 2, axis=-1)
        first = graph.op("Sub", graph.op("Mul", a, cos), graph.op("Mul", b, sin))
        second = graph.op("Add", graph.op("Mul", a, sin), graph.op("Mul", b, cos))
        return graph.op("Concat", first, second, axis=-1)

    def _coordinates(self, axis: int, factors: np.ndarray) -> str:
        """[H * W, K]: the row (axis 0) or column (axis 1) of each point times the factors [1, K]."""
        graph = self.graph
        count = graph.op("Squeeze", graph.op("Slice", self._lines, graph.constant([axis]), graph.constant([axis + 1])))
        steps = graph.op("Range", graph.constant(np.array(0)), count, graph.constant(np.array(1)))
        line = graph.op("Unsqueeze", graph.op("Cast", steps, to=1), graph.constant([1 - axis]))
        everywhere = graph.op("Reshape", graph.op("Expand", line, self._lines), graph.constant([-1, 1]))
        return graph.op("Mul", everywhere, graph.constant(factors))

    # ---------------------------------------------------------------- parts

    def _trunk(self, model: Model) -> str:
        """Boards after the last norm."""
        graph, trunk = self.graph, model.trunk
        bias = self._times(graph.input("globals", [BATCH, GLOBALS]), trunk.from_globals)
        if trunk.metadata:
            told = self._layer(graph.input("metadata", [BATCH, METADATA]), trunk.metadata.first)
            bias = graph.op("Add", bias, self._times(self._layer(told, trunk.metadata.second), trunk.metadata.last))
        value = self._add_everywhere(self._conv(self._planes, trunk.conv), bias)
        value = self._stack(value, trunk.blocks, trunk.conv.outputs)
        if isinstance(trunk.tip, Norm):
            return self._norm(value, trunk.tip)
        normed = self._without_size(value, trunk.tip, [1, 2, 3] if trunk.tip.is_spatial else [1])
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
        seen = self._normed_conv(tip, head.conv, head.norm)
        mean = self._mean(seen)
        squared = graph.op("Sub", graph.op("Mul", self._excess, self._excess), graph.constant(VALUE_OFFSET))
        pooled = graph.op("Concat", mean, graph.op("Mul", mean, self._excess), graph.op("Mul", mean, squared), axis=1)
        hidden = self._layer(pooled, head.hidden)
        graph.output("value", self._layer(hidden, head.value), [BATCH, 3])
        graph.output("score", self._layer(hidden, head.score), [BATCH, len(head.score.bias)])
        owners = graph.op("Tanh", graph.op("Flatten", self._conv(seen, head.ownership)))
        graph.output("ownership", owners, [BATCH, "points"])


def halves_apart(weights: np.ndarray, size: int, block: Attention) -> np.ndarray:
    """Columns of queries or keys with each head's even channels before its odd ones, so that the pairs that turn lie in two halves.

    Products of queries and keys don't change: both have the same order.
    """
    if block.frequencies is None:
        return weights
    heads = weights.reshape(len(weights), -1, size)
    return np.concatenate([heads[:, :, 0::2], heads[:, :, 1::2]], axis=2).reshape(len(weights), -1)
