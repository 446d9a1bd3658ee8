"""Runs the jobs that are missing in a store: finished jobs are not repeated, interrupted ones start again."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from gtp_engine.base.jobs.job import JobDescription, JobResult
from gtp_engine.base.jobs.store import JobStore


class JobRunner(Protocol):
    """Where jobs run."""

    def results(self, jobs: Iterable[JobDescription]) -> Iterator[JobResult]:
        """Each job's result as it comes, one for each job."""
        ...


# Told how many jobs are done, those of earlier runs and those that have failed included, and of how many.
Watch = Callable[[int, int], None]


def run_missing(
    jobs: Iterable[JobDescription], total: int, runner: JobRunner, store: JobStore, watch: Watch | None = None
) -> Iterator[JobResult]:
    """Run the jobs that the store has no result of; each result is given once it is in the store.

    A result with an error is given too, but not kept: that job runs again the next time.
    `total` -- how many jobs there are, finished ones included; only for `watch`, which is called after each result.
    Ctrl-C, or leaving the loop, keeps every result so far. Raises StoreError when a result can't be written.
    """
    earlier = len(store.finished)
    missing = (job for job in jobs if job.key not in store.finished)
    for new, result in enumerate(runner.results(missing), 1):
        if not result.error:
            store.append(result)
        if watch is not None:
            watch(earlier + new, total)
        yield result
