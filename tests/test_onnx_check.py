"""What of ONNX a network file may have: what our own files have, and nothing else."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kata_twin import Twin
from networks import save_network
from onnx import TensorProto, helper, numpy_helper
from test_kata_network import KINDS

from gtp_engine.engine.network import onnx_check
from gtp_engine.engine.network.errors import NetworkError, NetworkFileError
from gtp_engine.engine.network.folder import MODELS
from gtp_engine.engine.network.katago.calibration import observe
from gtp_engine.engine.network.katago.eight_bits import EightBits
from gtp_engine.engine.network.katago.graph import Builder, build, build_watched
from gtp_engine.engine.network.katago.reader import read_model
from gtp_engine.engine.network.loading import load_network
from gtp_engine.engine.network.onnx_check import MICROSOFT_OPERATORS, OPERATORS, check_onnx
from gtp_engine.engine.search.params import SearchParams

NAME = Path("net.kata.onnx")


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A network that is as it should be."""
    path = tmp_path_factory.mktemp("networks") / NAME
    save_network(path)
    return path.read_bytes()


def operators_of(content: bytes) -> set[str]:
    return {node.op_type for node in onnx.load_from_string(content).graph.node}


def test_our_own_files_pass_and_use_every_operator_that_is_allowed(content: bytes, tmp_path: Path) -> None:
    files = [content, *(path.read_bytes() for path in MODELS.glob("*.onnx"))]
    for case in KINDS:
        model = read_model(Twin(*cast("tuple[Any, ...]", case.values)).save(tmp_path / "twin"))
        files += [Builder(model, EightBits(ranges)).graph.file({}) for ranges in (None, np.ones((99, 4), np.float32))]
        watched = build_watched(model).file({})
        files += [watched, build(model, observe(watched, model.header, games=((5, 3),))).file({})]
    for file in files:
        check_onnx(NAME, file)
    assert set().union(*map(operators_of, files)) == OPERATORS | MICROSOFT_OPERATORS


def test_the_metadata_are_given_back(content: bytes) -> None:
    (pair,) = [item for item in onnx.load_from_string(content).metadata_props if item.key == "blocks"]
    assert check_onnx(NAME, content)["blocks"] == pair.value == "1"


def loop(model: onnx.ModelProto) -> None:
    """One that goes round 2 ** 62 times."""
    body = helper.make_graph(
        [helper.make_node("Identity", ["condition"], ["again"]), helper.make_node("Identity", ["x"], ["y"])],
        "body",
        [helper.make_tensor_value_info(name, kind, []) for name, kind in (("i", 7), ("condition", 9), ("x", 1))],
        [helper.make_tensor_value_info(name, kind, []) for name, kind in (("again", 9), ("y", 1))],
    )
    model.graph.initializer.append(numpy_helper.from_array(np.array(2**62), "rounds"))
    model.graph.node.append(helper.make_node("Loop", ["rounds", "", "planes"], ["end"], body=body))


def graph_in_an_attribute(model: onnx.ModelProto) -> None:
    model.graph.node[0].attribute.append(helper.make_attribute("then", helper.make_graph([], "inner", [], [])))


def tensor_in_an_attribute(model: onnx.ModelProto) -> None:
    model.graph.node[0].attribute.append(helper.make_attribute("value", numpy_helper.from_array(np.ones(3))))


def external(model: onnx.ModelProto) -> None:
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")


def data_elsewhere(model: onnx.ModelProto) -> None:
    model.graph.initializer[0].data_location = TensorProto.EXTERNAL


def other_domain(model: onnx.ModelProto) -> None:
    model.graph.node[0].domain = "ai.onnx.ml"


def other_operator_of_onnxruntime(model: onnx.ModelProto) -> None:
    model.graph.node[0].domain, model.graph.node[0].op_type = "com.microsoft", "Conv"


def function(model: onnx.ModelProto) -> None:
    nodes = [helper.make_node("Identity", ["x"], ["y"])]
    model.functions.append(helper.make_function("mine", "Relu", ["x"], ["y"], nodes, [helper.make_opsetid("", 17)]))


