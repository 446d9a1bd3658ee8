"""The fastest backend and precision for a network on this machine, timed once and kept in the cache folder.

`--backend auto` and `--precision auto` mean the fastest option. float32 by onnxruntime is the standard: numbers with fewer bits change the
answer a little, so they must be clearly faster to be chosen.
"""

import functools
import hashlib
import importlib.metadata
import json
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import platformdirs

from gtp_engine.base.files import read_file, write_file
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.formats import AnyBackend, format_of
from gtp_engine.engine.network.katago.file_names import original_of
from gtp_engine.engine.network.session import LARGEST_FILE, installed
from gtp_engine.engine.search.params import AUTO, SearchParams

INT8 = "int8"
PAIRS = (
    ("onnxruntime", "f32"),
    ("onnxruntime", INT8),
    ("openvino", "f32"),
    ("openvino", "f16"),
    ("openvino", "bf16"),
    ("cuda", "f32"),
)
PACKAGES = {"onnxruntime": "onnxruntime", "openvino": "openvino", "cuda": "onnxruntime-gpu"}
YARDSTICK = PAIRS[0]
WORTH = {"f32": 1.05, "f16": 1.25, "bf16": 1.25, INT8: 1.25}  # how many times as fast as the standard an option must be
ANYTHING = SearchParams(backend=AUTO, precision=AUTO)
SIZE = 19  # lines of the board in use
ROUNDS, SLICE = 10, 0.1  # of each option, in turn, so that other load slows all of them; seconds
REMEMBERED = 50  # networks whose speeds are kept
LARGEST_MEMORY = 1_000_000  # bytes of the file of speeds


@dataclass(frozen=True)
class BackendOption:
    """One way to compute a network."""

    file: str  # the name of the network's file, in the folder of the named network
    backend: str
    precision: str

    def __str__(self) -> str:
        """For people."""
        return f"{self.file}, {self.backend} {self.precision}"


Speeds = dict[BackendOption, float]  # evaluations a second, one thread, on a board of SIZE lines; the standard first


def options_for(path: Path) -> list[BackendOption]:
    """The options for this network on this machine."""
    supports_int8 = format_of(path).supports_int8
    pairs = [pair for pair in PAIRS if installed(PACKAGES[pair[0]])]
    options = [BackendOption(path.name, *pair) for pair in pairs if supports_int8 or pair[1] != INT8]
    original = original_of(path)
    if original is not None:
        options += [BackendOption(original.name, *pair) for pair in pairs if pair[1] != INT8]
    return options


def time_network(path: Path, params: SearchParams) -> Speeds:
    """Time every option for a network, about a second each. Raises NetworkError if not even the first one works."""
    backends: dict[BackendOption, AnyBackend] = {}
    asks: dict[BackendOption, Callable[[], None]] = {}
    for option in options_for(path):
        try:
            backend = open_option(path, option, params)
            asks[option] = run_of(backend)
            backends[option] = backend
        except NetworkError:
            if not backends:
                raise
    best = dict.fromkeys(backends, float("inf"))
    for _ in range(ROUNDS):
        for option, ask in asks.items():
            best[option] = min(best[option], least_seconds(ask))
    return {option: round(backend.leaves / best[option], 1) for option, backend in backends.items()}


def open_option(path: Path, option: BackendOption, params: SearchParams) -> AnyBackend:
    """The network opened with this option, for one thread. Raises NetworkError."""
    twin = path.with_name(option.file)
    settings = replace(params, backend=option.backend, precision=option.precision, threads=1)
    return format_of(twin).load(twin, settings).backend


def run_of(backend: AnyBackend) -> Callable[[], None]:
    """A function that runs a batch of an empty board, with all one-time work done. Raises NetworkError."""
    batch = backend.new_batch(SIZE, backend.leaves)
    batch.run()
    run: Callable[[], None] = batch.run
    return run


def least_seconds(ask: Callable[[], None]) -> float:
    """The shortest time of a batch within one slice; longer times come from other load."""
    least, started = float("inf"), time.perf_counter()
    now = started
    while now - started < SLICE:
        before = now
        ask()
        now = time.perf_counter()
        least = min(least, now - before)
    return least


