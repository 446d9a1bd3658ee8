"""From settings to a network that plays: which file, opened once, and an evaluator for each search."""

import threading
from pathlib import Path

from gtp_engine.network.formats import OpenNetwork, format_of
from gtp_engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.network.session import NetworkError
from gtp_engine.search.params import MIXED, SearchParams
from gtp_engine.search.search import processors

SHIPPED = Path(__file__).parent / "models" / "b6c64-int8.onnx"  # in whole numbers of 8 bits; float32, to go on training, is beside it


def shipped_network() -> Path | None:
    """The network that is included; None when there is none."""
    return SHIPPED if SHIPPED.exists() else None


def network_path(params: SearchParams) -> Path:
    """The file of the network that the settings mean. Raises NetworkError when none was named and none is included."""
    path = Path(params.network).expanduser() if params.network else shipped_network()
    if path is None:
        raise NetworkError(f"evaluator {params.evaluator}: no network comes with this version; name one with --network FILE")
    return path


class NetworkLoader:
    """Opens a network when it is first wanted, and again only when the settings name another. For several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: tuple[Path, str, str, int] | None = None
        self._network: OpenNetwork | None = None

    def network(self, params: SearchParams) -> OpenNetwork:
        """The network that the settings mean, open. Raises NetworkError."""
        path = network_path(params)
        wanted = path, params.backend, params.precision, params.threads or processors()
        with self._lock:
            if self._network is None or self._opened != wanted:
                self._network, self._opened = format_of(path).load(path, params), wanted
            return self._network

    def evaluator(self, kind: str, params: SearchParams) -> NetworkEvaluator:
        """A new evaluator of this kind, NETWORK or MIXED, for one search. Raises NetworkError."""
        return NetworkEvaluator(self.network(params), params, params.playout_share if kind == MIXED else 0.0)
