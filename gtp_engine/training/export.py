"""Between torch and ONNX: a trained network as the file that plays, and that file as a network to train on.

Weights keep torch's names in the file, so nothing is lost on the way but the optimizer's state.
"""

import copy
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from gtp_engine.files import write_whole
from gtp_engine.network.features import MOVE_MODEL, PLANES, PLAYOUT_LEAD, PLAYOUT_OWNERS, PLAYOUT_WINS
from gtp_engine.network.model_file import INPUT, OUTPUTS, OWNERS_OUTPUT, RANKS_INPUT, Description, NetworkFileError, describe
from gtp_engine.network.rank_input import RANK_INPUTS
from gtp_engine.training import TrainingError
from gtp_engine.training.model import SCORE_SCALE, Network, Size

OPSET, IR_VERSION = 17, 8  # of 2022: every onnxruntime in use reads them
CHECKED_SIZES = (5, 9, 19)  # boards on which both forms must agree
NEWER = ("heads.owners.weight", "heads.owners.bias", "heads.owners_trust")  # weights that files made before version 0.3 don't have
LARGEST_DIFFERENCE = 1e-3  # relative to the largest output; float32 sums in another order differ by about 1e-5


class Graph:
    """An ONNX graph in the making; each method adds a layer and gives back the name of its output."""

    def __init__(self, network: Network) -> None:
        weights = {name: value.detach().cpu().contiguous().numpy() for name, value in network.state_dict().items()}
        self.weights = [numpy_helper.from_array(array, name) for name, array in weights.items()]
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

    def pool(self, source: str) -> str:
        """model.pool"""
        both = self.add("Concat", self.add("GlobalAveragePool", source), self.add("GlobalMaxPool", source), axis=1)
        return self.add("Log", self.add("Add", self.add("Flatten", both), "one"))

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
        self.owners(judged)
        points = self.add("Gather", self.convolution("heads.points", self.add("Relu", moves), 1), "first", axis=1)
        trust = self.add("Gather", "heads.trust", "first", axis=1)
        guess = self.add("Mul", self.add("Gather", INPUT, "move_model", axis=1), trust)
        passes = self.linear("heads.passes", pooled)
        board = self.add("Flatten", self.add("Add", points, guess))
        self.add("Concat", board, self.add("Gather", passes, "first", axis=1), axis=1, output=OUTPUTS[0])
        survey = self.add("Flatten", self.add("GlobalAveragePool", self.add("Gather", INPUT, "survey_planes", axis=1)))
        survey = self.add("Gemm", survey, "heads.survey.weight", transB=1)
        results = self.add("Add", self.linear("heads.results", self.add("Relu", self.linear("heads.hidden", pooled))), survey)
        self.add("Gather", results, "value_index", axis=1, output=OUTPUTS[1])
        self.add("Mul", self.add("Gather", results, "score_index", axis=1), "score_scale", output=OUTPUTS[2])

    def owners(self, judged: str) -> None:
        """The owners' part of model.Heads: of its logits the difference of both sides' chances, -1 .. 1."""
        playouts = self.add("Mul", self.add("Gather", INPUT, "owners_plane", axis=1), "heads.owners_trust")
        logits = self.add("Add", self.convolution("heads.owners", judged, 1), playouts)
        self.add("Tanh", self.add("Mul", self.add("Flatten", logits), "half"), output=OWNERS_OUTPUT)


