"""Transformer blocks with matrix products in int8: two to three times as fast as float32.

The sums between blocks, norms, softmax, its weighted sum, and the values stay in float32: a small error in their weights is the same at
every point and adds up. Only onnxruntime has the operators. Channels with a large range are scaled down before they are rounded, and their
weights in the next product are scaled up (SmoothQuant, Xiao et al. 2022). This is done for the input of a block, for the inner channels of
a feed-forward block, and for queries and keys against each other. The common part of all keys is subtracted, which doesn't change the
softmax.
"""

import numpy as np

from gtp_engine.engine.network.katago.model import Attention, FeedForward, RmsNorm
from gtp_engine.engine.network.katago.observed import TokenNumbers
from gtp_engine.engine.network.katago.onnx_file import OnnxGraph
from gtp_engine.engine.network.katago.rounding import NARROWEST, round_weights
from gtp_engine.engine.network.katago.transformer import Transformer, head_size, projections

STEPS = 255  # of a number from 0 to 255
HALF_STEPS = 127  # of one from -127 to 127
EVENNESS = 0.75  # of the channels' ranges after scaling: 0: unchanged, 1: all equal
SHORTEST = 1e-3  # range of a channel, as a share of the largest: smaller ones count as this

Int8 = tuple[str, str, str]  # a value in int8, its scale and its zero


