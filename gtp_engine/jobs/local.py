"""Runs jobs in processes of this machine. A process stays for many jobs, so that what it has loaded or compiled stays ready.

A process that ends in the middle of a job is replaced, and the job runs again; after MOST_ATTEMPTS the job's result is an error.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from gtp_engine.jobs.job import JobDescription, JobResult, load_function

MOST_ATTEMPTS = 3  # of a job whose process dies
LIBRARY_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
WAKE = 0.5  # seconds between two looks for Ctrl-C


@dataclass
class Worker:
    """A process, and the job that it has."""

    process: BaseProcess
    connection: Connection
    job: JobDescription | None = None


class LocalRunner:
    """So many processes; `with` ends them. As many jobs are taken from their source as there are processes, and no more."""

    def __init__(self, processes: int, threads: int = 1) -> None:
        """`threads` -- that numerical libraries may use in each process. Raises ValueError for less than one of either."""
        if processes < 1 or threads < 1:
            raise ValueError("there must be at least one process and one thread")
        self.processes = processes
        self.threads = threads
        self._workers: list[Worker] = []
        self._again: deque[JobDescription] = deque()  # whose process died
        self._attempts: dict[str, int] = {}  # of jobs whose process died
        self._context = multiprocessing.get_context("spawn")

    def __enter__(self) -> "LocalRunner":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def results(self, jobs: Iterable[JobDescription]) -> Iterator[JobResult]:
        """Each job's result as it comes, which is not always in order. A function that raises gives an error as its result."""
        source = iter(jobs)
        while True:
            self._hand_out(source)
            busy = {worker.connection: worker for worker in self._workers if worker.job is not None}
            if not busy:
                return
            for connection in wait(list(busy), WAKE):
                result = self._result_of(busy[connection])  # type: ignore[index]  # wait gives what it got
                if result is not None:
                    yield result

    def close(self) -> None:
        """End all processes at once, in the middle of their jobs too."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.connection.close()
        self._workers = []

    def _hand_out(self, source: Iterator[JobDescription]) -> None:
        """A job for everybody who has none, as far as there are jobs."""
        for place in range(self.processes):
            if place < len(self._workers) and self._workers[place].job is not None:
                continue
            job = self._again.popleft() if self._again else next(source, None)
            if job is None:
                return
            if place == len(self._workers):
                self._workers.append(self._started())
            worker = self._workers[place]
            worker.job = job
            try:
                worker.connection.send((job.function, job.data, job.seed))
            except OSError:  # it has died between two jobs; reading from it tells so
                continue

    def _result_of(self, worker: Worker) -> JobResult | None:
        """What the process sent; None when it has died and its job is to run again."""
        job = worker.job
        assert job is not None
        try:
            value, error, seconds = worker.connection.recv()
        except (EOFError, OSError):
            return self._replace(worker, job)
        worker.job = None
        self._attempts.pop(job.key, None)
        return JobResult(job.key, value, error, seconds)

    def _replace(self, worker: Worker, job: JobDescription) -> JobResult | None:
        """Start another process in the place of a dead one, whose job is put back or given up."""
        worker.process.kill()
        worker.process.join()
        worker.connection.close()
        code = worker.process.exitcode
        self._workers[self._workers.index(worker)] = self._started()
        attempts = self._attempts[job.key] = self._attempts.get(job.key, 0) + 1
        if attempts < MOST_ATTEMPTS:
            self._again.append(job)
            return None
        del self._attempts[job.key]
        return JobResult(job.key, error=f"its process ended {attempts} times without a result, the last time with status {code}")

    def _started(self) -> Worker:
        """A new process without a job."""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs, self.threads), daemon=True, name="jobs")
        process.start()
        theirs.close()
        return Worker(process, ours)


def work(connection: Connection, threads: int) -> None:
    """What a process does until its driver has no more jobs or has ended: one job after the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's affair
    os.environ.update(dict.fromkeys(LIBRARY_THREADS, str(threads)))
    threading.Thread(target=_end_with_driver, daemon=True).start()
    while True:
        try:
            function, data, seed = connection.recv()
        except EOFError:
            return
        answer = call(function, data, seed)
        try:
            connection.send(answer)
        except BrokenPipeError:
            return
        except Exception as error:
            connection.send((None, f"its value cannot be sent: {error}", answer[2]))


def call(function: str, data: Any, seed: int) -> tuple[Any, str, float]:
    """(value, error or "", seconds) of one call."""
    began = time.perf_counter()
    try:
        value, error = load_function(function)(data, seed), ""
    except Exception as problem:
        value, error = None, f"{type(problem).__name__}: {problem}"
    return value, error, time.perf_counter() - began


def _end_with_driver() -> None:
    """End this process in the middle of its job when the driver has been killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
