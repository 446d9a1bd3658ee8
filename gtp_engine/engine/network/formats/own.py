"""Our own networks: ONNX files with the planes of features.py, and the metadata of model_file.py. See there for the form."""

from pathlib import Path

import numpy as np

from gtp_engine.base.processors import processors
from gtp_engine.engine.move_model.model_file import shipped_model
from gtp_engine.engine.network.features import LEAF_SCRATCH
from gtp_engine.engine.network.form import Format, NetworkSummary, OpenNetwork
from gtp_engine.engine.network.formats.own_kernels import decode_outputs, encode_planes
from gtp_engine.engine.network.model_file import NetworkFileError, describe
from gtp_engine.engine.network.session import NetworkBatch, NetworkError, OnnxRuntime, open_backend
from gtp_engine.engine.network.surveyor import PerThread
from gtp_engine.engine.search.params import SearchParams

SUFFIX = ".onnx"


class OwnFeatures:
    """Encodes leaves and decodes answers as features.py says."""

    sees_playouts = True

    def __init__(self) -> None:
        self._scratch, self._model = PerThread(LEAF_SCRATCH), shipped_model()

    def encode(self, leaf: np.ndarray, batch: NetworkBatch, row: int) -> None:
        """See Features."""
        encode_planes(leaf, self._scratch.get(), self._model, batch.planes[row])

    def decode(self, leaf: np.ndarray, batch: NetworkBatch, row: int, answer: np.ndarray) -> None:
        """See Features."""
        decode_outputs(leaf, answer, *batch.rows[row], batch.names_owners)


def recognizes(path: Path) -> bool:
    """Is this a file of ours, by its name? What else may be wrong with it, `load` says."""
    return path.suffix == SUFFIX


def load(path: Path, params: SearchParams) -> OpenNetwork:
    """Open the network. Raises NetworkError."""
    return OpenNetwork(OwnFeatures(), open_backend(path, params.backend, params.precision, params.threads or processors()))


def summarize(path: Path) -> NetworkSummary:
    """What the file says of itself. Raises NetworkError."""
    metadata = OnnxRuntime(path).session.get_modelmeta().custom_metadata_map
    try:
        found = describe(path, metadata)
    except NetworkFileError as error:
        raise NetworkError(str(error)) from error
    return NetworkSummary("", found.features_version, found.blocks, found.channels, bool(found.ranks))


FORMAT = Format("gtp-engine ONNX", recognizes, load, summarize)
