"""Transformer blocks with their large matrix products in int8: on 19x19 about 1.25 times as fast as float32.

These are the products for queries and keys, and all of a feed-forward block. The inner channels of a feed-forward block, whose size
differs much from point to point, are normed before they are rounded, and their product is scaled back. Everything else stays in float32:
the products of an attention are small, so that rounding costs more time than it saves, and a small error in the weights of the values is
the same at every point and adds up. Only onnxruntime has the operators. Channels with a large range are scaled down before they are
rounded, and their weights in the next product are scaled up (SmoothQuant, Xiao et al. 2022).
"""

import numpy as np

from gtp_engine.engine.network.katago.model import Attention, FeedForward
from gtp_engine.engine.network.katago.observed import TokenNumbers
from gtp_engine.engine.network.katago.onnx_file import OnnxGraph
from gtp_engine.engine.network.katago.rounding import NARROWEST, round_weights
from gtp_engine.engine.network.katago.transformer import INNER_EPSILON, Transformer, head_size, projections

STEPS = 255  # of a number from 0 to 255
EVENNESS = 0.75  # of the channels' ranges after scaling: 0: unchanged, 1: all equal
SHORTEST = 1e-3  # range of a channel, as a share of the largest: smaller ones count as this

Int8 = tuple[str, str, str]  # a value in int8, its scale and its zero


