"""What computes a network: onnxruntime, or OpenVINO where it is installed and faster. Both are imported only when a network is opened.

Measured with onnxruntime, 6 blocks of 64 channels: one session for all threads is as fast as one for each; a batch of eight gains nothing
on 19x19 and a fifth on 9x9; arrays bound once save 60 microseconds a batch.
"""

import functools
import importlib.metadata
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gtp_engine.base.files import read_file
from gtp_engine.engine.network.compiled_sizes import CompiledSizes
from gtp_engine.engine.network.features import PLANES
from gtp_engine.engine.network.human_profile import HumanProfile
from gtp_engine.engine.network.model_file import INPUT, OUTPUTS, OWNERS_OUTPUT, RANKS_INPUT, NetworkFileError, describe
from gtp_engine.engine.network.onnx_check import check_onnx
from gtp_engine.engine.network.rank_input import RANK_INPUTS, rank_input

if TYPE_CHECKING:
    import onnxruntime

LARGEST_FILE = 2_000_000_000  # bytes, what the ONNX form can hold
CUDA = "CUDAExecutionProvider"
CUDA_LEAVES = 16  # in a batch for a graphics card, for each thread: enough to keep a small one busy; not measured yet on a large one
LONGEST_REASON = 100  # characters
QUIET = 4  # onnxruntime's level for fatal errors only: what it raises is told by us
NO_SIZES: Mapping[str, int] = MappingProxyType({})


def most_memory() -> int:
    """Bytes for all networks of a process: half of the machine's memory, and no more than the largest networks need, several at once."""
    if not hasattr(os, "sysconf"):
        return 8_000_000_000
    return min(8_000_000_000, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)


MOST_MEMORY = most_memory()


class NetworkError(Exception):
    """A network that can't be used; the text is one sentence with the file's path."""


def reason_of(error: Exception) -> str:
    """What a library says of it, in one line, not too long."""
    return " ".join(str(error).split())[:LONGEST_REASON]


