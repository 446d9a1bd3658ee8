"""An exported network as the figures ask it: batches of planes through onnxruntime, the numbers that it will play with."""

from pathlib import Path

import numpy as np

from gtp_engine.network.model_file import INPUT, OUTPUTS, Description, describe
from gtp_engine.network.session import NetworkError, OnnxRuntime, check_form
from gtp_engine.training.accuracy import Predict
from gtp_engine.training.problems import TrainingError


def open_exported(path: Path, threads: int) -> tuple[Predict, Description]:
    """The network in a file, whatever numbers it computes with, and what the file says of it. Raises TrainingError for another file."""
    try:
        network = OnnxRuntime(path, threads)
        check_form(path, network)
    except NetworkError as error:
        raise TrainingError(str(error)) from error

    def predict(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See accuracy.Predict."""
        policy, value, score = network.session.run(list(OUTPUTS), {INPUT: planes})
        return policy, value, score

    return predict, describe(path, network.session.get_modelmeta().custom_metadata_map)
