"""From settings to a network that plays: which file, opened once, and an evaluator for each search."""

import threading
from pathlib import Path

from gtp_engine.network.formats import OpenNetwork, format_of
from gtp_engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.network.session import NetworkError
from gtp_engine.search.params import BEST, MIXED, NETWORK, SMALL_BOARD, SearchParams
from gtp_engine.search.search import processors

MODELS = Path(__file__).parent / "models"  # in whole numbers of 8 bits; float32, to go on training, is beside them
SHIPPED = MODELS / "b6c64-int8.onnx"
MOST_OPEN = 2  # networks that a loader keeps: for small and for large boards
SHIPPED_SMALL = MODELS / "b6c64-small-int8.onnx"  # for boards up to SMALL_BOARD


def shipped_network(size: int) -> Path | None:
    """The network that is included for boards of `size` lines; None when there is none."""
    files = (SHIPPED_SMALL, SHIPPED) if size <= SMALL_BOARD else (SHIPPED,)
    return next((path for path in files if path.exists()), None)


def network_path(params: SearchParams, size: int) -> Path:
    """The file of the network that the settings mean on this board. Raises NetworkError when none was named and none is included."""
    path = Path(params.network).expanduser() if params.network else shipped_network(size)
    if path is None:
        raise NetworkError(f"evaluator {params.evaluator}: no network comes with this version; name one with --network FILE")
    return path


def kind_for(kind: str, params: SearchParams) -> str:
    """The evaluator to use where the board asks for `kind`: NETWORK when `params` leave it open and name a network that plays alone."""
    if params.evaluator == BEST and params.network and format_of(Path(params.network)).plays_alone:
        return NETWORK
    return kind


class NetworkLoader:
    """Opens a network when it is first wanted, and keeps it. For several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: dict[tuple[Path, str, str, int], OpenNetwork] = {}

    def network(self, params: SearchParams, size: int) -> OpenNetwork:
        """The network that the settings mean on a board of `size` lines, open. Raises NetworkError."""
        path = network_path(params, size)
        wanted = path, params.backend, params.precision, params.threads or processors()
        with self._lock:
            if wanted not in self._opened:
                network = format_of(path).load(path, params)
                if len(self._opened) == MOST_OPEN:
                    self._opened.clear()
                self._opened[wanted] = network
            return self._opened[wanted]

    def evaluator(self, kind: str, params: SearchParams, size: int) -> NetworkEvaluator:
        """A new evaluator of this kind, NETWORK or MIXED, for one search on boards like this one. Raises NetworkError."""
        return NetworkEvaluator(self.network(params, size), params, params.playout_share if kind == MIXED else 0.0)
