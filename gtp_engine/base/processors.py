"""The number of processors that this process may use."""

import os


def processors() -> int:
    """The processors assigned to this process, if the system tells (Linux); otherwise all of the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
