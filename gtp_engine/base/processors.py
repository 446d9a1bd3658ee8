"""How many processors this process may use."""

import os


def processors() -> int:
    """Those that it was given, where the system tells (Linux); else all of the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