class Int8Transformer(Transformer):
    """See the module."""

    def __init__(self, graph: OnnxGraph, lines: str, observed: tuple[TokenNumbers, ...]) -> None:
        """`observed`: the outputs of WatchedTransformer, in its order."""
        super().__init__(graph, lines)
        self._observed = iter(observed)

    def feed_forward(self, value: str, block: FeedForward) -> str:
        """See Transformer."""
        graph, observed, inner = self.graph, next(self._observed), next(self._observed)
        evened, factors = even_factors(observed.reach), even_factors(inner.reach)
        observed, scale = observed.divided(evened), (block.norm.scale * evened)[:, None]
        quantized = self._rounded(self._normed(value, block.norm, evened), observed)
        first = self._product(quantized, block.first * scale, observed)
        gate = self._product(quantized, block.gate * scale / factors, observed)
        mixed = graph.op("Mul", graph.microsoft("QuickGelu", first, alpha=1.0), gate)
        inner = inner.divided(factors)
        return graph.op("Add", value, self._product(self._rounded(mixed, inner), block.last * factors[:, None], inner))

    def attention(self, value: str, block: Attention) -> str:
        """See Transformer."""
        graph, size = self.graph, head_size(block)
        observed, queries_seen, keys_seen, self._mixed_seen = (next(self._observed) for _ in range(4))
        evened = even_factors(observed.reach)
        observed = observed.divided(evened)
        query_weights, key_weights, value_weights = (weights * evened[:, None] for weights in projections(block))
        factors = key_factors(queries_seen, keys_seen, block)
        of_queries = np.repeat(factors, block.heads // block.key_heads, axis=0).reshape(-1)
        factors = factors.reshape(-1)
        normed = self._normed(value, block.norm, evened)
        weights = np.concatenate([query_weights * of_queries, key_weights / factors], axis=1)
        turned = self._queries_and_keys(self._rounded(normed, observed), weights, observed, block)
        queries, keys = graph.apply("Split", [turned, graph.constant([block.heads, block.key_heads])], 2, axis=1)
        queries = self._grouped(queries, block, size)
        scores = self._scores(queries, keys, queries_seen.divided(1.0 / of_queries), keys_seen.divided(factors), block)
        values = graph.op("MatMul", self._for_heads(normed), graph.constant(by_head(value_weights, block.key_heads)))
        return self._attended(value, scores, values, block)

    def _queries_and_keys(self, quantized: Int8, weights: np.ndarray, observed: TokenNumbers, block: Attention) -> str:
        """[N, heads + key_heads, H * W, size]: the product with both, turned."""
        graph, heads, size = self.graph, block.heads + block.key_heads, head_size(block)
        rounded, scales = round_weights(weights, observed.products)
        inputs = self._for_heads(quantized[0]), by_head(rounded, heads), by_head(scales[None], heads)
        zeros = graph.typed(np.zeros(inputs[2].shape, np.int8))
        projected = graph.microsoft(
            "MatMulIntegerToFloat", inputs[0], graph.typed(inputs[1]), quantized[1], graph.typed(inputs[2]), quantized[2], zeros
        )
        if block.frequencies is None:
            return projected
        flat = graph.op("Reshape", projected, graph.op("Concat", graph.constant([-1]), self._points, graph.constant([size]), axis=0))
        cos, sin = (graph.op("Reshape", wave, graph.constant([-1, size // 2])) for wave in self._waves(block.frequencies))
        batch = graph.op("Slice", graph.op("Shape", projected), *map(graph.constant, ([0], [1])))
        places = graph.op("Tile", self._places(block), graph.op("Concat", batch, graph.constant([1]), axis=0))
        turned = graph.microsoft("RotaryEmbedding", flat, places, cos, sin, num_heads=1)
        return graph.op("Reshape", turned, graph.op("Concat", graph.constant([-1, heads]), self._points, graph.constant([size]), axis=0))

    def _places(self, block: Attention) -> str:
        """[heads + key_heads, H * W]: for each head and point, the index in a list of the key heads' angles, point after point."""
        graph = self.graph
        key_heads = np.arange(block.key_heads)
        heads = np.concatenate([np.repeat(key_heads, block.heads // block.key_heads), key_heads])
        steps = graph.op("Range", graph.constant(np.array(0)), graph.op("Squeeze", self._points), graph.constant(np.array(1)))
        return graph.op("Add", graph.op("Mul", graph.constant(heads[:, None]), self._points), steps)

    def _scores(self, queries: str, keys: str, queries_seen: TokenNumbers, keys_seen: TokenNumbers, block: Attention) -> str:
        """[N, key_heads, queries, H * W]."""
        graph = self.graph
        middle = ((keys_seen.least + keys_seen.most) / 2).reshape(block.key_heads, -1, 1)
        keys = graph.op("Sub", graph.op("Transpose", keys, perm=[0, 1, 3, 2]), graph.constant(middle))
        reach = float((keys_seen.most - keys_seen.least).max()) / 2
        form = graph.typed(np.asarray(np.float32(max(reach, NARROWEST) / HALF_STEPS))), graph.typed(np.asarray(np.int8(0)))
        quantized = self._rounded(queries, queries_seen)
        return graph.microsoft(
            "MatMulIntegerToFloat", quantized[0], graph.op("QuantizeLinear", keys, *form), quantized[1], form[0], quantized[2], form[1]
        )

    def _mixed_out(self, mixed: str, weights: np.ndarray) -> str:
        """See Transformer."""
        return self._product(self._rounded(mixed, self._mixed_seen), weights, self._mixed_seen)

    def _normed(self, value: str, norm: RmsNorm, factors: np.ndarray) -> str:
        """x / sqrt(mean(x * x) + epsilon) over the channels, divided by their factors; the norm's scale is in the weights."""
        scale = self.graph.constant(1.0 / factors)
        return self.graph.op("SimplifiedLayerNormalization", value, scale, axis=-1, epsilon=norm.epsilon, stash_type=1)

    def _for_heads(self, value: str) -> str:
        """[N, 1, L, C]: the input of a product with a matrix for each head."""
        return self.graph.op("Unsqueeze", value, self.graph.constant([1]))

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


def key_factors(queries: TokenNumbers, keys: TokenNumbers, block: Attention) -> np.ndarray:
    """[key_heads, size]: divisors of keys and factors of queries that give both the same range in each channel.

    Channels that are rotated together have the same factor.
    """
    size = head_size(block)
    reaches = [queries.reach.reshape(block.key_heads, -1, size).max(axis=1), ((keys.most - keys.least) / 2).reshape(-1, size)]
    if block.frequencies is not None:
        reaches = [np.tile(reach.reshape(len(reach), 2, -1).max(axis=1), 2) for reach in reaches]
    factors = np.sqrt(np.maximum(reaches[1], NARROWEST) / np.maximum(reaches[0], NARROWEST))
    return np.asarray(factors / np.exp(np.log(factors).mean()))
