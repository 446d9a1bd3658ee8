"""A network as an ONNX graph, in two forms: one that training can go on from, and one that is only asked.

Both compute the same. The first has all weights by torch's names. The second leaves out what only training needs (the reply to the move),
and has its constant factors multiplied into the weights: on a small board a tenth of a network's time goes to such small steps.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from gtp_engine.base.files import read_file
from gtp_engine.engine.network.features import MOVE_MODEL, PLANES, PLAYOUT_LEAD, PLAYOUT_OWNERS, PLAYOUT_WINS
from gtp_engine.engine.network.model_file import INPUT, OUTPUTS, OWNERS_OUTPUT, RANKS_INPUT, Description, NetworkFileError, describe
from gtp_engine.engine.network.onnx_check import check_onnx
from gtp_engine.engine.network.rank_input import RANK_INPUTS
from gtp_engine.engine.network.session import LARGEST_FILE
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.ranks.layout import SCORE_SCALE, pools

OPSET, IR_VERSION = 17, 8  # of 2022: every onnxruntime in use reads them
OWNERS_WEIGHTS = {"heads.owners.weight", "heads.owners.bias", "heads.owners_trust"}  # networks made before version 0.3 don't have them
RESULTS_BIAS = "heads.results.bias"  # begins with those of value and score; in the form that is only asked, the score's is in points


def read_weights(path: Path) -> tuple[dict[str, np.ndarray], Description]:
    """The weights in an exported file, by torch's names, which have a dot, and what the file says of itself. Raises TrainingError."""
    try:
        content = read_file(path, LARGEST_FILE)
        check_onnx(path, content)
        model = onnx.load_from_string(content)
        description = describe(path, {item.key: item.value for item in model.metadata_props})
    except OSError as error:
        raise TrainingError(f"{path}: expected a network in ONNX form: {error.strerror}") from error
    except NetworkFileError as error:
        raise TrainingError(str(error)) from error
    except Exception as error:  # protobuf raises what it likes
        raise TrainingError(f"{path}: expected a network in ONNX form, but the file is truncated or something else") from error
    return {item.name: numpy_helper.to_array(item) for item in model.graph.initializer if "." in item.name}, description


