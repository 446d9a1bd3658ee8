"""From settings to a network: finds the file, opens it once, and makes an evaluator for each search."""

import sys
import threading
from dataclasses import replace
from pathlib import Path

from gtp_engine.base.files import visible
from gtp_engine.base.processors import processors
from gtp_engine.engine.network.background_timing import BackgroundTiming
from gtp_engine.engine.network.choice import BackendOption, choose, recall, untimed_option
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.folder import MODELS, named_network
from gtp_engine.engine.network.formats import OpenNetwork, format_of
from gtp_engine.engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.engine.network.session import reason_of
from gtp_engine.engine.search.params import AUTO, BEST, MIXED, NETWORK, SMALL_BOARD, SearchParams

SHIPPED = MODELS / "b7c96-large-int8.kata.onnx"  # the float32 network is beside it, as .bin.gz
SHIPPED_SMALL = MODELS / "b7c96-small-int8.kata.onnx"  # for boards up to SMALL_BOARD
RANKS = MODELS / "b7c96-ranks-int8.kata.onnx"  # a human network, which players of a rank use on every board
MOST_OPEN = 3  # networks that a loader keeps: for small boards, for large boards, and a human one


def shipped_network(size: int) -> Path | None:
    """The included network for boards of `size` lines; None if there is none."""
    files = (SHIPPED_SMALL, SHIPPED) if size <= SMALL_BOARD else (SHIPPED,)
    return next((path for path in files if path.exists()), None)


def network_path(params: SearchParams, size: int) -> Path:
    """The network file that the settings mean on this board. Raises NetworkError if there is none."""
    try:
        path = named_network(params.network) if params.network else shipped_network(size)
    except OSError as error:
        raise NetworkError(f"{params.network}: {error.strerror}") from error
    if path is None:
        raise NetworkError(f"evaluator {params.evaluator}: no network comes with this version; name one with --network FILE")
    return path


def kind_for(kind: str, params: SearchParams) -> str:
    """The evaluator to use in place of `kind`, the default of the board: NETWORK if `params` name a network but no evaluator."""
    return NETWORK if params.evaluator == BEST and params.network else kind


def load_network(path: Path, params: SearchParams) -> OpenNetwork:
    """The network in a file, open. Raises NetworkError, whatever is in the file."""
    try:
        return format_of(path).load(path, params)
    except NetworkError:
        raise
    except Exception as error:  # an unexpected error must not keep the engine from playing
        raise NetworkError(f"{path}: this network cannot be used: {type(error).__name__}, {reason_of(error)}") from error


class NetworkLoader:
    """Opens networks at first use and keeps them. For several threads.

    A setting `auto` means the fastest option in earlier timings on this machine. Without timings, the network is computed in float32 by
    onnxruntime, and a separate process times it for the next start. So no move waits, and a process never changes how it computes.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ranks: OpenNetwork | None = None
        self._opened: dict[tuple[Path, str, str, int], OpenNetwork] = {}
        self._chosen: dict[tuple[Path, str, str], BackendOption] = {}
        self._timings: list[BackgroundTiming] = []

    def network(self, params: SearchParams, size: int) -> OpenNetwork:
        """The open network that the settings mean on a board of `size` lines. Raises NetworkError."""
        path = network_path(params, size)
        with self._lock:
            path, params = self._choice(path, params)
            key = path, params.backend, params.precision, params.threads or processors()
            if key not in self._opened:
                network = load_network(path, params)
                if len(self._opened) == MOST_OPEN:
                    self._opened.clear()
                self._opened[key] = network
            return self._opened[key]

    def _choice(self, path: Path, params: SearchParams) -> tuple[Path, SearchParams]:
        """The file and the settings without `auto`. Raises NetworkError."""
        if AUTO not in (params.backend, params.precision):
            return path, params
        key = path, params.backend, params.precision
        if key not in self._chosen:
            speeds = recall(path)
            option = choose(path, speeds, params) if speeds else untimed_option(path, params)
            if not speeds:
                timed = f"{visible(path.name)} is timed on this machine, once; the next start uses what is fastest"
                print(f"gtp_engine: {timed}", file=sys.stderr)
                self._timings.append(BackgroundTiming(path))
            self._chosen[key] = option
        option = self._chosen[key]
        return path.with_name(option.file), replace(params, backend=option.backend, precision=option.precision)

    def wait_for_times(self) -> None:
        """Wait until all timings are done."""
        for timing in self._timings:
            timing.wait()

    def ranks_network(self, params: SearchParams) -> OpenNetwork:
        """The open network that predicts people's moves by rank. Raises NetworkError."""
        with self._lock:
            if self._ranks is None:
                if not RANKS.exists():
                    raise NetworkError("no network that knows ranks comes with this version")
                self._ranks = format_of(RANKS).load(RANKS, replace(params, backend="onnxruntime", precision="f32"))
            return self._ranks

    def evaluator(self, kind: str, params: SearchParams, size: int) -> NetworkEvaluator:
        """A new evaluator of this kind, NETWORK or MIXED, for one search on boards like this one. Raises NetworkError.

        The network is compiled for this size and run once, so that errors of the network or its backend occur here, not in the search. If
        the first game has another size, the start compiles once more than necessary.
        """
        network = self.network(params, size)
        try:
            network.backend.new_batch(size).run()
        except NetworkError:
            raise
        except Exception as error:  # backends raise many kinds of errors
            raise NetworkError(f"{network_path(params, size)}: it cannot be computed on {size}x{size}: {reason_of(error)}") from error
        return NetworkEvaluator(network, params, params.playout_share if kind == MIXED else 0.0)
