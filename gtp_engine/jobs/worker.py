"""The process that does jobs for a LocalRunner: one after the other, until the driver has no more or has ended."""

import os
import signal
import sys
import threading
from multiprocessing.connection import Connection
from types import FrameType
from typing import NoReturn

from gtp_engine.jobs.job import FunctionKeeper

LIBRARY_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
# what a new interpreter is to do; not a module of its own, which the path of the driver might not have
START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from gtp_engine.jobs.worker import main; main(*map(int, sys.argv[2:]))"


def main(jobs: int, life: int, threads: int) -> None:
    """Work. `jobs`, `life`: descriptors, of the connection and of a pipe that ends with the driver; `threads`: 0 for no limit."""
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is the driver's affair. Not SIG_IGN, which the engines would inherit
    if threads:
        os.environ.update(dict.fromkeys(LIBRARY_THREADS, str(threads)))
    threading.Thread(target=_end_with_driver, args=(life,), daemon=True).start()
    connection = Connection(jobs)
    functions = FunctionKeeper(lambda note: connection.send((False, note)))
    try:
        _work(connection, functions)
    except (EOFError, BrokenPipeError, ConnectionResetError):  # no more jobs, or no driver
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        functions.close()


def _work(connection: Connection, functions: FunctionKeeper) -> NoReturn:
    """Read a job, send its value. Raises EOFError when there is no other one."""
    while True:
        function, data, seed = connection.recv()
        if functions.keeps_object(function):
            signal.signal(signal.SIGTERM, _leave)
        answer = functions.call(function, data, seed)
        try:
            connection.send((True, answer))
        except (BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:
            connection.send((True, (None, f"its value cannot be sent: {error}", answer[2])))


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    """Stop in the middle of a job."""
    sys.exit(1)


def _end_with_driver(life: int) -> None:
    """End this process in the middle of its job when the driver has been killed."""
    os.read(life, 1)
    os._exit(1)
