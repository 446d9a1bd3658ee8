"""Runs jobs on a Ray cluster, by actors that stay for many jobs as the processes of a LocalRunner do. Needs the extra `cluster`.

An actor that dies, with its node or alone, is replaced on any node that has its resources. What jobs tell while they run comes with their
results.
"""

import functools
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing leaves the machine but what goes to the cluster; Ray reads it when loaded

import ray
from ray._private import services
from ray.exceptions import RayActorError, RayError

from gtp_engine.base.files import PRIVATE_FILE, write_file
from gtp_engine.base.jobs.job import FunctionKeeper, JobDescription, JobResult, JobRunner, PlaceError
from gtp_engine.base.jobs.local import WAKE, Notes
from gtp_engine.base.jobs.worker import LIBRARY_THREADS

LOCAL, AUTO = "local", "auto"
LOOPBACK = "127.0.0.1"
TOKEN = "token"
TOKEN_PATH = "RAY_AUTH_TOKEN_PATH"
TOKEN_VARIABLES = (
    "RAY_AUTH_MODE",
    "RAY_AUTH_TOKEN",
    TOKEN_PATH,
)  # without the first Ray asks for a token in a cluster that it makes itself
CLOSE_PATIENCE = 10.0  # seconds that actors have to end what they keep
CONNECT_PATIENCE = 10.0  # seconds
MEMORY = 500 * 2**20  # bytes that an actor asks for: the interpreter, the kernels and a small tree or network
ON_A_NODE = "on node {}: {}"


class RayWorker:
    """What runs as an actor: does one job after the other."""

    def __init__(self, folder: str) -> None:
        """`folder` -- the driver's; commands and files are named from there, where the node has it."""
        if os.path.isdir(folder):
            os.chdir(folder)
        self._notes: list[Any] = []
        self._functions = FunctionKeeper(self._notes.append)

    def work(self, function: str, data: Any, seed: int) -> tuple[tuple[Any, str, float], list[Any]]:
        """((value, error, seconds), notes)."""
        self._notes.clear()
        answer = self._functions.call(function, data, seed)
        if answer[1]:
            answer = (answer[0], ON_A_NODE.format(ray.util.get_node_ip_address(), answer[1]), answer[2])
        return answer, list(self._notes)

    def close(self) -> None:
        """End what the functions keep."""
        self._functions.close()


@dataclass
class Actor:
    """An actor and the job that it has."""

    handle: Any
    job: JobDescription


class RayRunner(JobRunner):
    """So many actors at most, each with one job at a time; `with` ends them. Fewer where the cluster has no more resources."""

    def __init__(self, actors: int, address: str, threads: int = 1, on_note: Notes = lambda _key, _note: None) -> None:
        """Join a cluster: the one that is known here (AUTO), one made on this machine for these jobs (LOCAL), or that at an address.

        `threads` -- processors that each actor asks for, and to which numerical libraries are held; 0: one, and no limit. The import path
        of this process is that of the actors. Raises PlaceError.
        """
        if actors < 1 or threads < 0:
            raise ValueError("there must be at least one actor")
        super().__init__()
        self.actors = actors
        self.threads = threads
        self.on_note = on_note
        self._idle: list[Any] = []
        self._busy: dict[Any, Actor] = {}  # by what ray.get takes
        self._is_ours = not ray.is_initialized()
        self._ending = ExitStack()  # what is to be undone when a cluster of ours has ended
        if self._is_ours:
            with ExitStack() as ending:
                if address == LOCAL:
                    ending.enter_context(token_of_our_own())
                join(address, actors * max(threads, 1), threads)
                self._ending = ending.pop_all()
        self._class = ray.remote(RayWorker)

    def results(self, jobs: Iterable[JobDescription]) -> Iterator[JobResult]:
        """See JobRunner."""
        source = iter(jobs)
        while True:
            while len(self._busy) < self.actors and (job := self._next(source)) is not None:
                self._begin(job)
            if not self._busy:
                return
            done, _ = ray.wait(list(self._busy), num_returns=1, timeout=WAKE)
            if not done:
                self._end_idle()  # there is no job for them, and an actor with a job may wait for their resources
            for reference in done:
                result = self._result_of(reference)
                if result is not None:
                    yield result

    def close(self) -> None:
        """End all actors, those with a job at once, and leave the cluster; one that was made here is ended."""
        for actor in self._busy.values():
            ray.kill(actor.handle)
        self._end_idle()
        self._busy = {}
        if self._is_ours:
            ray.shutdown()
        self._ending.close()

    def _end_idle(self) -> None:
        """End the actors without a job."""
        endings = [handle.close.remote() for handle in self._idle]
        if endings:
            ray.wait(endings, num_returns=len(endings), timeout=CLOSE_PATIENCE)
        for handle in self._idle:
            ray.kill(handle)
        self._idle = []

    def _begin(self, job: JobDescription) -> None:
        """Give the job to an idle actor, or to a new one."""
        handle = self._idle.pop() if self._idle else self._class.options(num_cpus=max(self.threads, 1), memory=MEMORY).remote(os.getcwd())
        self._busy[handle.work.remote(job.function, job.data, job.seed)] = Actor(handle, job)

    def _result_of(self, reference: Any) -> JobResult | None:
        """The result of a job that has ended; None when its actor has died and it is to run again."""
        actor = self._busy.pop(reference)
        job = actor.job
        try:
            answer, notes = ray.get(reference)
        except RayActorError as error:
            return self._died(job, "actor", f": {str(error).splitlines()[0]}")
        except RayError as error:  # its value cannot be sent
            self._idle.append(actor.handle)
            return JobResult(job.key, error=f"its value cannot be sent: {str(error).splitlines()[-1]}")
        self._idle.append(actor.handle)
        self._attempts.pop(job.key, None)
        for note in notes:
            self.on_note(job.key, note)
        return JobResult(job.key, *answer)


