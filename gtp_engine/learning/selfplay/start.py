"""A network that has learned nothing, for a run that begins anew: it plays as the move model does, and counts as playouts do."""

from pathlib import Path

import torch

from gtp_engine.engine.network.features import FEATURES_VERSION, PLANES
from gtp_engine.engine.network.model_file import Description
from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.training.export import export, load_network
from gtp_engine.learning.training.model import Network, Size


def new_network(size: Size, seed: int, path: Path) -> None:
    """Write one of this size to `path`; the same seed gives the same weights. One that is there already stays.

    Raises SelfplayError when that is of another size, TrainingError when it is something else, OSError when `path` can't be written.
    """
    if path.exists():
        found = load_network(path)[0].size
        if found != size:
            raise SelfplayError(f"{path} is a network of {found}, not {size}: choose another folder")
        return
    torch.manual_seed(seed)
    network = Network(size).eval()
    export(network, Description(FEATURES_VERSION, PLANES, size.blocks, size.channels, 0, 0, "nothing", 0.0, 0.0), path)
