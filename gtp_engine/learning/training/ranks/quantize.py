"""From a network in float32 to one whose convolutions compute in int8: twice as fast, nearly as good.

Each channel's weights get a scale of their own, each layer's activations one for all, from the range that they take in sample positions
(onnxruntime.quantization, https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html). Weights use seven of their eight
bits: older processors add pairs of products in 16 bits, which eight would overflow.

Rounding moves the mean of what a layer says. At the end that can make the network think every position worse for the side to move (by 0.42
in the logarithm of the odds, once), so what value and score have lost on average is added again: Nagel et al. 2019, "Data-Free Quantization
through Weight Equalization and Bias Correction".
"""

import contextlib
import logging
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnx
from onnx import external_data_helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from gtp_engine.base.files import write_whole
from gtp_engine.engine.network.model_file import INPUT, RANKS_INPUT
from gtp_engine.engine.network.rank_input import rank_input
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.ranks.accuracy import Accuracy, Predict, judge, open_exported
from gtp_engine.learning.training.ranks.graph import RESULTS_BIAS, read_weights, to_model
from gtp_engine.learning.training.ranks.sampler import Batch, Sampler
from gtp_engine.learning.training.records import Records

QUANTIZED = ["Conv", "Relu", "Add"]  # the small layers after the pooling stay in float32, and the last convolution: see write_quantized
OWNERS, ONE = "heads.owners.weight", "one"  # what nodes that stay in float32 read, see write_quantized
ROUNDED_PLANES = f"{INPUT}_DequantizeLinear_Output"
CALIBRATION_BATCH, CALIBRATION_SEED = 16, 7
MOST_LOST = 0.03  # nats a move; 6x48 loses 0.004, and a network that loses this much was calibrated wrongly


@dataclass(frozen=True)
class Quantized:
    """How good the network was before and is now, on the same positions."""

    before: Accuracy
    after: Accuracy


