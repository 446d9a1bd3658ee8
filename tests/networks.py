"""Small networks with random weights, in the form that the engine plays with: for tests, which need the form and not the strength."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from gtp_engine.engine.network.features import FEATURES_VERSION, OPPONENT, OWN, PLANES
from gtp_engine.engine.network.model_file import Description
from gtp_engine.engine.network.rank_input import RANK_INPUTS

OPSET, IR_VERSION = 17, 8
PASS_LOGIT = -8.0  # added to the pass's: a network that knows nothing would pass all the time


class Graph:
    """Collects the nodes and weights of an ONNX graph; each method adds a layer and gives back the name of what it computes."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def weight(self, values: np.ndarray) -> str:
        """A constant."""
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def add(self, kind: str, inputs: list[str], output: str = "", **attributes: object) -> str:
        """A node of one output."""
        name = output or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def convolution(self, source: str, channels: int, filters: int, width: int) -> str:
        """A convolution that keeps the board's size."""
        scale = (2.0 / (channels * width * width)) ** 0.5
        kernel = self.weight(self.random.normal(0.0, scale, (filters, channels, width, width)).astype(np.float32))
        return self.add("Conv", [source, kernel], pads=[width // 2] * 4)

    def dense(self, source: str, inputs: int, outputs: int, output: str = "") -> str:
        """A linear layer."""
        matrix = self.weight(self.random.normal(0.0, inputs**-0.5, (inputs, outputs)).astype(np.float32))
        return self.add("MatMul", [source, matrix], output)

    def pooled(self, source: str) -> str:
        """The mean of each plane, [B, C]."""
        return self.add("Flatten", [self.add("GlobalAveragePool", [source])])

    def scalar(self, source: str, inputs: int, output: str) -> str:
        """One number a position, [B]."""
        axes = self.weight(np.array([1], np.int64))
        return self.add("Squeeze", [self.dense(source, inputs, 1), axes], output)


def save_network(
    path: Path, planes: int = PLANES, blocks: int = 1, channels: int = 8, seed: int = 1, owners: bool = False, knows_ranks: bool = True
) -> None:
    """Write a residual network of the agreed inputs, outputs and metadata with random weights to `path`.

    With `knows_ranks` it is told ranks, but they change nothing. With `owners` it says that each stone's point is its color's at the end,
    and an empty one nobody's.
    """
    graph = Graph(seed)
    trunk = graph.add("Relu", [graph.convolution("planes", planes, channels, 3)])
    for _ in range(blocks):
        inner = graph.add("Relu", [graph.convolution(trunk, channels, channels, 3)])
        trunk = graph.add("Relu", [graph.add("Add", [graph.convolution(inner, channels, channels, 3), trunk])])
    pooled = graph.pooled(trunk)
    if knows_ranks:
        nothing = graph.add("MatMul", ["ranks", graph.weight(np.zeros((RANK_INPUTS, channels), np.float32))])
        pooled = graph.add("Add", [pooled, nothing])
    moves = graph.add("Flatten", [graph.convolution(trunk, channels, 1, 1)])
    passing = graph.add("Add", [graph.dense(pooled, channels, 1), graph.weight(np.array([[PASS_LOGIT]], np.float32))])
    graph.add("Concat", [moves, passing], "policy", axis=1)
    graph.scalar(pooled, channels, "value")
    graph.scalar(pooled, channels, "score")
    inputs = [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["B", planes, "S", "S"])]
    if knows_ranks:
        inputs.append(helper.make_tensor_value_info("ranks", TensorProto.FLOAT, ["B", RANK_INPUTS]))
    shapes: dict[str, list[str]] = {"policy": ["B", "moves"], "value": ["B"], "score": ["B"]}
    if owners:
        shapes["owners"] = ["B", "points"]
        own, other = (graph.add("Gather", ["planes", graph.weight(np.array([plane], np.int64))], axis=1) for plane in (OWN, OPPONENT))
        graph.add("Flatten", [graph.add("Sub", [own, other])], "owners")
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "network", inputs, outputs, graph.weights),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
    )
    description = Description(FEATURES_VERSION, planes, blocks, channels, 0, 0, "none: random weights", 0.0, 0.0, int(knows_ranks))
    helper.set_model_props(model, description.as_metadata())
    onnx.save(model, str(path))