def sparse(model: onnx.ModelProto) -> None:
    values = numpy_helper.from_array(np.ones(1, np.float32), "values")
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, numpy_helper.from_array(np.array([5]), "at"), [2**40]))


def large_tensor(model: onnx.ModelProto) -> None:
    model.graph.initializer[0].dims[0] = 2**40


def negative_tensor(model: onnx.ModelProto) -> None:
    model.graph.initializer[0].dims[0] = -1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (loop, "it uses 'Loop', which such networks don't use"),
        (graph_in_an_attribute, "its attribute has something that such networks don't have"),
        (tensor_in_an_attribute, "its attribute has something that such networks don't have"),
        (external, "its tensor has something that such networks don't have"),
        (data_elsewhere, "some of its data are in another file"),
        (other_domain, "it uses operators that are neither ONNX's own nor onnxruntime's"),
        (other_operator_of_onnxruntime, "it uses 'Conv', which such networks don't use"),
        (function, "its file has something that such networks don't have"),
        (sparse, "its graph has something that such networks don't have"),
        (large_tensor, "a tensor is larger than its data"),
        (negative_tensor, "a tensor is larger than its data"),
    ],
)
def test_what_our_files_do_not_have_is_refused(
    content: bytes, tmp_path: Path, change: Callable[[onnx.ModelProto], None], reason: str
) -> None:
    model = onnx.load_from_string(content)
    change(model)
    path = tmp_path / NAME
    path.write_bytes(model.SerializeToString())
    with pytest.raises(NetworkError, match=rf"^{path}: expected a network in ONNX form, but {reason}$"):
        load_network(path, SearchParams(threads=1))


def test_a_file_of_countless_parts_is_not_read_to_the_end(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_check, "MOST_FIELDS", 100)
    with pytest.raises(NetworkFileError, match="it has more than 100 parts"):
        check_onnx(NAME, content)


@given(st.data())
def test_whatever_the_file_nothing_else_is_raised(content: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(content)))
    damaged = content[:at] + data.draw(st.binary(max_size=30)) + content[data.draw(st.integers(at, len(content))) :]
    with contextlib.suppress(NetworkFileError):
        check_onnx(NAME, damaged)


def test_a_network_that_wants_too_much_memory_is_refused(content: bytes, tmp_path: Path) -> None:
    """All operators are ours, and each doubles what there is. In a process of its own, for its memory is counted."""
    model = onnx.load_from_string(content)
    name = "planes"
    for i in range(24):
        model.graph.node.append(helper.make_node("Concat", [name, name], [f"double{i}"], axis=1))
        name = f"double{i}"
    model.graph.node.append(helper.make_node("ReduceMax", [name], ["most"], keepdims=0))
    policy = next(node for node in model.graph.node if node.output[0] == "policy")
    policy.output[0] = "small"
    model.graph.node.append(helper.make_node("Add", ["small", "most"], ["policy"]))
    (tmp_path / NAME).write_bytes(model.SerializeToString())
    program = (
        "import json, re, resource\nfrom pathlib import Path\nfrom gtp_engine.engine.network import loading, session\n"
        "from gtp_engine.engine.search.params import SearchParams\n"
        "session.MOST_MEMORY = 100_000_000\n"
        "try:\n    loading.NetworkLoader().evaluator('network', SearchParams(network='net.kata.onnx', threads=1), 9)\n"
        "except session.NetworkError as error:\n"
        "    status = Path('/proc/self/status')  # resource's peak begins with that of the process that started this one\n"
        "    peak = re.search(r'VmHWM:\\s+(\\d+)', status.read_text())[1] if status.exists() else resource.getrusage(0).ru_maxrss\n"
        "    print(json.dumps([str(error), int(peak)]))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    reason, kilobytes = json.loads(done.stdout)
    assert reason.startswith("net.kata.onnx: it cannot be computed on 9x9: ") and "\n" not in reason
    assert kilobytes < 1e6