@functools.cache
def token_folder() -> "tempfile.TemporaryDirectory[str]":
    """A folder for this user alone with a token in it. It goes with the process: Ray reads a token once."""
    folder = tempfile.TemporaryDirectory(prefix="gtp_engine-ray-")
    write_file(Path(folder.name) / TOKEN, secrets.token_hex(32).encode(), PRIVATE_FILE)
    return folder


@contextmanager
def token_of_our_own() -> Iterator[None]:
    """Within the block a cluster that is made here obeys only who knows a token, which only this user can read.

    Ray's own token would lie in the home, for everybody to read, and be the same for every cluster.
    """
    before = {name: os.environ.pop(name, None) for name in TOKEN_VARIABLES}
    os.environ[TOKEN_PATH] = str(Path(token_folder().name) / TOKEN)  # Ray's processes, and those of its workers, take it from here
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


@contextmanager
def on_loopback() -> Iterator[None]:
    """Within the block a cluster is made that listens on 127.0.0.1 only. Raises PlaceError where Ray does otherwise all the same.

    Ray listens on every interface unless 127.0.0.1 is its node's address, and has no setting that makes it so: it looks for another one.
    """
    find_address = services.get_node_ip_address
    services.get_node_ip_address = lambda *_, **__: LOOPBACK
    try:
        yield
    finally:
        services.get_node_ip_address = find_address
    if not ray.get_runtime_context().gcs_address.startswith(f"{LOOPBACK}:"):
        ray.shutdown()
        raise PlaceError(f"--ray {LOCAL}: this version of Ray would be reached from other machines; see docs/cluster.md")


def join(address: str, processors: int, threads: int) -> None:
    """Connect this process. Raises PlaceError."""
    variables = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "RAY_USAGE_STATS_ENABLED": "0"}
    if threads:
        variables |= dict.fromkeys(LIBRARY_THREADS, str(threads))
    settings: dict[str, Any] = {"runtime_env": {"env_vars": variables}, "log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address.count(":") == 1:  # Ray itself tries for minutes
            host, _, port = address.partition(":")
            socket.create_connection((host, int(port)), CONNECT_PATIENCE).close()
        if address == LOCAL:
            with on_loopback():
                ray.init(address=LOCAL, num_cpus=processors, include_dashboard=False, _node_ip_address=LOOPBACK, **settings)
        else:
            ray.init(address=address, **settings)
    except (RayError, OSError, RuntimeError, ValueError) as error:
        raise PlaceError(f"--ray {address}: there is no cluster to join: {str(error).splitlines()[0]}") from error
