"""From settings to a network that plays: which file, opened once, and an evaluator for each search."""

import threading
from pathlib import Path

from gtp_engine.network.evaluator import GuidedEvaluator, NetworkEvaluator
from gtp_engine.network.session import Backend, NetworkError, open_backend
from gtp_engine.search.evaluator_choice import GUIDED, MIXED
from gtp_engine.search.params import SearchParams
from gtp_engine.search.search import processors

SHIPPED = Path(__file__).parent / "models" / "b6c64-int8.onnx"  # in whole numbers of 8 bits; float32, to go on training, is beside it


def shipped_network() -> Path | None:
    """The network that comes along; None when there is none."""
    return SHIPPED if SHIPPED.exists() else None


def network_path(params: SearchParams) -> Path:
    """The file of the network that the settings mean. Raises NetworkError when none was named and none comes along."""
    path = Path(params.network).expanduser() if params.network else shipped_network()
    if path is None:
        raise NetworkError(f"evaluator {params.evaluator}: no network comes with this version; name one with --network FILE")
    return path


class NetworkLoader:
    """Opens a network when it is first wanted, and again only when the settings name another. For several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: tuple[Path, str, str, int] | None = None
        self._backend: Backend | None = None

    def backend(self, params: SearchParams) -> Backend:
        """What computes the network. Raises NetworkError."""
        wanted = network_path(params), params.backend, params.precision, params.threads or processors()
        with self._lock:
            if self._backend is None or self._opened != wanted:
                self._backend, self._opened = open_backend(*wanted), wanted
            return self._backend

    def evaluator(self, kind: str, params: SearchParams) -> NetworkEvaluator:
        """A new evaluator of this kind, NETWORK, MIXED or GUIDED, for one search. Raises NetworkError."""
        if kind == GUIDED:
            return GuidedEvaluator(self.backend(params), params)
        return NetworkEvaluator(self.backend(params), params, params.playout_share if kind == MIXED else 0.0)
