"""Runs jobs in processes of this machine. A process stays for many jobs, so that what it has loaded or compiled stays ready.

A process that ends in the middle of a job is replaced, and the job runs again; after MOST_ATTEMPTS the job's result is an error.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any

from gtp_engine.jobs.job import JobDescription, JobResult
from gtp_engine.jobs.worker import START

MOST_ATTEMPTS = 3  # of a job whose process dies
WAKE = 0.5  # seconds between two looks for Ctrl-C
PATIENCE = 15.0  # seconds that a process has to end what it has begun; then it is killed

Notes = Callable[[str, Any], None]  # called with a job's key and what it tells


@dataclass
class Worker:
    """A process, and the job that it has."""

    process: "subprocess.Popen[bytes]"
    connection: Connection
    life: int  # writing end of a pipe; the process ends when it is closed
    job: JobDescription | None = None

    def free(self) -> None:
        """Wait for the process, which has been told to end, and free what is ours."""
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.connection.close()
        os.close(self.life)


class LocalRunner:
    """So many processes; `with` ends them. As many jobs are taken from their source as there are processes, and no more."""

    def __init__(self, processes: int, threads: int = 1, on_note: Notes = lambda _key, _note: None) -> None:
        """`threads` -- that numerical libraries may use in each process; 0: as they like. `on_note` -- gets what jobs tell, and hears it
        again when a job runs again. Raises ValueError for less than one process.
        """
        if processes < 1 or threads < 0:
            raise ValueError("there must be at least one process")
        self.processes = processes
        self.threads = threads
        self.on_note = on_note
        self._workers: list[Worker] = []
        self._again: deque[JobDescription] = deque()  # whose process died
        self._attempts: dict[str, int] = {}  # of jobs whose process died

    def __enter__(self) -> "LocalRunner":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
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
        """End all processes, those that have a job in the middle of it, once they have closed what they keep."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.free()

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
            with contextlib.suppress(OSError):  # it has died between two jobs; reading from it tells so
                worker.connection.send((job.function, job.data, job.seed))

    def _result_of(self, worker: Worker) -> JobResult | None:
        """What the process sent; None for a note, and when it has died and its job is to run again."""
        job = worker.job
        assert job is not None
        try:
            is_result, content = worker.connection.recv()
        except (EOFError, OSError):
            return self._replace(worker, job)
        if not is_result:
            self.on_note(job.key, content)
            return None
        worker.job = None
        self._attempts.pop(job.key, None)
        return JobResult(job.key, *content)

    def _replace(self, worker: Worker, job: JobDescription) -> JobResult | None:
        """Start another process in the place of a dead one, whose job is put back or given up."""
        worker.process.kill()
        worker.free()
        code = worker.process.returncode
        self._workers[self._workers.index(worker)] = self._started()
        attempts = self._attempts[job.key] = self._attempts.get(job.key, 0) + 1
        if attempts < MOST_ATTEMPTS:
            self._again.append(job)
            return None
        del self._attempts[job.key]
        return JobResult(job.key, error=f"its process ended {attempts} times without a result, the last time with status {code}")

    def _started(self) -> Worker:
        """A new process without a job."""
        ours, theirs = socket.socketpair()
        reader, writer = os.pipe()
        numbers = [str(number) for number in (theirs.fileno(), reader, self.threads)]
        with theirs:
            try:
                process = subprocess.Popen(
                    [sys.executable, "-P", "-c", START, json.dumps(sys.path), *numbers],
                    stdin=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(), reader),
                )
            except OSError:
                ours.close()
                os.close(writer)
                raise
            finally:
                os.close(reader)
        return Worker(process, Connection(ours.detach()), writer)
