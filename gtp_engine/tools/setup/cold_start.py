"""The time of a first start, which compiles every kernel, and a yardstick that makes the figures of two machines comparable."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gtp_engine.base.own_command import OWN_COMMAND
from gtp_engine.base.processors import processors

START_PROGRAM = "genmove b\nquit\n"  # on the default board
INDEX = "*.nbi"  # the files of numba's cache, one for each function that Python calls
YARDSTICK = """
import sys, time
import numba

def sort(items):
    for i in range(1, len(items)):
        item, j = items[i], i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
    return items.sum()

def multiply(items):
    total = items[0]
    for i in range(len(items)):
        for j in range(i):
            total += items[i] * items[j] if items[i] < items[j] else items[j] // 3
    return total

for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"):
    for function in (sort, multiply):
        numba.njit((getattr(numba, name)[::1],))(function)
"""


def start_seconds(environment: dict[str, str]) -> float:
    """Seconds from the start of a GTP process to its end after one move of 100 visits."""
    command = [*OWN_COMMAND, "gtp", "--playouts", "100", "--size", "9"]
    started = time.perf_counter()
    subprocess.run(command, input=START_PROGRAM.encode(), capture_output=True, check=True, env=os.environ | environment)
    return round(time.perf_counter() - started, 3)


def cold_start(say: Callable[[str], None]) -> tuple[float, int, float]:
    """(seconds from the start to the first move with an empty cache, compiled functions in it then, seconds of the yardstick)."""
    say("the yardstick: fixed functions, compiled")
    yardstick = yardstick_seconds()
    say("start with an empty cache, which compiles every kernel")
    with tempfile.TemporaryDirectory() as folder:
        seconds = start_seconds({"NUMBA_CACHE_DIR": folder})
        entries = len(list(Path(folder).rglob(INDEX)))
    return seconds, entries, yardstick


def yardstick_seconds() -> float:
    """Seconds in which this machine compiles the yardstick's functions, in as many processes as the engine uses; the slowest counts."""
    command = [sys.executable, "-P", "-c", YARDSTICK]
    started = time.perf_counter()
    processes = [subprocess.Popen(command) for _ in range(min(processors(), 2))]
    for process in processes:
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, command)
    return round(time.perf_counter() - started, 3)
