"""The process that does jobs for a LocalRunner: one after the other, until the driver has no more or has ended."""

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
PAUSE = 0.05  # seconds between two looks whether a job is being done for a driver that has gone
# what a new interpreter is to do; not a module of its own, which the path of the driver might not have
START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from gtp_engine.base.jobs.worker import main; main(int(sys.argv[2]))"


class DriverGone(Exception):
    """There are no more jobs, or there is nobody who wants a result."""


class Driver:
    """The other end of stdin and stdout, which nobody else reads or writes from now on: what is printed goes to stderr."""

    def __init__(self) -> None:
        self._jobs: queue.Queue[Any] = queue.Queue()
        self._source, self._sink = take_streams()
        self._is_busy = threading.Event()
        self._writing = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def next_job(self) -> Any:
        """Function, data and seed. Raises DriverGone."""
        self._is_busy.clear()
        job = self._jobs.get()
        if job is None:
            raise DriverGone
        self._is_busy.set()
        return job

    def send(self, is_result: bool, content: Any) -> None:
        """Send a result or a note. Raises DriverGone, and whatever pickle raises before anything is sent."""
        data = pickle.dumps((is_result, content))
        try:
            with self._writing:
                self._sink.write(data)
                self._sink.flush()
        except OSError as error:
            raise DriverGone from error

    def _read(self) -> None:
        """Read jobs; when there are no more, end this process in the middle of one."""
        try:
            while True:
                self._jobs.put(pickle.load(self._source))
        except (EOFError, OSError):
            self._jobs.put(None)
        while not self._is_busy.is_set():
            time.sleep(PAUSE)
        os._exit(1)


def take_streams() -> tuple[BinaryIO, BinaryIO]:
    """stdin and stdout for us alone."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return source, sink


def main(threads: int) -> None:
    """Work. `threads` -- that numerical libraries may use; 0 for no limit."""
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is the driver's affair. Not SIG_IGN, which the engines would inherit
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
    """Do a job, send its value. Raises DriverGone when there is no other one."""
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
    """Stop in the middle of a job."""
    sys.exit(1)
