"""Runs jobs in processes of this machine. A process stays for many jobs, so that what it has loaded or compiled stays ready.

A process that ends in the middle of a job is replaced, and the job runs again; after MOST_ATTEMPTS the job's result is an error.
Jobs go to a process by its stdin and results come by its stdout, pickled; a thread reads for each, since Windows can't wait for pipes.
"""

import contextlib
import json
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from gtp_engine.base.jobs.job import JobDescription, JobResult
from gtp_engine.base.jobs.worker import START

MOST_ATTEMPTS = 3  # of a job whose process dies
WAKE = 0.5  # seconds between two looks for Ctrl-C
PATIENCE = 15.0  # seconds that a process has to end what it has begun; then it is killed

Message = tuple[bool, Any]  # is it a result, or a note? And its content
Notes = Callable[[str, Any], None]  # called with a job's key and what it tells


@dataclass(eq=False)
class Worker:
    """A process, and the job that it has. It ends when its stdin does."""

    process: "subprocess.Popen[bytes]"
    inbox: "queue.Queue[tuple[Worker, Message | None]]"  # gets what the process sends, and None at its end
    job: JobDescription | None = None

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read, name="reader of a worker", daemon=True)
        self._reader.start()

    def send(self, job: JobDescription) -> None:
        """Give it a job. That it has died is told by the inbox."""
        self.job = job
        assert self.process.stdin
        with contextlib.suppress(OSError):
            self.process.stdin.write(pickle.dumps((job.function, job.data, job.seed)))
            self.process.stdin.flush()

    def free(self) -> None:
        """Wait for the process, which has been told to end, and free what is ours."""
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            with contextlib.suppress(OSError):  # what was not taken
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout
        try:
            while True:
                self.inbox.put((self, pickle.load(self.process.stdout)))
        except Exception:  # the end, perhaps in the middle of something
            self.inbox.put((self, None))


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
        self._inbox: queue.Queue[tuple[Worker, Message | None]] = queue.Queue()
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
            if all(worker.job is None for worker in self._workers):
                return
            try:
                worker, message = self._inbox.get(timeout=WAKE)
            except queue.Empty:
                continue
            result = self._result_of(worker, message) if worker in self._workers else None
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
            self._workers[place].send(job)

    def _result_of(self, worker: Worker, message: Message | None) -> JobResult | None:
        """What the process sent; None for a note, and when it has died and its job is to run again."""
        job = worker.job
        if message is None:
            return self._replace(worker, job)
        assert job is not None
        is_result, content = message
        if not is_result:
            self.on_note(job.key, content)
            return None
        worker.job = None
        self._attempts.pop(job.key, None)
        return JobResult(job.key, *content)

    def _replace(self, worker: Worker, job: JobDescription | None) -> JobResult | None:
        """Start another process in the place of a dead one, whose job, if it had one, is put back or given up."""
        worker.process.kill()
        worker.free()
        code = worker.process.returncode
        self._workers[self._workers.index(worker)] = self._started()
        if job is None:
            return None
        attempts = self._attempts[job.key] = self._attempts.get(job.key, 0) + 1
        if attempts < MOST_ATTEMPTS:
            self._again.append(job)
            return None
        del self._attempts[job.key]
        return JobResult(job.key, error=f"its process ended {attempts} times without a result, the last time with status {code}")

    def _started(self) -> Worker:
        """A new process without a job."""
        words = [sys.executable, "-P", "-c", START, json.dumps(sys.path), str(self.threads)]
        return Worker(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE), self._inbox)
