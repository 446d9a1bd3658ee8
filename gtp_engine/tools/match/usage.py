"""The resources that a process and its descendants have used, from Linux's /proc. Other systems have no figures."""

import os
from dataclasses import dataclass
from pathlib import Path

from gtp_engine.tools.match.keeper import descendants

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
USER_TIME = 11  # index in /proc/PID/stat after the name, of utime, stime, cutime, cstime
AFTER_TIMES = 15


@dataclass(frozen=True)
class Usage:
    """The usage since the process began."""

    cpu_seconds: float  # of all processors together, including ended children
    peak_memory: int  # bytes: the sum of the living processes' largest resident sizes; shared pages count for each


def usage_below(root: int) -> Usage | None:
    """The usage of all processes below `root`, and the time of those that it has waited for; None if /proc doesn't have it.

    `root`'s own memory isn't included, nor a process that ends during this call.
    """
    try:
        seconds = sum(_cpu_times(root)[2:])
    except OSError:
        return None
    memory = 0
    for process in descendants(root):
        try:
            seconds += sum(_cpu_times(process))
            memory += _peak_memory(process)
        except OSError:
            continue
    return Usage(seconds, memory)


def _cpu_times(process: int) -> list[float]:
    """Seconds: user and system time of the process itself, then of the children that it has waited for. Raises OSError."""
    fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
    return [int(ticks) / TICKS_PER_SECOND for ticks in fields[USER_TIME:AFTER_TIMES]]


def _peak_memory(process: int) -> int:
    """Bytes; 0 for a process that has ended and waits to be reaped. Raises OSError."""
    for line in Path(f"/proc/{process}/status").read_bytes().splitlines():
        if line.startswith(b"VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0