def sample_batches(records: Records, count: int) -> Iterator[Batch]:
    """Some `count` random positions of the records, always the same."""
    sampler = Sampler(records, CALIBRATION_BATCH, CALIBRATION_SEED)
    return (sampler.batch(step) for step in range(-(-count // CALIBRATION_BATCH)))


class SamplePositions(CalibrationDataReader):
    """Batches of positions as the quantizer asks for them, as the network's inputs."""

    def __init__(self, batches: Iterator[Batch]) -> None:
        self._batches = batches

    def get_next(self) -> dict[str, np.ndarray] | None:
        """The next batch as the network's inputs, None at the end."""
        batch = next(self._batches, None)
        return {INPUT: batch.planes, RANKS_INPUT: rank_input(batch.ranks)} if batch else None


def quantize(path: Path, target: Path, samples: Records, sample_count: int, held_out: Records, positions: int, threads: int) -> Quantized:
    """Write the network of `path` in int8 to `target` and give back what that changed on `positions` of the games held out.

    Raises TrainingError when `path` is no network of ours or when too much is lost; OSError when `target` can't be written. `target` is
    then as it was.
    """
    predict, _ = open_exported(path, threads)
    before = judge(predict, held_out, positions)
    with tempfile.TemporaryDirectory() as folder:
        quantized = Path(folder) / "quantized.onnx"
        write_quantized(path, quantized, SamplePositions(sample_batches(samples, sample_count)))
        rounded, _ = open_exported(quantized, threads)
        correct_results(quantized, mean_difference(predict, rounded, sample_batches(samples, sample_count)))
        predict, _ = open_exported(quantized, threads)
        after = judge(predict, held_out, positions)
        if not after.nll - before.nll < MOST_LOST:
            raise TrainingError(f"{target} was not written: the network would lose {after.nll - before.nll:.3f} nats a move")
        target.parent.mkdir(parents=True, exist_ok=True)
        content = quantized.read_bytes()
    write_whole(target, lambda unfinished: save(content, unfinished))
    return Quantized(before, after)


def save(content: bytes, path: Path) -> None:
    """Write these bytes."""
    path.write_bytes(content)


@contextlib.contextmanager
def quiet_libraries() -> Iterator[None]:
    """Keep onnxruntime from recommending a preparation that small networks don't need, and onnx from making names out of this machine.

    onnx takes uuid1 for the names of its help files: the address of the network card, and a clock that is kept in /run or /var.
    """
    logging.disable(logging.WARNING)
    names, external_data_helper.uuid = external_data_helper.uuid, SimpleNamespace(uuid1=uuid.uuid4)
    try:
        yield
    finally:
        external_data_helper.uuid = names
        logging.disable(logging.NOTSET)


def write_quantized(path: Path, target: Path, samples: SamplePositions) -> None:
    """The network of `path` in int8, in the form that is only asked, with the metadata of the original.

    From the last convolution on, in the order of the file, all stays as it is: it makes the moves' logits, and rounded ones tie. So do
    the owners, and what is made of the means and maxima over the board: they are so few numbers that rounding them takes longer than it
    saves.
    """
    model = asked_model(path)
    for i, node in enumerate(model.graph.node):
        node.name = node.name or f"{node.op_type}{i}"  # the quantizer tells nodes apart by name
    with quiet_libraries():
        quantize_static(
            model, str(target), samples, quant_format=QuantFormat.QDQ, per_channel=True, reduce_range=True, op_types_to_quantize=QUANTIZED,
            nodes_to_exclude=exact_nodes(model), activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )  # fmt: skip
    finished = onnx.load(str(target))
    read_planes(finished)
    del finished.metadata_props[:]  # the quantizer leaves a word of its own
    finished.metadata_props.extend(model.metadata_props)
    onnx.save(finished, str(target))


def asked_model(path: Path) -> onnx.ModelProto:
    """The network of `path` in the form that is only asked. Raises TrainingError."""
    weights, description = read_weights(path)
    try:
        return to_model(weights, description, is_trainable=False)
    except TrainingError as error:
        raise TrainingError(f"{path}: {error}") from error


def exact_nodes(model: onnx.ModelProto) -> list[str]:
    """The names of the nodes that stay in float32; see write_quantized."""
    nodes = model.graph.node
    last = max(i for i, node in enumerate(nodes) if node.op_type == "Conv" and OWNERS not in node.input)
    kept = {ONE, OWNERS} | {name for node in nodes if OWNERS in node.input for name in node.output}
    return [node.name for i, node in enumerate(nodes) if i >= last or kept & set(node.input)]


def read_planes(model: onnx.ModelProto) -> None:
    """Let the heads read the planes themselves in place of rounded ones, which the quantizer made for the first convolution."""
    for node in model.graph.node:
        if node.op_type == "Gather" and node.input[0] == ROUNDED_PLANES:
            node.input[0] = INPUT


def mean_difference(exact: Predict, rounded: Predict, batches: Iterator[Batch]) -> np.ndarray:
    """[2] by how much more `exact` says than `rounded`, on average: logit of the value, and points."""
    differences = []
    for batch in batches:
        (_, value, score, _), (_, rounded_value, rounded_score, _) = (each(batch.planes, batch.ranks) for each in (exact, rounded))
        differences.append((np.mean(value - rounded_value), np.mean(score - rounded_score)))
    return np.mean(differences, 0)


def correct_results(path: Path, missing: np.ndarray) -> None:
    """Let the network at `path` add `missing`, [2] as of mean_difference, to its value and its score."""
    model = onnx.load(str(path))
    kept = next(item for item in model.graph.initializer if item.name == RESULTS_BIAS)
    bias = numpy_helper.to_array(kept).copy()
    bias[: len(missing)] += missing
    kept.CopyFrom(numpy_helper.from_array(bias, RESULTS_BIAS))
    onnx.save(model, str(path))
