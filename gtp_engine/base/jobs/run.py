"""Runs the jobs that are missing in a store: finished jobs aren't repeated, interrupted ones are."""

from collections.abc import Callable, Iterable, Iterator

from gtp_engine.base.jobs.job import JobDescription, JobResult, JobRunner
from gtp_engine.base.jobs.store import JobStore

# Called with the number of jobs done, including those of earlier runs and failed ones, and the total.
Watch = Callable[[int, int], None]


def run_missing(
    jobs: Iterable[JobDescription], total: int, runner: JobRunner, store: JobStore, watch: Watch | None = None
) -> Iterator[JobResult]:
    """Run the jobs without a result in the store; yields each result once it is stored.

    A result with an error is yielded but not stored, so that job runs again next time.
    `total` -- the number of jobs, including finished ones; only for `watch`, which is called after each result.
    Ctrl-C, or leaving the loop, keeps every result so far. Raises StoreError if a result can't be written.
    """
    earlier = len(store.finished)
    missing = (job for job in jobs if job.key not in store.finished)
    for new, result in enumerate(runner.results(missing), 1):
        if not result.error:
            store.append(result)
        if watch is not None:
            watch(earlier + new, total)
        yield result
