"""Between torch and ONNX: a trained network as the file that plays, and that file as a network to train on.

Weights keep torch's names in the file, so nothing is lost on the way but the optimizer's state.
"""

import copy
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from gtp_engine.base.files import write_whole
from gtp_engine.engine.network.features import PLANES
from gtp_engine.engine.network.model_file import INPUT, OUTPUTS, OWNERS_OUTPUT, RANKS_INPUT, Description
from gtp_engine.engine.network.rank_input import RANK_INPUTS
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.ranks.graph import OWNERS_WEIGHTS, read_weights, to_model, wrong_weights
from gtp_engine.learning.training.ranks.model import Network, Size

CHECKED_SIZES = (5, 9, 19)  # boards on which both forms must agree
LARGEST_DIFFERENCE = 1e-3  # relative to the largest output; float32 sums in another order differ by about 1e-5


def export(network: Network, description: Description, path: Path) -> float:
    """Write the network to `path` if onnxruntime computes the same as torch; gives back the largest difference found, relative.

    Raises TrainingError when they differ, OSError when the file can't be written; the file is then as it was.
    """
    model = to_model({name: value.detach().cpu().numpy() for name, value in network.state_dict().items()}, description)
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
        for ours, theirs in zip(session.run([*OUTPUTS, OWNERS_OUTPUT], {INPUT: planes, RANKS_INPUT: ranks}), expected, strict=True):
            worst = max(worst, float(np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1.0)))
    return worst


def load_network(path: Path) -> tuple[Network, Description]:
    """The network in an exported file, to train on or to evaluate; heads that it hasn't begin anew.

    Raises TrainingError when the file is of another form.
    """
    found, description = read_weights(path)
    network = Network(Size(description.blocks, description.channels))
    fresh = network.state_dict()
    weights = {name: torch.from_numpy(array.copy()) for name, array in found.items()}
    weights = {name: fresh[name] for name in OWNERS_WEIGHTS} | weights
    try:
        network.load_state_dict({name: weights[name] for name in fresh})
    except (KeyError, RuntimeError) as error:
        raise TrainingError(f"{path}: {wrong_weights(description)}") from error
    return network, description