def to_model(network: Network, description: Description) -> onnx.ModelProto:
    """The network as an ONNX model."""
    graph = Graph(network)
    graph.constant("one", np.array(1.0, np.float32))
    graph.constant("board_axes", np.array([2, 3], np.int64))
    graph.constant("first", np.array([0], np.int64))
    graph.constant("move_model", np.array([MOVE_MODEL], np.int64))
    graph.constant("survey_planes", np.array([PLAYOUT_WINS, PLAYOUT_LEAD], np.int64))
    graph.constant("value_index", np.array(0, np.int64))
    graph.constant("score_index", np.array(1, np.int64))
    graph.constant("score_scale", np.array(SCORE_SCALE, np.float32))
    graph.constant("owners_plane", np.array([PLAYOUT_OWNERS], np.int64))
    graph.constant("half", np.array(0.5, np.float32))
    stem = graph.convolution("stem", INPUT, 3)
    if network.size.ranks:
        hidden = graph.add("Relu", graph.linear("rank_bias.hidden", RANKS_INPUT))
        stem = graph.add_bias(stem, graph.linear("rank_bias.bias", hidden))
    trunk = graph.add("Relu", stem)
    for i in range(network.size.blocks):
        trunk = graph.block(f"blocks.{i}", trunk, network.pools(i))
    graph.heads(trunk)
    inputs = [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["B", PLANES, "S", "S"])]
    if network.size.ranks:
        inputs.append(helper.make_tensor_value_info(RANKS_INPUT, TensorProto.FLOAT, ["B", RANK_INPUTS]))
    shapes = {OUTPUTS[0]: ["B", "moves"], OUTPUTS[1]: ["B"], OUTPUTS[2]: ["B"], OWNERS_OUTPUT: ["B", "points"]}
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "network", inputs, outputs, graph.weights),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
    )
    helper.set_model_props(model, description.as_metadata())
    return model


def export(network: Network, description: Description, path: Path) -> float:
    """Write the network to `path` if onnxruntime computes the same as torch; gives back the largest difference found, relative.

    Raises TrainingError when they differ, OSError when the file can't be written; the file is then as it was.
    """
    model = to_model(network, description)
    onnx.checker.check_model(model)
    difference = largest_difference(copy.deepcopy(network).cpu(), model)  # a graphics card may multiply with fewer digits
    if not difference < LARGEST_DIFFERENCE:
        raise TrainingError(f"{path} was not written: torch and onnxruntime differ by {difference:.2g} of the largest output")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, lambda unfinished: onnx.save(model, str(unfinished)))
    return difference


def largest_difference(network: Network, model: onnx.ModelProto) -> float:
    """Between torch's outputs, on the CPU, and onnxruntime's for random planes on several boards, relative to the largest output."""
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    random = np.random.default_rng(1)
    worst = 0.0
    for size in CHECKED_SIZES:
        planes = random.random((3, PLANES, size, size), np.float32)
        ranks = random.random((3, RANK_INPUTS), np.float32)
        with torch.no_grad():
            policy, value, score, _, owners = network(torch.from_numpy(planes), torch.from_numpy(ranks))
        expected = [output.numpy() for output in (policy, value, score, torch.tanh(owners / 2))]
        inputs = {INPUT: planes, RANKS_INPUT: ranks} if network.size.ranks else {INPUT: planes}
        for ours, theirs in zip(session.run([*OUTPUTS, OWNERS_OUTPUT], inputs), expected, strict=True):
            worst = max(worst, float(np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1.0)))
    return worst


def load_network(path: Path) -> tuple[Network, Description]:
    """The network in an exported file, to train on or to evaluate; heads that it hasn't begin anew.

    Raises TrainingError when the file is of another form.
    """
    try:
        model = onnx.load(str(path))
    except Exception as error:  # onnx and protobuf raise what they like
        raise TrainingError(f"{path}: expected a network in ONNX form, but the file is missing, truncated or something else") from error
    try:
        description = describe(path, {item.key: item.value for item in model.metadata_props})
    except NetworkFileError as error:
        raise TrainingError(str(error)) from error
    network = Network(Size(description.blocks, description.channels, bool(description.ranks)))
    fresh = network.state_dict()
    weights = {item.name: torch.from_numpy(numpy_helper.to_array(item).copy()) for item in model.graph.initializer}
    try:
        network.load_state_dict({name: weights.get(name, value) if name in NEWER else weights[name] for name, value in fresh.items()})
    except (KeyError, RuntimeError) as error:
        raise TrainingError(f"{path}: expected the weights of a {network.size} network of gtp-engine train, found others") from error
    return network, description
