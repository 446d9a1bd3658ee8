"""Opens a KataGo network file: its features, which encode leaves and decode answers, and its backend."""

from functools import partial
from pathlib import Path

import numpy as np

from gtp_engine.base.processors import processors
from gtp_engine.engine.network.errors import NetworkError, NetworkFileError
from gtp_engine.engine.network.form import NetworkSummary, OpenNetwork
from gtp_engine.engine.network.katago.backend import INT8, KataBackend, KataBatch, check_precision
from gtp_engine.engine.network.katago.conversion import Converted, convert, read_converted
from gtp_engine.engine.network.katago.details import details_of
from gtp_engine.engine.network.katago.file_names import is_converted
from gtp_engine.engine.network.katago.inputs import encode_leaf
from gtp_engine.engine.network.katago.model import METADATA, Header
from gtp_engine.engine.network.katago.outputs import decode_outputs, reading_of
from gtp_engine.engine.network.katago.reader import read_outline
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.per_thread import PerThread
from gtp_engine.engine.search.params import SearchParams


class KataFeatures:
    """Encodes leaves by inputs.py and decodes answers by outputs.py."""

    def __init__(self, header: Header, optimism: float | None = None) -> None:
        """`optimism`: the share of the optimistic policy at all leaves; None: the search's shares."""
        self._readings = reading_of(header.scales, header.has_metadata)
        if optimism is not None:
            self._readings[["root_optimism", "optimism"]] = optimism
        self._suicide, self._scratch = header.safe_with_suicide, PerThread(SCRATCH)

    def encode(self, leaf: np.ndarray, batch: KataBatch, row: int) -> None:
        """See Features."""
        scratch = self._scratch.get()
        scratch["suicide"] = self._suicide
        encode_leaf(leaf, scratch, batch.planes[row], batch.globals[row])

    def decode(self, leaf: np.ndarray, batch: KataBatch, row: int, answer: np.ndarray) -> None:
        """See Features."""
        decode_outputs(leaf, answer, self._readings, batch.policy[row], batch.value[row], batch.score[row], batch.ownership[row])


def summarize(path: Path) -> NetworkSummary:
    """What the file says about the network. Raises NetworkError."""
    try:
        header, blocks, channels = outline_at(path)
    except NetworkFileError as error:
        raise NetworkError(str(error)) from error
    return NetworkSummary(header.name, header.version, blocks, channels, header.has_metadata)


def outline_at(path: Path) -> tuple[Header, int, int]:
    """The header, the number of blocks and the channels of the trunk. Raises NetworkFileError."""
    if not is_converted(path):
        return read_outline(path)
    outline, _ = read_converted(path)
    return outline.header, outline.blocks, outline.channels


def opened(path: Path, in_int8: bool) -> Converted:
    """The network as ONNX, in int8 if `in_int8`; an ONNX file is used unchanged. Raises NetworkFileError."""
    if not is_converted(path):
        return convert(path, in_int8)
    outline, content = read_converted(path)
    return Converted(outline.header, content)


def load(path: Path, params: SearchParams) -> OpenNetwork:
    """Open the network. Raises NetworkError."""
    check_precision(str(path), params.backend, params.precision)  # before int8 takes minutes to measure
    try:
        converted = opened(path, params.precision == INT8)
    except NetworkFileError as error:
        raise NetworkError(str(error)) from error
    metadata = np.zeros(METADATA, np.float32) if converted.header.has_metadata else None
    settings = params.backend, params.precision, params.threads or processors()
    backend = KataBackend(str(path), converted.content, settings, metadata)
    header = converted.header
    return OpenNetwork(KataFeatures(header), backend, optimistic=partial(KataFeatures, header), details=partial(details_of, header))