class Int8Transformer(Transformer):
    """See the module."""

    def __init__(self, graph: OnnxGraph, shape: str, observed: tuple[TokenNumbers, ...]) -> None:
        """`observed`: the outputs of WatchedTransformer, in its order."""
        super().__init__(graph, shape)
        self._batch = graph.op("Slice", shape, *map(graph.constant, ([0], [1])))  # [1]: N
        self._observed = iter(observed)

    def feed_forward(self, value: str, block: FeedForward) -> str:
        """See Transformer."""
        graph, observed, inner_seen = self.graph, next(self._observed), next(self._observed)
        evened, factors = even_factors(observed.reach), even_factors(inner_seen.reach)
        observed, inner_seen, scale = observed.divided(evened), inner_seen.divided(factors), (block.norm.scale * evened)[:, None]
        quantized = self._rounded(self._normed(value, block.norm.epsilon, evened)[0], observed)
        first, gate = (self._product(quantized, weights * scale, observed) for weights in (block.first, block.gate))
        inner = graph.op("Mul", graph.microsoft("QuickGelu", first, alpha=1.0), gate)
        inner, inverse = self._normed(inner, INNER_EPSILON, factors)
        last = self._product(self._rounded(inner, inner_seen), block.last * factors[:, None], inner_seen)
        return graph.op("Add", value, graph.op("Div", last, inverse))

    def attention(self, value: str, block: Attention) -> str:
        """See Transformer."""
        graph, size, observed = self.graph, head_size(block), next(self._observed)
        evened = even_factors(observed.reach)
        observed = observed.divided(evened)
        query_weights, key_weights, value_weights = (weights * evened[:, None] for weights in projections(block))
        normed = graph.op("Unsqueeze", self._normed(value, block.norm.epsilon, evened)[0], graph.constant([1]))  # the same for all heads
        weights = np.concatenate([query_weights, key_weights], axis=1)
        turned = self._queries_and_keys(self._rounded(normed, observed), weights, observed, block)
        queries, keys = graph.apply("Split", [turned, graph.constant([block.heads, block.key_heads])], 2, axis=1)
        scores = graph.op("MatMul", self._grouped(queries, block, size), graph.op("Transpose", keys, perm=[0, 1, 3, 2]))
        values = graph.op("MatMul", normed, graph.constant(by_head(value_weights, block.key_heads)))
        return self._attended(value, scores, values, block)

    def _queries_and_keys(self, quantized: Int8, weights: np.ndarray, observed: TokenNumbers, block: Attention) -> str:
        """[N, heads + key_heads, H * W, size]: the product with both, turned."""
        graph, heads, size = self.graph, block.heads + block.key_heads, head_size(block)
        rounded, scales = round_weights(weights, observed.products)
        inputs = quantized[0], by_head(rounded, heads), by_head(scales[None], heads)
        zeros = graph.typed(np.zeros(inputs[2].shape, np.int8))
        projected = graph.microsoft(
            "MatMulIntegerToFloat", inputs[0], graph.typed(inputs[1]), quantized[1], graph.typed(inputs[2]), quantized[2], zeros
        )
        if block.frequencies is None:
            return projected
        flat = graph.op("Reshape", projected, graph.op("Concat", graph.constant([-1]), self._points, graph.constant([size]), axis=0))
        cos, sin = (graph.op("Reshape", wave, graph.constant([-1, size // 2])) for wave in self._waves(block.frequencies))
        places = graph.op("Tile", self._places(block), graph.op("Concat", self._batch, graph.constant([1]), axis=0))
        turned = graph.microsoft("RotaryEmbedding", flat, places, cos, sin, num_heads=1)
        return graph.op("Reshape", turned, graph.op("Concat", graph.constant([-1, heads]), self._points, graph.constant([size]), axis=0))

    def _places(self, block: Attention) -> str:
        """[heads + key_heads, H * W]: for each head and point, the index in a list of the key heads' angles, point after point."""
        graph = self.graph
        key_heads = np.arange(block.key_heads)
        heads = np.concatenate([np.repeat(key_heads, block.heads // block.key_heads), key_heads])
        steps = graph.op("Range", graph.constant(np.array(0)), graph.op("Squeeze", self._points), graph.constant(np.array(1)))
        return graph.op("Add", graph.op("Mul", graph.constant(heads[:, None]), self._points), steps)

    def _normed(self, value: str, epsilon: float, factors: np.ndarray) -> tuple[str, str]:
        """x / size over the channels, divided by their factors; and 1 / size [N, H * W, 1], where size = sqrt(mean(x * x) + epsilon)."""
        inputs = [value, self.graph.constant(1.0 / factors)]
        normed, inverse = self.graph.apply("SimplifiedLayerNormalization", inputs, 2, axis=-1, epsilon=epsilon, stash_type=1)
        return normed, inverse

    def _rounded(self, value: str, observed: TokenNumbers) -> Int8:
        """A value from 0 to 255."""
        least, most = min(float(observed.least.min()), 0.0), max(float(observed.most.max()), 0.0)
        scale = max(most - least, NARROWEST) / STEPS
        form = np.asarray(np.float32(scale)), np.asarray(np.uint8(min(round(-least / scale), STEPS)))
        names = self.graph.typed(form[0]), self.graph.typed(form[1])
        return self.graph.op("QuantizeLinear", value, *names), *names

    def _product(self, quantized: Int8, weights: np.ndarray, observed: TokenNumbers) -> str:
        """A product with a matrix, corrected by the average error of its rounded weights."""
        graph = self.graph
        rounded, scales = round_weights(weights, observed.products)
        bias = (observed.mean @ (weights - rounded * scales)).astype(np.float32)
        zeros = np.zeros(len(scales), np.int8)
        inputs = graph.typed(rounded), quantized[1], graph.typed(scales), quantized[2], graph.typed(zeros), graph.typed(bias)
        return graph.microsoft("MatMulIntegerToFloat", quantized[0], *inputs)


def by_head(weights: np.ndarray, heads: int) -> np.ndarray:
    """[K, heads * size] -> [heads, K, size]."""
    return np.ascontiguousarray(weights.reshape(len(weights), heads, -1).swapaxes(0, 1))


def even_factors(reach: np.ndarray) -> np.ndarray:
    """The divisors of channels with these ranges; positive, 1 on average."""
    factors = np.maximum(reach, max(float(reach.max()) * SHORTEST, NARROWEST)) ** EVENNESS
    return np.asarray(factors / np.exp(np.log(factors).mean()))