def weights_for_asking(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The weights of the form that is only asked, from those by torch's names: without the reply, constant factors multiplied in.

    Beside value and score stands a 0 that nobody reads: onnxruntime takes two numbers apart in three steps, and picks two of three in two.
    """
    result = dict(weights)
    for name in ("heads.points.weight", "heads.points.bias", "heads.passes.weight", "heads.passes.bias"):
        result[name] = weights[name][:1]  # the move's; the second is the reply's
    result["heads.trust"] = weights["heads.trust"][:, :1]
    for name in ("heads.results.weight", RESULTS_BIAS, "heads.survey.weight"):
        value, score = weights[name]
        result[name] = np.stack((value, score * np.float32(SCORE_SCALE), np.zeros_like(value)))
    for name in OWNERS_WEIGHTS & weights.keys():
        result[name] = weights[name] * np.float32(0.5)
    return result


class Graph:
    """An ONNX graph in the making; each method adds a layer and gives back the name of its output."""

    def __init__(self, weights: dict[str, np.ndarray], is_trainable: bool) -> None:
        self.is_trainable = is_trainable
        self.names_owners = weights.keys() >= OWNERS_WEIGHTS
        self.weights = [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in weights.items()]
        self.nodes: list[onnx.NodeProto] = []

    def constant(self, name: str, array: np.ndarray) -> str:
        """A constant."""
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: int | list[int]) -> str:
        """A node of one output."""
        name = output or f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def convolution(self, layer: str, source: str, width: int) -> str:
        """A convolution that keeps the board's size."""
        return self.add("Conv", source, f"{layer}.weight", f"{layer}.bias", pads=[width // 2] * 4, kernel_shape=[width, width])

    def linear(self, layer: str, source: str) -> str:
        """A linear layer of [B, .]."""
        return self.add("Gemm", source, f"{layer}.weight", f"{layer}.bias", transB=1)

    def over_board(self, kind: str, source: str) -> str:
        """[B, C] of [B, C, S, S]. GlobalAveragePool and GlobalMaxPool say the same, but took onnxruntime 3 % more of a network's time."""
        return self.add(kind, source, axes=[2, 3], keepdims=0)

    def pool(self, source: str) -> str:
        """model.pool"""
        both = self.add("Concat", self.over_board("ReduceMean", source), self.over_board("ReduceMax", source), axis=1)
        return self.add("Log", self.add("Add", both, "one"))

    def add_bias(self, source: str, bias: str) -> str:
        """[B, C, S, S] plus [B, C]."""
        return self.add("Add", source, self.add("Unsqueeze", bias, "board_axes"))

    def block(self, name: str, source: str, pooling: bool) -> str:
        """model.Block"""
        inner = self.add("Relu", self.convolution(f"{name}.first", source, 3))
        if pooling:
            inner = self.add_bias(inner, self.linear(f"{name}.bias", self.pool(inner)))
        return self.add("Relu", self.add("Add", self.convolution(f"{name}.second", inner, 3), source))

    def heads(self, trunk: str) -> None:
        """model.Heads without the reply."""
        judged = self.add("Relu", self.convolution("heads.value", trunk, 1))
        pooled = self.pool(judged)
        moves = self.add_bias(self.convolution("heads.policy", trunk, 1), self.linear("heads.policy_bias", pooled))
        if self.names_owners:
            self.owners(judged)
        points = self.first(self.convolution("heads.points", self.add("Relu", moves), 1))
        guess = self.add("Mul", self.add("Gather", INPUT, "move_model", axis=1), self.first("heads.trust"))
        board = self.add("Flatten", self.add("Add", points, guess))
        self.add("Concat", board, self.first(self.linear("heads.passes", pooled)), axis=1, output=OUTPUTS[0])
        survey = self.over_board("ReduceMean", self.add("Gather", INPUT, "survey_planes", axis=1))
        survey = self.add("Gemm", survey, "heads.survey.weight", RESULTS_BIAS, transB=1)
        hidden = self.add("Relu", self.linear("heads.hidden", pooled))
        results = self.add("Gemm", hidden, "heads.results.weight", survey, transB=1)
        self.add("Gather", results, "value_index", axis=1, output=OUTPUTS[1])
        self.add("Gather", self.scaled(results, "score_scale"), "score_index", axis=1, output=OUTPUTS[2])

    def owners(self, judged: str) -> None:
        """The owners' part of model.Heads: of its logits the difference of both sides' chances, -1 .. 1."""
        playouts = self.add("Mul", self.add("Gather", INPUT, "owners_plane", axis=1), "heads.owners_trust")
        logits = self.add("Add", self.convolution("heads.owners", judged, 1), playouts)
        self.add("Tanh", self.scaled(self.add("Flatten", logits), "half"), output=OWNERS_OUTPUT)

    def first(self, source: str) -> str:
        """Of what is said of the move and of the reply to it, [B, 2, ...], the move's part."""
        return self.add("Gather", source, "first", axis=1) if self.is_trainable else source

    def scaled(self, source: str, factor: str) -> str:
        """Times a constant, which is in the weights of the form that is only asked."""
        return self.add("Mul", source, factor) if self.is_trainable else source


def to_model(weights: dict[str, np.ndarray], description: Description, is_trainable: bool = True) -> onnx.ModelProto:
    """The network with these `weights`, by torch's names, in the form that training can go on from, or the one that is only asked.

    Raises TrainingError when a weight is missing.
    """
    try:
        used = weights if is_trainable else weights_for_asking(weights)
    except (KeyError, ValueError) as error:  # ValueError: of another shape, as in a file in 8 bits
        raise wrong_weights(description) from error
    graph = Graph(used, is_trainable)
    add_constants(graph)
    hidden = graph.add("Relu", graph.linear("rank_bias.hidden", RANKS_INPUT))
    stem = graph.add_bias(graph.convolution("stem", INPUT, 3), graph.linear("rank_bias.bias", hidden))
    trunk = graph.add("Relu", stem)
    for i in range(description.blocks):
        trunk = graph.block(f"blocks.{i}", trunk, pools(i))
    graph.heads(trunk)
    inputs = [
        helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["B", PLANES, "S", "S"]),
        helper.make_tensor_value_info(RANKS_INPUT, TensorProto.FLOAT, ["B", RANK_INPUTS]),
    ]
    shapes = {OUTPUTS[0]: ["B", "moves"], OUTPUTS[1]: ["B"], OUTPUTS[2]: ["B"]}
    if graph.names_owners:
        shapes[OWNERS_OUTPUT] = ["B", "points"]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    known = {item.name for item in (*inputs, *graph.weights)} | {name for node in graph.nodes for name in node.output}
    if not all(name in known for node in graph.nodes for name in node.input):
        raise wrong_weights(description)
    model = helper.make_model(
        helper.make_graph(graph.nodes, "network", inputs, outputs, graph.weights),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
    )
    helper.set_model_props(model, description.as_metadata())
    return model


def add_constants(graph: Graph) -> None:
    """What the nodes of every network name."""
    graph.constant("one", np.array(1.0, np.float32))
    graph.constant("board_axes", np.array([2, 3], np.int64))
    graph.constant("move_model", np.array([MOVE_MODEL], np.int64))
    graph.constant("survey_planes", np.array([PLAYOUT_WINS, PLAYOUT_LEAD], np.int64))
    graph.constant("value_index", np.array(0, np.int64))
    graph.constant("score_index", np.array(1, np.int64))
    if graph.names_owners:
        graph.constant("owners_plane", np.array([PLAYOUT_OWNERS], np.int64))
    if graph.is_trainable:
        graph.constant("first", np.array([0], np.int64))
        graph.constant("score_scale", np.array(SCORE_SCALE, np.float32))
        graph.constant("half", np.array(0.5, np.float32))


def wrong_weights(description: Description) -> TrainingError:
    """What to raise for a network of another kind."""
    size = f"{description.blocks}x{description.channels}"
    return TrainingError(f"expected the weights of a {size} network of gtp-engine train, found others")
