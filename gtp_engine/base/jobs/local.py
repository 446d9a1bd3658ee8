"""Runs jobs in processes of this machine. A process runs many jobs, so that everything loaded or compiled stays ready.

Jobs go to a process by its stdin and results come by its stdout, pickled; a thread reads for each, since Windows can't wait for pipes.
"""

import contextlib
import json
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gtp_engine.base.jobs.job import JobDescription, JobResult, JobRunner
from gtp_engine.base.jobs.worker import START

WAKE = 0.5  # seconds between checks for Ctrl-C
PATIENCE = 15.0  # seconds for a process to close its objects, before it is killed

Message = tuple[bool, Any]  # (whether it is a result, not a note; content)
Notes = Callable[[str, Any], None]  # called with a job's key and a note


@dataclass(eq=False)
class Worker:
    """A process with its current job. It ends when its stdin ends."""

    process: "subprocess.Popen[bytes]"
    inbox: "queue.Queue[tuple[Worker, Message | None]]"  # gets the messages of the process, and None at its end
    job: JobDescription | None = None

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read, name="reader of a worker", daemon=True)
        self._reader.start()

    def send(self, job: JobDescription) -> None:
        """Send it a job. If it has died, the inbox gets None."""
        self.job = job
        assert self.process.stdin
        with contextlib.suppress(OSError):
            self.process.stdin.write(pickle.dumps((job.function, job.data, job.seed)))
            self.process.stdin.flush()

    def free(self) -> None:
        """Wait for the ending process, and free its resources here."""
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            with contextlib.suppress(OSError):  # unread data
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout
        try:
            while True:
                self.inbox.put((self, pickle.load(self.process.stdout)))
        except Exception:  # the end, perhaps of a partial message
            self.inbox.put((self, None))


class LocalRunner(JobRunner):
    """Runs jobs in so many processes; `with` ends them. Jobs are taken from their source only when a process is free."""

    def __init__(self, processes: int, threads: int = 1, on_note: Notes = lambda _key, _note: None) -> None:
        """`threads` -- that numerical libraries may use in each process; 0: as they like. `on_note` -- gets what jobs tell, and hears it
        again when a job runs again. Raises ValueError for less than one process.
        """
        if processes < 1 or threads < 0:
            raise ValueError("there must be at least one process")
        super().__init__()
        self.processes = processes
        self.threads = threads
        self.on_note = on_note
        self._workers: list[Worker] = []
        self._inbox: queue.Queue[tuple[Worker, Message | None]] = queue.Queue()

    def results(self, jobs: Iterable[JobDescription]) -> Iterator[JobResult]:
        """See JobRunner."""
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
        """End all processes, even during a job, after they have closed their objects."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.free()

    def _hand_out(self, source: Iterator[JobDescription]) -> None:
        """Give a job to each idle process, while there are jobs."""
        for place in range(self.processes):
            if place < len(self._workers) and self._workers[place].job is not None:
                continue
            job = self._next(source)
            if job is None:
                return
            if place == len(self._workers):
                self._workers.append(self._started())
            self._workers[place].send(job)

    def _result_of(self, worker: Worker, message: Message | None) -> JobResult | None:
        """The result in a message; None for a note, or if the process has died and its job will run again."""
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
        """Replace a dead process; its job, if any, is repeated or given up."""
        worker.process.kill()
        worker.free()
        code = worker.process.returncode
        self._workers[self._workers.index(worker)] = self._started()
        return None if job is None else self._died(job, "process", f" with status {code}")

    def _started(self) -> Worker:
        """Start a process without a job."""
        words = [sys.executable, "-P", "-c", START, json.dumps(sys.path), str(self.threads)]
        return Worker(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE), self._inbox)
