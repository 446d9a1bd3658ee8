"""Our own networks: ONNX files with the planes of features.py, and the metadata of model_file.py. See there for the form."""

from pathlib import Path

from gtp_engine.base.processors import processors
from gtp_engine.engine.network.form import Format, NetworkSummary, OpenNetwork
from gtp_engine.engine.network.formats.own_kernels import read_outputs, see_leaf
from gtp_engine.engine.network.model_file import NetworkFileError, describe
from gtp_engine.engine.network.session import NetworkBatch, NetworkError, OnnxRuntime, open_backend
from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.params import SearchParams

SUFFIX = ".onnx"


class OwnFeatures:
    """Sees leaves, and reads answers, as features.py says."""

    def encode(self, arrays: SearchArrays, slot: int, batch: NetworkBatch, row: int) -> None:
        """See Features."""
        see_leaf(arrays.shared, arrays.workspaces, slot, batch.planes[row])

    def decode(self, arrays: SearchArrays, slot: int, batch: NetworkBatch, row: int) -> None:
        """See Features."""
        read_outputs(arrays.shared, arrays.workspaces, slot, *batch.rows[row], batch.names_owners)


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
