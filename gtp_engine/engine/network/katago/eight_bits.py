"""Convolutions in int8: about twice as fast as float32, also on processors without instructions for them.

Each needs the range of its inputs and outputs: `ranges` float32 [convolutions, 4], in the order of the graph: smallest and largest input,
smallest and largest output, observed in games (calibration.py). The weights have a scale for each channel and use seven of their eight
bits: older processors add pairs of products in 16 bits, which eight would overflow. Sums between blocks, pooling and heads stay in float32.
"""

import numpy as np

from gtp_engine.engine.network.katago.model import Conv, Norm
from gtp_engine.engine.network.katago.onnx_file import OnnxGraph

STEPS = 255  # inputs and outputs are numbers from 0 to 255
WEIGHT_STEPS = 63  # the largest weight
LARGEST_BIAS = 2.0**30  # in steps of a product: sums of products with it fit into 32 bits
NARROWEST = 1e-6  # the smallest range: a channel or layer that is always 0 still needs a scale


def folded(conv: Conv, norm: Norm | None) -> tuple[Conv, np.ndarray | None]:
    """The convolution with the norm's scale in its weights, and the norm's bias."""
    if norm is None:
        return conv, None
    return Conv(conv.weights * norm.scale[:, None, None, None], conv.dilation), norm.bias


def conv_node(graph: OnnxGraph, conv: Conv, inputs: list[str]) -> str:
    """A Conv with padding that keeps the size; `inputs`: value, weights, perhaps a bias."""
    height, width = (conv.dilation[i] * (conv.weights.shape[2 + i] // 2) for i in range(2))
    pads = [height, width, height, width]
    return graph.op("Conv", *inputs, kernel_shape=conv.weights.shape[2:], dilations=conv.dilation, pads=pads)


def plain_conv(graph: OnnxGraph, value: str, conv: Conv, bias: np.ndarray | None) -> str:
    """A convolution in float32."""
    return conv_node(graph, conv, [value, graph.constant(conv.weights)] + ([graph.constant(bias)] if bias is not None else []))


class EightBits:
    """Convolutions in int8, or in float32 if no ranges are known."""

    def __init__(self, ranges: np.ndarray | None) -> None:
        self._ranges, self._count = ranges, 0

    def add(self, graph: OnnxGraph, value: str, conv: Conv, bias: np.ndarray | None) -> str:
        """Add a convolution inside the blocks; returns the name of its output."""
        if self._ranges is None:
            return plain_conv(graph, value, conv, bias)
        least_in, most_in, least_out, most_out = map(float, self._ranges[self._count])
        self._count += 1
        scale, zero = scale_of(least_in, most_in)
        largest = np.maximum(np.abs(conv.weights).max(axis=(1, 2, 3)), NARROWEST)
        if bias is not None:  # if the weights are all about 0, the bias may need larger steps than they do
            largest = np.maximum(largest, np.abs(bias) * WEIGHT_STEPS / (scale * LARGEST_BIAS))
        scales = (largest / WEIGHT_STEPS).astype(np.float32)
        int8_weights = np.round(conv.weights / scales[:, None, None, None]).astype(np.int8)
        inputs = [rounded(graph, value, scale, zero), channels_back(graph, int8_weights, scales)]
        if bias is not None:
            products = scales * scale  # the value of one step of a product
            inputs.append(channels_back(graph, np.round(bias / products).astype(np.int32), products))
        return rounded(graph, conv_node(graph, conv, inputs), *scale_of(least_out, most_out))


def scale_of(least: float, most: float) -> tuple[np.float32, np.uint8]:
    """The value of a step, and the step that stands for 0, for numbers in this range."""
    least, most = min(least, 0.0), max(most, 0.0)
    scale = np.float32(max(most - least, NARROWEST) / STEPS)
    return scale, np.uint8(min(round(-least / float(scale)), STEPS))


def rounded(graph: OnnxGraph, value: str, scale: np.float32, zero: np.uint8) -> str:
    """A value converted to integers and back; onnxruntime joins these steps with the convolutions beside them."""
    form = [graph.typed(np.asarray(scale)), graph.typed(np.asarray(zero))]
    return graph.op("DequantizeLinear", graph.op("QuantizeLinear", value, *form), *form)


def channels_back(graph: OnnxGraph, int8_weights: np.ndarray, scales: np.ndarray) -> str:
    """int8 weights converted back to float32, with a scale for each output channel."""
    zeros = graph.typed(np.zeros(len(int8_weights), int8_weights.dtype))
    return graph.op("DequantizeLinear", graph.typed(int8_weights), graph.typed(scales.astype(np.float32)), zeros, axis=0)


class WatchedConvs:
    """Convolutions in float32 that record the range of their inputs and outputs."""

    def __init__(self) -> None:
        self._ends: list[str] = []  # smallest and largest input, smallest and largest output of each, in turn

    def add(self, graph: OnnxGraph, value: str, conv: Conv, bias: np.ndarray | None) -> str:
        """See EightBits."""
        out = plain_conv(graph, value, conv, bias)
        for watched in (value, out):
            self._ends += [graph.op(reduce, watched, keepdims=0) for reduce in ("ReduceMin", "ReduceMax")]
        return out

    def give_out(self, graph: OnnxGraph) -> None:
        """Add the output `ranges`, [convolutions, 4]."""
        axis = graph.constant([0])
        ends = [graph.op("Unsqueeze", end, axis) for end in self._ends]
        ranges = graph.op("Concat", graph.constant(np.zeros(0)), *ends, axis=0)
        graph.output("ranges", graph.op("Reshape", ranges, graph.constant([-1, 4])), ["convolutions", 4])


InnerConvs = EightBits | WatchedConvs
