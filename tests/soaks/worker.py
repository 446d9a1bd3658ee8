"""Cases tried in processes of their own: one that crashes, hangs or takes all the memory is a fault and stops no other."""

import contextlib
import gc
import json
import os
import resource
import select
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from soaks.tally import Tally

CASE_SECONDS = 10.0  # of a processor, that a case may take, with the processes that it starts
HANGS = 120.0  # seconds by the clock; then a case is ended
CASE_MEGABYTES = 500.0  # that a case may add to the most memory of its process

Judge = Callable[[int], str]  # the number of a case -> what is wrong, "" for nothing


def try_cases(judge: Judge, count: int, tally: Tally, log: Path) -> None:
    """Try the cases 0 .. count - 1. What they print goes to `log`."""
    slowest, largest, first = 0.0, 0.0, 0
    while first < count and len(tally.faults) < 40:
        process, reader = start(judge, first, count, log)
        for report in reports(reader):
            number, text, seconds, megabytes = report
            tally.done += 1
            slowest, largest, first = max(slowest, seconds), max(largest, megabytes), number + 1
            if text:
                tally.fault(f"case {number}: {text}")
            elif seconds > CASE_SECONDS or megabytes > CASE_MEGABYTES:
                tally.fault(f"case {number}: {seconds:.1f} s, {megabytes:.0f} MB more")
            tally.progress(count)
        reader.close()
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        if first < count:
            tally.fault(f"case {first}: its process ended or hung (status {status})")
            tally.done += 1
            first += 1
    tally.notes.append(f"slowest case {slowest:.1f} s; most memory that a case added {largest:.0f} MB")


def apart(act: Callable[[], str]) -> str:
    """What `act` gives back in a process of its own, however long it takes: a first time, which compiles."""
    here, there = os.pipe()
    process = os.fork()
    if process:
        os.close(there)
        with os.fdopen(here, "rb") as reader:
            text = reader.read().decode()
        _, status = os.waitpid(process, 0)
        return text if status == 0 else f"status {status}: {text}"
    try:
        os.write(there, act().encode())
        os._exit(0)
    finally:
        traceback.print_exc()
        os._exit(1)


def start(judge: Judge, first: int, count: int, log: Path) -> tuple[int, BinaryIO]:
    """(id of a process that tries the cases from `first` on, where its reports come from)."""
    here, there = os.pipe()
    process = os.fork()
    if process:
        os.close(there)
        return process, os.fdopen(here, "rb")
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(output, 1)
    os.dup2(output, 2)
    try:
        for number in range(first, count):
            before, started = peak(), seconds_used()
            try:
                text = judge(number)
            except BaseException:  # whatever it is, it is told
                text = traceback.format_exc(limit=-4)
            fresh = number == first  # loads what was compiled
            report = (number, text[-1500:], 0.0 if fresh else seconds_used() - started, 0.0 if fresh else peak() - before)
            os.write(there, json.dumps(report).encode() + b"\n")
            sys.stdout.flush()
    finally:
        os._exit(0)


def reports(reader: BinaryIO) -> Iterator[tuple[int, str, float, float]]:
    """Each report until the process ends or hangs."""
    data = b""
    while select.select([reader], [], [], HANGS)[0] and (piece := os.read(reader.fileno(), 1 << 16)):
        data += piece
        while b"\n" in data:
            line, _, data = data.partition(b"\n")
            yield tuple(json.loads(line))


@contextlib.contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Ctrl-C once this process and those that it started have used so many more seconds of a processor.

    Without hypothesis's callback of the garbage collection: Python throws away a Ctrl-C that comes in one.
    """
    callbacks, gc.callbacks[:] = gc.callbacks[:], []
    limit, over = seconds_used() + children_now() + seconds, threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            if seconds_used() + children_now() > limit:
                os.kill(os.getpid(), signal.SIGINT)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        gc.callbacks[:] = callbacks


def children_now() -> float:
    """Seconds of a processor that the processes which this one started, and which still run, have used."""
    ticks = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = place.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            ticks += int(words[11]) + int(words[12]) if int(words[1]) == os.getpid() else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def seconds_used() -> float:
    """Of a processor, by this process and those that it started and waited for: other programs on the machine don't count."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def peak() -> float:
    """The most memory that this process ever had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
