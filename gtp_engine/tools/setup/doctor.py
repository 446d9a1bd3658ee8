"""Checks of an installation for `gtp-engine doctor`: what the engine needs to start, to be fast, and to work with clients."""

import importlib.metadata
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gtp_engine import __version__
from gtp_engine.engine.config.front_end import AUTOMATIC_LOG, log_path
from gtp_engine.engine.config.sources import ConfigError, Configuration, gather, user_file
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, WHITE, from_vertex
from gtp_engine.tools.setup.client_lines import own_command

OLDEST_PYTHON = (3, 11)
PACKAGES = ("numpy", "numba", "llvmlite", "sgfmill", "platformdirs", "rich", "onnxruntime")
SPEED_SECONDS = 1.0
SLOWEST = 200  # simulations a second on 9x9; interpreted kernels reach about 20, the slowest machine that was tried 2,000
HANDSHAKE_SECONDS = 15.0  # after which GoGui offers to kill an engine


@dataclass(frozen=True)
class Check:
    """The result of one check."""

    name: str
    is_good: bool
    detail: str  # the finding, and what to do if it is bad


def run_checks() -> Iterator[Check]:
    """Run every check in turn and yield each result; a check that raises counts as failed."""
    for name, look in CHECKS.items():
        try:
            is_good, detail = look()
        except Exception as error:  # the other checks must still run
            is_good, detail = False, f"{type(error).__name__}: {error}"
        yield Check(name, is_good, detail)


def check_python() -> tuple[bool, str]:
    """The interpreter's version."""
    text = f"{platform.python_version()} at {sys.executable}"
    needed = ".".join(map(str, OLDEST_PYTHON))
    is_good = sys.version_info >= OLDEST_PYTHON
    return is_good, text if is_good else f"{text}; version {needed} or newer is needed"


def check_packages() -> tuple[bool, str]:
    """The required packages. Raises PackageNotFoundError for a missing one."""
    return True, ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)


def check_configuration() -> tuple[bool, str]:
    """The user's file and the environment."""
    try:
        gather(os.environ)
    except ConfigError as error:
        return False, str(error)
    path = user_file()
    return True, str(path) if path.is_file() else f"defaults; {path} would be read if it were there"


def check_cache() -> tuple[bool, str]:
    """The folder of the compiled kernels."""
    from gtp_engine.compiled.jit import cache_folder

    folder = cache_folder()
    check_writable(folder)
    is_temporary = folder.is_relative_to(tempfile.gettempdir())
    return True, f"{folder}{' (temporary: each start may compile again)' if is_temporary else ''}"


def check_log_folder() -> tuple[bool, str]:
    """The folder of `--log auto`."""
    path = log_path(AUTOMATIC_LOG)
    check_writable(path.parent)
    return True, str(path)


def check_writable(folder: Path) -> None:
    """Raise OSError if no file can be created in `folder`, which is created if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def check_kernels() -> tuple[bool, str]:
    """The compiled code: it is compiled or loaded, and must handle a capture correctly."""
    from gtp_engine.compiled.jit import kernels_compiled
    from gtp_engine.engine.player.engine import Engine

    before, started = kernels_compiled(), time.monotonic()
    engine = Engine(Configuration().search_params(), size=5)
    engine.warm_up()
    for color, vertex in ((WHITE, "A1"), (BLACK, "A2"), (BLACK, "B1")):
        engine.state.play(color, from_vertex(vertex, 5))
    duration = f"{'compiled' if kernels_compiled() > before else 'loaded'} in {time.monotonic() - started:.1f} s"
    is_good = engine.game.captures(BLACK) == 1 and engine.game.stones(WHITE) == []
    return is_good, duration if is_good else f"{duration}, but they count wrong: delete the cache folder"


def check_speed() -> tuple[bool, str]:
    """Simulations a second as the engine plays."""
    from gtp_engine.tools.setup.benchmark import simulations_per_second

    speed = simulations_per_second(9, SearchParams(), SPEED_SECONDS)
    text = f"{speed:,.0f} playouts/s on 9x9"
    return speed >= SLOWEST, text if speed >= SLOWEST else f"{text}; is NUMBA_DISABLE_JIT set, or the machine busy?"


def check_network() -> tuple[bool, str]:
    """The network: it must open, and its fastest backend and precision on this machine is measured and kept for `auto`."""
    from gtp_engine.engine.network.choice import SIZE, reason, remember, time_network
    from gtp_engine.engine.network.loading import network_path, shipped_network

    params = gather(os.environ).search_params()
    if not params.network and shipped_network(SIZE) is None:
        return True, "none comes with this version: playing with playouts"
    path = network_path(params, SIZE)
    try:
        speeds = time_network(path, params)
    except NetworkError as error:
        return False, str(error)
    remember(path, speeds)
    return True, f"{path.name}; {reason(path, speeds)}"


def check_handshake() -> tuple[bool, str]:
    """The engine, started like by a client, from another folder."""
    command, started = own_command(), time.monotonic()
    process = subprocess.run(
        command, input="name\nquit\n", capture_output=True, text=True, timeout=HANDSHAKE_SECONDS, cwd=tempfile.gettempdir()
    )
    if process.returncode != 0 or not process.stdout.startswith("= "):
        return False, f"{command} answered {process.stdout[:80]!r}, {process.stderr[-200:]!r}"
    return True, f"answered after {time.monotonic() - started:.2f} s"


CHECKS: dict[str, Callable[[], tuple[bool, str]]] = {
    "version": lambda: (True, f"gtp_engine {__version__} on {platform.platform()}"),
    "Python": check_python,
    "packages": check_packages,
    "configuration": check_configuration,
    "cache folder": check_cache,
    "log folder": check_log_folder,
    "kernels": check_kernels,
    "speed": check_speed,
    "network": check_network,
    "GTP": check_handshake,
}