class NetworkBatch(ABC):
    """A batch of B leaves on a board of S lines, and its answers, for one thread. A backend fills the answers in `run`."""

    def __init__(self, size: int, leaves: int = 1) -> None:
        self.planes = np.zeros((leaves, PLANES, size, size), np.float32)  # [B, PLANES, S, S], see features.py
        self.ranks = np.zeros(
            (leaves, RANK_INPUTS), np.float32
        )  # [B, RANK_INPUTS], see rank_input.py; zeros: unknown. Not every network reads it
        self.policy = np.zeros((leaves, size * size + 1), np.float32)  # [B, S * S + 1] logits, see engine/search/puct.py
        self.value = np.zeros(leaves, np.float32)  # [B] logit of the side to move's winning
        self.score = np.zeros(leaves, np.float32)  # [B] the side to move's expected lead in points, komi included
        self.owners = np.zeros((leaves, size * size), np.float32)  # [B, S * S] 1: the side to move's at the end, -1: the opponent's
        whole = zip(self.policy, self.value.reshape(-1, 1), self.score.reshape(-1, 1), self.owners, strict=True)
        self.rows = list(whole)  # of each leaf its policy [S * S + 1], value [1], score [1] and owners [S * S]: parts of the arrays above
        self.names_owners = False  # True: the network fills `owners`

    def answer(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The arrays of the answer, in the order of OUTPUTS."""
        return self.policy, self.value, self.score

    def tell_players(self, profile: HumanProfile, color: int) -> None:
        """Let it be about a player to move of the rank that `color` has there."""
        self.ranks[:] = rank_input(np.array([profile.ranks(color)[0]]))

    @abstractmethod
    def run(self) -> None:
        """Compute the answer from `planes`."""


class Backend(Protocol):
    """Computes one network; each batch on the processor of the thread that runs it, or on a graphics card."""

    leaves: int  # that it wants in a batch: 1 on processors, where a batch is hardly faster

    def new_batch(self, size: int, leaves: int = 1) -> NetworkBatch:
        """Arrays for so many leaves on a board of `size` lines."""
        ...


class OnnxBatch(NetworkBatch):
    """A batch for onnxruntime, its arrays bound once."""

    def __init__(self, size: int, leaves: int, session: "onnxruntime.InferenceSession") -> None:
        super().__init__(size, leaves)
        self._session = session
        self._binding = session.io_binding()
        for name, array in ((INPUT, self.planes), (RANKS_INPUT, self.ranks)):
            self._binding.bind_input(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        self.names_owners = OWNERS_OUTPUT in (item.name for item in session.get_outputs())
        bound = dict(zip(OUTPUTS, self.answer(), strict=True)) | ({OWNERS_OUTPUT: self.owners} if self.names_owners else {})
        for name, array in bound.items():
            self._binding.bind_output(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)

    def run(self) -> None:
        """See NetworkBatch."""
        self._session.run_with_iobinding(self._binding)


def open_session(
    name: str, content: bytes, threads: int = 1, with_cuda: bool = False, sizes: Mapping[str, int] = NO_SIZES
) -> "onnxruntime.InferenceSession":
    """onnxruntime with the network in `content`, an ONNX file, on the processor or on a graphics card.

    name -- of the network, with which the messages begin
    threads -- compute one batch together
    sizes -- what the free sizes that have a name in the file are
    Raises NetworkError for what onnxruntime can't compute, or where it or CUDA is missing. Running it raises what onnxruntime likes, also
    where the network wants more than MOST_MEMORY.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise NetworkError(f"{name}: onnxruntime is not installed; try `pip install onnxruntime`") from error
    if with_cuda and CUDA not in onnxruntime.get_available_providers():
        raise NetworkError(f"{name}: this onnxruntime has no CUDA; try `pip install onnxruntime-gpu`, or --backend onnxruntime")
    limit_memory()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = QUIET
    options.add_session_config_entry("session.use_env_allocators", "1")
    for free, size in sizes.items():
        options.add_free_dimension_override_by_name(free, size)
    try:
        return onnxruntime.InferenceSession(content, options, providers=[CUDA] * with_cuda + ["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no class of their own in common
        raise NetworkError(f"{name}: onnxruntime cannot compute this network: {reason_of(error)}") from error


@functools.cache
def limit_memory() -> None:
    """Let all sessions of this process together have no more than MOST_MEMORY on the processor: a small file can ask for any amount."""
    import onnxruntime

    arena = onnxruntime.OrtArenaCfg({"max_mem": MOST_MEMORY})
    place = onnxruntime.OrtMemoryInfo("Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT)
    onnxruntime.create_and_register_allocator(place, arena)


class OnnxRuntime:
    """One session; onnxruntime runs it in the thread that asks, or on a graphics card with CUDA."""

    def __init__(self, path: Path, threads: int = 1, with_cuda: bool = False) -> None:
        """`threads` compute one batch together. Raises NetworkError for a file of another form than ours, or without CUDA."""
        try:
            content = read_file(path, LARGEST_FILE)
            check_onnx(path, content)
        except OSError as error:
            raise NetworkError(f"{path}: {error.strerror}; expected a network in ONNX form") from error
        except NetworkFileError as error:
            raise NetworkError(str(error)) from error
        self.leaves = CUDA_LEAVES if with_cuda else 1
        self.session = open_session(str(path), content, threads, with_cuda)
        self.names_owners = OWNERS_OUTPUT in (item.name for item in self.session.get_outputs())

    def new_batch(self, size: int, leaves: int = 1) -> OnnxBatch:
        """See Backend."""
        return OnnxBatch(size, leaves, self.session)


class OpenVinoBatch(NetworkBatch):
    """A batch for OpenVINO."""

    def __init__(self, size: int, leaves: int, request: Any) -> None:
        super().__init__(size, leaves)
        self._request = request
        self.names_owners = any(OWNERS_OUTPUT in output.get_names() for output in request.model_outputs)

    def run(self) -> None:
        """See NetworkBatch."""
        results = self._request.infer({INPUT: self.planes, RANKS_INPUT: self.ranks}, share_inputs=True, share_outputs=True)
        for name, array in zip(OUTPUTS, self.answer(), strict=True):
            array[:] = results[name]
        if self.names_owners:
            self.owners[:] = results[OWNERS_OUTPUT]


class OpenVino:
    """A network compiled for each board size, with a stream for each thread."""

    leaves = 1

    def __init__(self, path: Path, precision: str, threads: int) -> None:
        """`precision`: f32, f16 or bf16. Raises NetworkError when OpenVINO is missing or can't read the file."""
        try:
            import openvino
        except ImportError as error:
            raise NetworkError(f"{path}: OpenVINO is not installed; try `pip install openvino`, or --backend onnxruntime") from error
        self._settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": threads, "INFERENCE_PRECISION_HINT": precision}
        self._path, self._core = path, openvino.Core()
        try:
            self._model = self._core.read_model(str(path))
        except Exception as error:  # as above
            raise NetworkError(f"{path}: expected a network that OpenVINO can read") from error
        self._compiled: CompiledSizes[Any] = CompiledSizes(self._compile)

    def _compile(self, size: int, leaves: int) -> Any:
        """The network for so many boards of `size` lines. Raises NetworkError."""
        model = self._model.clone()
        shapes = {INPUT: [leaves, PLANES, size, size], RANKS_INPUT: [leaves, RANK_INPUTS]}
        model.reshape({name: shape for name, shape in shapes.items() if name == INPUT or len(model.inputs) > 1})
        try:
            return self._core.compile_model(model, "CPU", self._settings)
        except Exception as error:  # as above
            raise NetworkError(f"{self._path}: OpenVINO cannot compute this network: {reason_of(error)}") from error

    def new_batch(self, size: int, leaves: int = 1) -> OpenVinoBatch:
        """See Backend. Raises NetworkError."""
        return OpenVinoBatch(size, leaves, self._compiled.get(size, leaves).create_infer_request())


def open_backend(path: Path, backend: str = "onnxruntime", precision: str = "f32", threads: int = 1) -> Backend:
    """Open the network in `path` after checking that it is of our form. Raises NetworkError, which says what is wrong and expected."""
    network = OnnxRuntime(path)  # also for OpenVINO: it can tell what is in the file
    check_form(path, network)
    if precision == "int8":
        raise NetworkError(f"{path}: --precision int8 is for KataGo's networks; of this one `gtp-engine train quantize` makes such a file")
    if backend == "openvino":
        return OpenVino(path, precision, threads)
    if precision != "f32":
        raise NetworkError(f"{path}: onnxruntime computes in f32; --precision {precision} needs --backend openvino")
    return OnnxRuntime(path, with_cuda=True) if backend == "cuda" else network


def check_form(path: Path, network: OnnxRuntime) -> None:
    """Raise NetworkError unless inputs and outputs are ours and any board size goes through."""
    try:
        describe(path, network.session.get_modelmeta().custom_metadata_map)
    except NetworkFileError as error:
        raise NetworkError(str(error)) from error
    inputs = {item.name: item.shape for item in network.session.get_inputs()}
    outputs = {item.name for item in network.session.get_outputs()}
    if list(inputs) == [INPUT]:
        raise NetworkError(f"{path}: a network of our older form can be used only if it knows ranks; those for play have KataGo's form")
    if list(inputs) != [INPUT, RANKS_INPUT] or not outputs >= set(OUTPUTS):
        expected = f"the inputs {INPUT} and {RANKS_INPUT}, and the outputs {', '.join(OUTPUTS)}"
        raise NetworkError(f"{path}: expected {expected}, found {', '.join(inputs)} and {', '.join(sorted(outputs))}")
    shape = inputs[INPUT]
    if len(shape) != 4 or (isinstance(shape[1], int) and shape[1] != PLANES):
        raise NetworkError(f"{path}: expected {PLANES} planes, found {shape[1] if len(shape) == 4 else shape}")
    for size in (2, 3):
        batch = network.new_batch(size)
        try:
            batch.run()
        except Exception as error:  # as in OnnxRuntime
            raise NetworkError(f"{path}: expected a network for every board size, but this one fails on {size}x{size}") from error
        if not all(np.isfinite(array).all() for array in batch.answer()):
            raise NetworkError(f"{path}: expected numbers, found some that are infinite or none")


def installed(package: str) -> bool:
    """Is this package there, as far as its metadata tell? Doesn't import it."""
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
