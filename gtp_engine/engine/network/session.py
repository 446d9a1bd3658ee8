"""Opens networks in onnxruntime, which is only then imported.

Measured with 6 blocks of 64 channels: one session for all threads is as fast as one for each.
"""

import functools
import importlib.metadata
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from gtp_engine.engine.network.errors import NetworkError

if TYPE_CHECKING:
    import onnxruntime

LARGEST_FILE = 2_000_000_000  # bytes, the limit of the ONNX format
CUDA = "CUDAExecutionProvider"
CUDA_LEAVES = 16  # in a batch for a graphics card, for each thread: enough to keep a small one busy; not measured yet on a large one
LONGEST_REASON = 100  # characters
QUIET = 4  # onnxruntime's level for fatal errors only; we report what it raises
NO_SIZES: Mapping[str, int] = MappingProxyType({})


def most_memory() -> int:
    """Bytes for all networks of a process: half of the machine's memory, but no more than several of the largest networks need."""
    if not hasattr(os, "sysconf"):
        return 8_000_000_000
    return min(8_000_000_000, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)


MOST_MEMORY = most_memory()


def reason_of(error: Exception) -> str:
    """A library's error message in one line of limited length."""
    return " ".join(str(error).split())[:LONGEST_REASON]


def open_session(
    name: str, content: bytes, threads: int = 1, with_cuda: bool = False, sizes: Mapping[str, int] = NO_SIZES
) -> "onnxruntime.InferenceSession":
    """An onnxruntime session for the network in `content`, an ONNX file, on the processor or on a graphics card.

    name -- of the network, for messages
    threads -- compute one batch together
    sizes -- the values of the named free sizes in the file Raises NetworkError for a network that onnxruntime can't compute, or if it or
    CUDA is missing. Running the session may raise any error, also if the network needs more than MOST_MEMORY.
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
    except Exception as error:  # onnxruntime's errors have no common class
        raise NetworkError(f"{name}: onnxruntime cannot compute this network: {reason_of(error)}") from error


@functools.cache
def limit_memory() -> None:
    """Limit the memory of all sessions of this process to MOST_MEMORY on the processor, because a small file can request any amount."""
    import onnxruntime

    arena = onnxruntime.OrtArenaCfg({"max_mem": MOST_MEMORY})
    place = onnxruntime.OrtMemoryInfo("Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT)
    onnxruntime.create_and_register_allocator(place, arena)


def installed(package: str) -> bool:
    """True if this package is installed, by its metadata. Doesn't import it."""
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
