"""The process that runs jobs for a LocalRunner, one after the other, until the driver has no more or has ended."""

import os
import pickle
import queue
import signal
import sys
import threading
import time
from types import FrameType
from typing import Any, BinaryIO, NoReturn

from gtp_engine.base.jobs.job import FunctionKeeper

LIBRARY_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
PAUSE = 0.05  # seconds between checks whether the driver has ended during a job
# the program of a new interpreter; not a module, which might not be on its path
START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from gtp_engine.base.jobs.worker import main; main(int(sys.argv[2]))"


class DriverGone(Exception):
    """There are no more jobs, or the driver has ended."""


class Driver:
    """The driver at the other end of stdin and stdout, which nothing else uses from now on: printed text goes to stderr."""

    def __init__(self) -> None:
        self._jobs: queue.Queue[Any] = queue.Queue()
        self._source, self._sink = take_streams()
        self._is_busy = threading.Event()
        self._writing = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def next_job(self) -> Any:
        """The function, data and seed of the next job. Raises DriverGone."""
        self._is_busy.clear()
        job = self._jobs.get()
        if job is None:
            raise DriverGone
        self._is_busy.set()
        return job

    def send(self, is_result: bool, content: Any) -> None:
        """Send a result or a note. Raises DriverGone, and pickle's errors before anything is sent."""
        data = pickle.dumps((is_result, content))
        try:
            with self._writing:
                self._sink.write(data)
                self._sink.flush()
        except OSError as error:
            raise DriverGone from error

    def _read(self) -> None:
        """Read jobs; at their end, end this process even during a job."""
        try:
            while True:
                self._jobs.put(pickle.load(self._source))
        except (EOFError, OSError):
            self._jobs.put(None)
        while not self._is_busy.is_set():
            time.sleep(PAUSE)
        os._exit(1)


def take_streams() -> tuple[BinaryIO, BinaryIO]:
    """stdin and stdout, for this module only."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return source, sink


def main(threads: int) -> None:
    """Run jobs. `threads` -- the limit for numerical libraries; 0: none."""
    signal.signal(signal.SIGINT, lambda *_: None)  # the driver handles Ctrl-C. Not SIG_IGN, which the engines would inherit
    if threads:
        os.environ.update(dict.fromkeys(LIBRARY_THREADS, str(threads)))
    driver = Driver()
    functions = FunctionKeeper(lambda note: driver.send(False, note))
    try:
        _work(driver, functions)
    except DriverGone:
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        functions.close()


def _work(driver: Driver, functions: FunctionKeeper) -> NoReturn:
    """Run jobs and send their values. Raises DriverGone when there are no more."""
    while True:
        function, data, seed = driver.next_job()
        if functions.keeps_object(function):
            signal.signal(signal.SIGTERM, _leave)
        answer = functions.call(function, data, seed)
        try:
            driver.send(True, answer)
        except DriverGone:
            raise
        except Exception as error:
            driver.send(True, (None, f"its value cannot be sent: {error}", answer[2]))


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    """Stop, even during a job."""
    sys.exit(1)