def untimed_option(path: Path, params: SearchParams) -> BackendOption:
    """The option to use before anything is timed."""
    backend, precision = YARDSTICK
    return BackendOption(
        path.name, backend if params.backend == AUTO else params.backend, precision if params.precision == AUTO else params.precision
    )


def choose(path: Path, speeds: Speeds, params: SearchParams) -> BackendOption:
    """The fastest option that the settings allow."""
    allowed = {option: speed for option, speed in speeds.items() if is_allowed(option, params)}
    if not allowed:
        return untimed_option(path, params)
    first = next(iter(allowed))
    worth = {option: speed for option, speed in allowed.items() if speed >= WORTH[option.precision] * allowed[first]}
    return max(worth, key=lambda option: worth[option], default=first)


def choose_any(path: Path, speeds: Speeds) -> BackendOption:
    """The fastest option if the settings allow all."""
    return choose(path, speeds, ANYTHING)


def is_allowed(option: BackendOption, params: SearchParams) -> bool:
    """True if the settings allow this option."""
    return params.backend in (AUTO, option.backend) and params.precision in (AUTO, option.precision)


def reason(path: Path, speeds: Speeds) -> str:
    """A line that says what `auto` chooses and why."""
    chosen, listed = choose_any(path, speeds), ", ".join(f"{option} {speed:,.0f}" for option, speed in speeds.items())
    why = "nothing is clearly faster than the first" if chosen == next(iter(speeds)) else "clearly faster than the first"
    return f"auto is {chosen}: {why} of these, evaluations/s on {SIZE}x{SIZE}, one thread: {listed}"


# ---------------------------------------------------------------- remembering


def memory_file() -> Path:
    """The file of measured speeds."""
    return Path(platformdirs.user_cache_dir("gtp_engine", appauthor=False)) / "networks" / "speeds.json"


@functools.cache
def machine() -> str:
    """A key for this machine and the libraries that compute networks on it. With another key, speeds are measured again."""
    parts = [platform.machine(), platform.processor()]
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            parts += sorted({line.strip() for line in file if line.startswith(("model name", "flags", "Features", "CPU part"))})
    except OSError:
        pass
    parts += [f"{package} {importlib.metadata.version(package)}" for package in PACKAGES.values() if installed(package)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def digest_of(path: Path) -> str:
    """A digest of the network's content. Raises NetworkError."""
    try:
        return hashlib.sha256(read_file(path, LARGEST_FILE)).hexdigest()[:32]
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror}; expected a network") from error


def read_memory() -> dict[str, Any]:
    """The file's content; empty if the file is missing or damaged."""
    try:
        held = json.loads(read_file(memory_file(), LARGEST_MEMORY))
    except (OSError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def recall(path: Path) -> Speeds:
    """The speeds of this network on this machine; empty if they weren't measured. Raises NetworkError for a file that can't be read."""
    held, digest = read_memory(), digest_of(path)
    try:
        entry = held[digest]
        if entry["machine"] != machine():
            return {}
        speeds = {BackendOption(*map(str, names)): float(speed) for *names, speed in entry["speeds"]}
    except (TypeError, KeyError, ValueError):
        return {}
    options = options_for(path)
    return {option: speed for option, speed in speeds.items() if option in options and speed > 0.0}


def remember(path: Path, speeds: Speeds) -> None:
    """Keep the measured speeds. If that fails, they are measured again next time."""
    held, digest = read_memory(), digest_of(path)
    held.pop(digest, None)
    held[digest] = {
        "machine": machine(),
        "speeds": [[option.file, option.backend, option.precision, speed] for option, speed in speeds.items()],
    }
    file = memory_file()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(file, json.dumps(dict(list(held.items())[-REMEMBERED:]), indent=1).encode())
    except OSError as error:
        print(f"gtp_engine: cannot remember how fast {path.name} is in {file.parent}: {error.strerror}", file=sys.stderr)


def known_speeds(path: Path, params: SearchParams) -> Speeds:
    """The kept speeds; if there are none, they are measured and kept. Raises NetworkError."""
    speeds = recall(path)
    if not speeds:
        speeds = time_network(path, params)
        remember(path, speeds)
    return speeds
