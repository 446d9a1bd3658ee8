"""Which backend and precision are fastest for a network on this machine: timed once, and remembered in the cache folder.

`--backend auto` and `--precision auto` mean what was found. float32 by onnxruntime is the yardstick: numbers with fewer bits must be
clearly faster to be chosen, for they change an answer a little.
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
from gtp_engine.engine.network.formats import AnyBackend, format_of
from gtp_engine.engine.network.katago.file_names import original_of
from gtp_engine.engine.network.session import LARGEST_FILE, NetworkError, installed
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
WORTH = {"f32": 1.05, "f16": 1.25, "bf16": 1.25, INT8: 1.25}  # so many times as fast as the yardstick must be what is chosen instead
ANYTHING = SearchParams(backend=AUTO, precision=AUTO)
SIZE = 19  # lines of the board in use
ROUNDS, SLICE = 10, 0.1  # of each option, in turn, so that whatever else the machine does meets all of them; seconds
REMEMBERED = 50  # networks
LARGEST_MEMORY = 1_000_000  # bytes of the file that remembers


@dataclass(frozen=True)
class BackendOption:
    """One way to compute a network."""

    file: str  # the name of the network's file, in the folder of the one that was named
    backend: str
    precision: str

    def __str__(self) -> str:
        """For people."""
        return f"{self.file}, {self.backend} {self.precision}"


Speeds = dict[BackendOption, float]  # evaluations a second, one thread, on a board of SIZE lines; the yardstick first


def options_for(path: Path) -> list[BackendOption]:
    """What can be tried here for this network."""
    supports_int8 = format_of(path).supports_int8
    pairs = [pair for pair in PAIRS if installed(PACKAGES[pair[0]])]
    found = [BackendOption(path.name, *pair) for pair in pairs if supports_int8 or pair[1] != INT8]
    original = original_of(path)
    if original is not None:
        found += [BackendOption(original.name, *pair) for pair in pairs if pair[1] != INT8]
    return found


def time_network(path: Path, params: SearchParams) -> Speeds:
    """Time every option for a network, about a second each. Raises NetworkError when not even the first one works."""
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
    """The network opened in this way, for one thread. Raises NetworkError."""
    twin = path.with_name(option.file)
    settings = replace(params, backend=option.backend, precision=option.precision, threads=1)
    return format_of(twin).load(twin, settings).backend


def run_of(backend: AnyBackend) -> Callable[[], None]:
    """What runs a batch of an empty board; whatever is done once is done already. Raises NetworkError."""
    batch = backend.new_batch(SIZE, backend.leaves)
    batch.run()
    run: Callable[[], None] = batch.run
    return run


def least_seconds(ask: Callable[[], None]) -> float:
    """The shortest time that one batch took, of those of one slice: the rest is what else the machine does."""
    least, started = float("inf"), time.perf_counter()
    now = started
    while now - started < SLICE:
        before = now
        ask()
        now = time.perf_counter()
        least = min(least, now - before)
    return least


def untimed_option(path: Path, params: SearchParams) -> BackendOption:
    """The option to use while nothing is timed."""
    backend, precision = YARDSTICK
    return BackendOption(
        path.name, backend if params.backend == AUTO else params.backend, precision if params.precision == AUTO else params.precision
    )


def choose(path: Path, speeds: Speeds, params: SearchParams) -> BackendOption:
    """The option to use, of those that the settings leave open."""
    allowed = {option: speed for option, speed in speeds.items() if is_allowed(option, params)}
    if not allowed:
        return untimed_option(path, params)
    first = next(iter(allowed))
    worth = {option: speed for option, speed in allowed.items() if speed >= WORTH[option.precision] * allowed[first]}
    return max(worth, key=lambda option: worth[option], default=first)


def choose_any(path: Path, speeds: Speeds) -> BackendOption:
    """What `auto` means where the settings leave all open."""
    return choose(path, speeds, ANYTHING)


def is_allowed(option: BackendOption, params: SearchParams) -> bool:
    """May it be used where the settings name a backend or a precision?"""
    return params.backend in (AUTO, option.backend) and params.precision in (AUTO, option.precision)


def reason(path: Path, speeds: Speeds) -> str:
    """What `auto` chooses and why, in a line."""
    chosen, listed = choose_any(path, speeds), ", ".join(f"{option} {speed:,.0f}" for option, speed in speeds.items())
    why = "nothing is clearly faster than the first" if chosen == next(iter(speeds)) else "clearly faster than the first"
    return f"auto is {chosen}: {why} of these, evaluations/s on {SIZE}x{SIZE}, one thread: {listed}"


# ---------------------------------------------------------------- remembering


def memory_file() -> Path:
    """Where what was timed is remembered."""
    return Path(platformdirs.user_cache_dir("gtp_engine", appauthor=False)) / "networks" / "speeds.json"


@functools.cache
def machine() -> str:
    """A name for this machine and all that computes networks on it: with another one the times are taken anew."""
    parts = [platform.machine(), platform.processor()]
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            parts += sorted({line.strip() for line in file if line.startswith(("model name", "flags", "Features", "CPU part"))})
    except OSError:
        pass
    parts += [f"{package} {importlib.metadata.version(package)}" for package in PACKAGES.values() if installed(package)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def digest_of(path: Path) -> str:
    """A name for the network's content. Raises NetworkError."""
    try:
        return hashlib.sha256(read_file(path, LARGEST_FILE)).hexdigest()[:32]
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror}; expected a network") from error


def read_memory() -> dict[str, Any]:
    """What the file holds; nothing when it is missing or damaged."""
    try:
        held = json.loads(read_file(memory_file(), LARGEST_MEMORY))
    except (OSError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def recall(path: Path) -> Speeds:
    """What was timed for this network on this machine; empty when nothing was. Raises NetworkError for a file that can't be read."""
    held, digest = read_memory(), digest_of(path)
    try:
        entry = held[digest]
        if entry["machine"] != machine():
            return {}
        found = {BackendOption(*map(str, names)): float(speed) for *names, speed in entry["speeds"]}
    except (TypeError, KeyError, ValueError):
        return {}
    options = options_for(path)
    return {option: speed for option, speed in found.items() if option in options and speed > 0.0}


def remember(path: Path, speeds: Speeds) -> None:
    """Keep what was timed; where that fails, it is timed again next time."""
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
    """What is remembered; what isn't is timed now, and remembered. Raises NetworkError."""
    speeds = recall(path)
    if not speeds:
        speeds = time_network(path, params)
        remember(path, speeds)
    return speeds
