"""Opens a file of KataGo: what sees a leaf and reads an answer, and what computes the network."""

import threading
from functools import partial
from pathlib import Path

import numpy as np

from gtp_engine.base.processors import processors
from gtp_engine.engine.network.features import take_surveys
from gtp_engine.engine.network.form import NetworkSummary, OpenNetwork
from gtp_engine.engine.network.katago.backend import WHOLE, KataBackend, KataBatch
from gtp_engine.engine.network.katago.conversion import Converted, convert, read_converted
from gtp_engine.engine.network.katago.file_names import is_converted
from gtp_engine.engine.network.katago.inputs import see_leaf
from gtp_engine.engine.network.katago.model import METADATA, Header
from gtp_engine.engine.network.katago.outputs import read_outputs, reading_of
from gtp_engine.engine.network.katago.reader import read_outline
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.model_file import NetworkFileError
from gtp_engine.engine.network.session import NetworkError
from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import WHITE


class KataFeatures:
    """Sees leaves, and reads answers, as inputs.py and outputs.py say; under `mixed`, playouts from the leaf have a share of the answer."""

    def __init__(self, header: Header, optimism: float | None = None) -> None:
        """`optimism`: the share of the optimistic policy, everywhere; None: as the search reads it."""
        self._readings = reading_of(header.scales, header.has_metadata)
        if optimism is not None:
            self._readings[["root_optimism", "optimism"]] = optimism
        self._suicide = header.safe_with_suicide
        self._of_thread = threading.local()

    def _scratches(self, count: int) -> np.ndarray:
        """[count] SCRATCH of the thread that asks: searches side by side, each with threads of its own, share one network."""
        scratches: np.ndarray | None = getattr(self._of_thread, "scratches", None)
        if scratches is None or len(scratches) < count:
            scratches = self._of_thread.scratches = np.zeros(count, SCRATCH)
            scratches["suicide"] = self._suicide
        return scratches

    def encode(self, arrays: SearchArrays, slot: int, batch: KataBatch, row: int) -> None:
        """See Features."""
        if arrays.shared[0]["params"]["playout_share"] > 0.0:
            take_surveys(arrays.workspaces, slot, arrays.shared["playout_policy"], arrays.shared[0]["komi"])
        scratches = self._scratches(slot + 1)
        planes, numbers = batch.planes[row], batch.globals[row]
        see_leaf(arrays.nodes, arrays.shared, arrays.workspaces, arrays.situations, slot, scratches, planes, numbers)

    def decode(self, arrays: SearchArrays, slot: int, batch: KataBatch, row: int) -> None:
        """See Features."""
        outputs = batch.policy[row], batch.value[row], batch.score[row], batch.ownership[row]
        read_outputs(arrays.shared, arrays.workspaces, slot, self._readings, *outputs)
        share = float(arrays.shared[0]["params"]["playout_share"])
        if share > 0.0:
            mix_in_playouts(arrays.workspaces[slot], share)


def mix_in_playouts(workspace: np.void, share: float) -> None:
    """Let the playouts from the leaf have this share of the answer's win and lead."""
    answer, survey = workspace["answer"], workspace["survey"]
    played, lead = survey["wins"] / survey["tally"]["playouts"], survey["lead"] / survey["tally"]["playouts"]
    if workspace["position"]["to_play"] == WHITE:
        played, lead = 1.0 - played, -lead
    answer["win"] += share * (played - answer["win"])
    answer["lead"] += share * (lead - answer["lead"])


def summarize(path: Path) -> NetworkSummary:
    """What the file says of itself. Raises NetworkError."""
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


def opened(path: Path, is_whole: bool) -> Converted:
    """The network as ONNX, in whole numbers if `is_whole`; a file that is ONNX already as it is. Raises NetworkFileError."""
    if not is_converted(path):
        return convert(path, is_whole)
    outline, content = read_converted(path)
    return Converted(outline.header, content)


def load(path: Path, params: SearchParams) -> OpenNetwork:
    """Open the network. Raises NetworkError."""
    try:
        converted = opened(path, params.precision == WHOLE)
    except NetworkFileError as error:
        raise NetworkError(str(error)) from error
    metadata = np.zeros(METADATA, np.float32) if converted.header.has_metadata else None
    settings = params.backend, params.precision, params.threads or processors()
    backend = KataBackend(str(path), converted.content, settings, metadata)
    header = converted.header
    return OpenNetwork(KataFeatures(header), backend, is_strong=True, optimistic=partial(KataFeatures, header))
