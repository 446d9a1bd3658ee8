"""The transformer blocks of a network as parts of an ONNX graph, in float32. They work on tokens, [N, H * W, C]."""

import numpy as np

from gtp_engine.engine.network.katago.model import Attention, FeedForward
from gtp_engine.engine.network.katago.onnx_file import OnnxGraph


class Transformer:
    """Adds transformer blocks to a graph."""

    def __init__(self, graph: OnnxGraph, shape: str) -> None:
        """`shape`: the value [4], N, planes, H and W."""
        self.graph = graph
        self._lines = graph.op("Slice", shape, *map(graph.constant, ([2], [4])))
        self._points = graph.op("ReduceProd", self._lines, keepdims=1)  # [1]

    def feed_forward(self, value: str, block: FeedForward) -> str:
        """See FeedForward; the norm's scale is in the weights."""
        graph, scale = self.graph, block.norm.scale[:, None]
        normed = without_size(graph, value, block.norm.epsilon, [-1])
        first, gate = self._times(normed, block.first * scale), self._times(normed, block.gate * scale)
        inner = graph.op("Mul", graph.op("Mul", first, graph.op("Sigmoid", first)), gate)
        self.watch_block(normed, inner)
        return graph.op("Add", value, self._times(inner, block.last))

    def attention(self, value: str, block: Attention) -> str:
        """See Attention. The heads of a group become one longer list of queries for their common keys."""
        graph, size = self.graph, head_size(block)
        normed = without_size(graph, value, block.norm.epsilon, [-1])
        self.watch_block(normed)
        queries, keys, values = (self._times(normed, weights) for weights in projections(block))
        if block.frequencies is not None:
            queries = self._turned(queries, np.repeat(block.frequencies, block.heads // block.key_heads, axis=0))
            keys = self._turned(keys, block.frequencies)
        queries = self._grouped(self._heads(queries, block.heads), block, size)
        keys = graph.op("Transpose", keys, perm=[0, 2, 1])
        keys = graph.op("Reshape", keys, graph.constant([0, block.key_heads, size, -1]))
        scores = graph.op("MatMul", queries, keys)
        return self._attended(value, scores, self._heads(values, block.key_heads), block)

    def _attended(self, value: str, scores: str, values: str, block: Attention) -> str:
        """The weighted sums, from the scores [N, key_heads, queries, H * W] and the values [N, key_heads, H * W, v]."""
        graph = self.graph
        value_size = block.value.shape[1] // block.key_heads
        mixed = graph.op("MatMul", graph.op("Softmax", scores, axis=-1), values)
        if block.heads != block.key_heads:  # back to one list of values for each head
            mixed = graph.op("Reshape", mixed, self._head_shape(block.heads, value_size))
        mixed = graph.op("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = graph.op("Reshape", mixed, graph.constant([0, -1, block.heads * value_size]))
        return graph.op("Add", value, self._times(mixed, block.out))

    def watch_block(self, normed: str, inner: str | None = None) -> None:
        """Called for each block, in order, with its input after the norm and the inner channels of a feed-forward block."""

    def finish(self) -> None:
        """Called when the graph is complete."""

    def _times(self, value: str, weights: np.ndarray) -> str:
        """A product with a matrix, on the last axis."""
        return self.graph.op("MatMul", value, self.graph.constant(weights))

    def _heads(self, value: str, heads: int) -> str:
        """[N, L, heads * size] -> [N, heads, L, size]."""
        graph = self.graph
        return graph.op("Transpose", graph.op("Reshape", value, graph.constant([0, 0, heads, -1])), perm=[0, 2, 1, 3])

    def _grouped(self, queries: str, block: Attention, size: int) -> str:
        """[N, heads, L, size] -> [N, key_heads, heads / key_heads * L, size]."""
        if block.heads == block.key_heads:
            return queries
        return self.graph.op("Reshape", queries, self.graph.constant([0, block.key_heads, -1, size]))

    def _head_shape(self, heads: int, size: int) -> str:
        """The shape [N, heads, H * W, size], with the N of the input."""
        return self.graph.op("Concat", self.graph.constant([0, heads]), self._points, self.graph.constant([size]), axis=0)

    def _turned(self, value: str, frequencies: np.ndarray) -> str:
        """[N, L, heads * 2 * pairs] with its pairs of channels, see halves_apart, rotated by an angle that grows with column and row."""
        graph = self.graph
        heads, pairs = frequencies.shape[:2]
        value = graph.op("Reshape", value, graph.constant([0, 0, heads, 2 * pairs]))
        cos, sin = (graph.op("Reshape", wave, graph.constant([-1, heads, pairs])) for wave in self._waves(frequencies.reshape(1, -1, 2)))
        a, b = graph.apply("Split", [value, graph.constant([pairs, pairs])], 2, axis=-1)
        first = graph.op("Sub", graph.op("Mul", a, cos), graph.op("Mul", b, sin))
        second = graph.op("Add", graph.op("Mul", a, sin), graph.op("Mul", b, cos))
        return graph.op("Reshape", graph.op("Concat", first, second, axis=-1), graph.constant([0, 0, heads * 2 * pairs]))

    def _waves(self, frequencies: np.ndarray) -> tuple[str, str]:
        """Cosine and sine [A, H * W, K] of the angle at each point of the board, for frequencies [A, K, (x, y)].

        They are computed from those of the columns and of the rows, which are fewer.
        """
        graph = self.graph
        columns, rows = (
            graph.op("Mul", self._coordinates(1 - axis), graph.constant(frequencies[:, None, None, :, axis])) for axis in (0, 1)
        )
        (cos_x, sin_x), (cos_y, sin_y) = ((graph.op("Cos", angles), graph.op("Sin", angles)) for angles in (columns, rows))
        cos = graph.op("Sub", graph.op("Mul", cos_x, cos_y), graph.op("Mul", sin_x, sin_y))
        sin = graph.op("Add", graph.op("Mul", sin_x, cos_y), graph.op("Mul", cos_x, sin_y))
        shape = graph.constant([len(frequencies), -1, frequencies.shape[1]])
        return graph.op("Reshape", cos, shape), graph.op("Reshape", sin, shape)

    def _coordinates(self, axis: int) -> str:
        """The rows, [H, 1, 1] (axis 0), or the columns, [W, 1] (axis 1), numbered from 0."""
        graph = self.graph
        count = graph.op("Squeeze", graph.op("Slice", self._lines, graph.constant([axis]), graph.constant([axis + 1])))
        steps = graph.op("Range", graph.constant(np.array(0)), count, graph.constant(np.array(1)))
        return graph.op("Unsqueeze", graph.op("Cast", steps, to=1), graph.constant([1, 2] if axis == 0 else [1]))


class WatchedTransformer(Transformer):
    """The same with what Int8Transformer rounds as outputs of the graph: `tokens0` [N, H * W, C], `tokens1` and so on."""

    def __init__(self, graph: OnnxGraph, shape: str) -> None:
        super().__init__(graph, shape)
        self._watched: list[str] = []

    def watch_block(self, normed: str, inner: str | None = None) -> None:
        """See Transformer."""
        self._watched.append(normed)
        if inner is not None:
            self._watched.append(without_size(self.graph, inner, INNER_EPSILON, [-1]))

    def finish(self) -> None:
        """Add the outputs."""
        for i, value in enumerate(self._watched):
            self.graph.output(f"{TOKENS}{i}", value, ["N", "points", "channels"])


TOKENS = "tokens"  # the beginning of the names of these outputs
INNER_EPSILON = 1e-6  # of the norm of the inner channels, which is only for rounding


def without_size(graph: OnnxGraph, value: str, epsilon: float, axes: list[int]) -> str:
    """x / sqrt(mean(x * x) + epsilon) over these axes."""
    mean = graph.op("ReduceMean", graph.op("Mul", value, value), axes=axes, keepdims=1)
    return graph.op("Div", value, graph.op("Sqrt", graph.op("Add", mean, graph.constant(epsilon))))


def head_size(block: Attention) -> int:
    """Channels of a query."""
    return int(block.query.shape[1]) // block.heads


def projections(block: Attention) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights of queries, keys and values, with the norm's scale and the scores' in them; see halves_apart."""
    size = head_size(block)
    query = halves_apart(block.query / np.sqrt(np.float32(size)), size, block)
    scale = block.norm.scale[:, None]
    return query * scale, halves_apart(block.key, size, block) * scale, block.value * scale


def halves_apart(weights: np.ndarray, size: int, block: Attention) -> np.ndarray:
    """Columns of queries or keys with each head's even channels before its odd ones, so that rotated pairs lie in two halves.

    Products of queries and keys don't change: both have the same order.
    """
    if block.frequencies is None:
        return weights
    heads = weights.reshape(len(weights), -1, size)
    return np.concatenate([heads[:, :, 0::2], heads[:, :, 1::2]], axis=2).reshape(len(weights), -1)
